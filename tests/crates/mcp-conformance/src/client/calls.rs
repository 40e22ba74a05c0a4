//! The calls of a scenario.

use serde_json::{Map, Value, json};
use toolwright::Executor;

use crate::{Failure, SERVER};

/// Makes the calls that the suite gives, or else one of each tool.
pub(crate) async fn make(
    executor: &Executor,
    scenario: &str,
    context: &Value,
) -> Result<(), Failure> {
    for (tool, arguments) in calls(executor, scenario, context) {
        let name = format!("{SERVER}.{tool}");
        let outcome = executor.call(&name, arguments).await;
        println!("{name}: {}", outcome.text());
        if let Some(error) = outcome.error() {
            return Err(error.clone().into());
        }
    }
    Ok(())
}

fn calls(executor: &Executor, scenario: &str, context: &Value) -> Vec<(String, Value)> {
    let tools = executor.tools();
    let schema = |name: &str| -> Value {
        let spec = tools
            .specs()
            .find(|spec| spec.name().to_string() == format!("{SERVER}.{name}"));
        spec.map(|spec| spec.input_schema().clone())
            .unwrap_or_default()
    };
    if scenario == "json-schema-2020-12-preservation" {
        let arguments = json!({"schema": schema("json_schema_2020_12_tool")});
        return vec![("json_schema_echo".to_owned(), arguments)];
    }
    if let Some(calls) = context["toolCalls"].as_array() {
        let call = |call: &Value| {
            let name = call["name"].as_str().unwrap_or_default();
            (name.to_owned(), call["arguments"].clone())
        };
        return calls.iter().map(call).collect();
    }
    let names = tools.specs().filter_map(|spec| {
        let name = spec.name().to_string();
        name.strip_prefix(SERVER)?
            .strip_prefix('.')
            .map(ToOwned::to_owned)
    });
    names
        .map(|name| (name.clone(), arguments(&schema(&name))))
        .collect()
}

/// A value for each argument that a schema demands.
fn arguments(schema: &Value) -> Value {
    let required = schema["required"].as_array().into_iter().flatten();
    let names = required.filter_map(Value::as_str);
    let of_type = |name: &str| match schema["properties"][name]["type"].as_str() {
        Some("number" | "integer") => json!(2),
        Some("boolean") => json!(true),
        Some("string") => json!("text"),
        _ => json!({}),
    };
    Value::Object(
        names
            .map(|name| (name.to_owned(), of_type(name)))
            .collect::<Map<_, _>>(),
    )
}
