//! The smallest program: a function becomes a tool, and a call runs through it.

use toolwright::{Executor, ToolRegistry, tool};

/// Greet somebody by name.
#[tool(pure)]
fn hello(
    /// Whom to greet.
    name: String,
) -> String {
    format!("Hello, {name}!")
}

#[tokio::main]
async fn main() -> Result<(), toolwright::BuildError> {
    let executor = Executor::new(ToolRegistry::new().with(Hello))?;
    let outcome = executor.call("hello", r#"{"name": "Ada"}"#).await;
    println!("{}", outcome.text());
    Ok(())
}
