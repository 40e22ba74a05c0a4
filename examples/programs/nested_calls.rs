//! Nested calls: a tool calls another tool, through all stages and in the same turn. The model does not know that other
//! tool and cannot call it.

use std::error::Error;

use serde_json::json;
use toolwright::{Executor, ToolCall, ToolContext, ToolError, ToolRegistry, tool};

/// Tell how warm it is in a town, in degrees.
#[tool(name = "weather.now", read_only)]
fn weather(town: String) -> Result<i32, String> {
    match town.as_str() {
        "Oslo" => Ok(-4),
        "Rome" => Ok(17),
        _ => Err(format!("there is no station in {town}")),
    }
}

/// Tell which of some towns is the warmest.
#[tool(name = "weather.warmest", read_only)]
async fn warmest(
    #[arg(length = 1..=10)] towns: Vec<String>,
    ctx: &ToolContext,
) -> Result<String, ToolError> {
    let mut warmest = None;
    for town in towns {
        let outcome = ctx
            .call(ToolCall::new("weather.now", json!({ "town": town })))
            .await;
        match outcome.json::<i32>() {
            Ok(degrees) => warmest = warmest.max(Some((degrees, town))),
            Err(_) => return Err(ToolError::unavailable(outcome.text())),
        }
    }
    let (degrees, town) = warmest.ok_or_else(|| ToolError::not_found("no town was named"))?;
    Ok(format!("{town}, with {degrees} degrees"))
}

#[tokio::main]
pub(crate) async fn main() -> Result<(), Box<dyn Error>> {
    let tools = ToolRegistry::new().with(Warmest).with_unadvertised(Weather);
    let executor = Executor::new(tools)?;
    let shown: Vec<String> = executor
        .tools()
        .specs()
        .map(|spec| spec.name().to_string())
        .collect();
    println!("the model sees {}", shown.join(", "));
    for arguments in [
        r#"{"towns": ["Oslo", "Rome"]}"#,
        r#"{"towns": ["Oslo", "Atlantis"]}"#,
    ] {
        println!("> weather.warmest {arguments}");
        println!(
            "{}",
            executor.call("weather.warmest", arguments).await.text()
        );
    }
    println!(
        "> weather.now {{\"town\": \"Rome\"}}\n{}",
        executor
            .call("weather.now", r#"{"town": "Rome"}"#)
            .await
            .text()
    );
    Ok(())
}
