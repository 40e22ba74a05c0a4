//! `discover!` finds tools at link time: those of this package, and those of the crates that it names. No other
//! dependency adds a tool.

use toolwright::{Executor, ToolName, ToolRegistry, discover, tool};

/// Tell what to wear.
#[tool(name = "clothes.advise", pure)]
fn advise(
    /// In degrees Celsius.
    celsius: f64,
) -> &'static str {
    if celsius < 10.0 { "a coat" } else { "a shirt" }
}

fn print(title: &str, registry: &ToolRegistry) {
    let names: Vec<&str> = registry.names().map(ToolName::as_str).collect();
    println!("{title}: {}", names.join(", "));
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    print("this package", &discover!()?);
    print("the library", &discover!(weather_kit)?);
    let both = discover!(crate, weather_kit)?;
    print("both", &both);
    // A crate that brings no tools is an error, and so is a name that two tools want.
    if let Err(error) = discover!(tokio) {
        println!("{error}");
    }

    let executor = Executor::new(both)?;
    for name in ["clothes.advise", "weather.fahrenheit"] {
        let outcome = executor.call(name, r#"{"celsius": 5}"#).await;
        println!("> {name}\n{}", outcome.text());
    }
    Ok(())
}
