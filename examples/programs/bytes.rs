//! `from_bytes`: a tool that gets the JSON text of its arguments as the model sent it, and gives bytes back. That fits code
//! that reads and writes JSON without toolwright, such as a plugin behind a C interface.

use std::error::Error;

use serde_json::{Value, json};
use toolwright::spec::Effect;
use toolwright::tools::from_bytes;
use toolwright::{Executor, ToolName, ToolRegistry, ToolSpec};

/// Code that knows nothing of tools: the sum of a list, from JSON to JSON.
fn sum(input: &[u8]) -> Result<Vec<u8>, serde_json::Error> {
    let input: Value = serde_json::from_slice(input)?;
    let numbers = input["numbers"].as_array().into_iter().flatten();
    let sum: f64 = numbers.filter_map(Value::as_f64).sum();
    serde_json::to_vec(&json!({ "sum": sum }))
}

#[tokio::main]
pub(crate) async fn main() -> Result<(), Box<dyn Error>> {
    let spec = ToolSpec::new(ToolName::new("list.sum")?, "Add the numbers of a list.")
        .with_effect(Effect::Pure)
        .with_input_schema(json!({
            "type": "object",
            "properties": {"numbers": {"type": "array", "items": {"type": "number"}}},
            "required": ["numbers"],
        }));
    let executor =
        Executor::new(ToolRegistry::new().with(from_bytes(spec, |input, _| sum(input))))?;
    for arguments in [r#"{"numbers": [1, 2.5]}"#, r#"{"numbers": ["one"]}"#] {
        println!("> list.sum {arguments}");
        println!("{}", executor.call("list.sum", arguments).await.text());
    }
    Ok(())
}
