//! `tool_fn` makes a tool at run time, here from a definition in JSON and a closure. The arguments of each call must
//! satisfy the definition's JSON Schema, which takes the feature `json-schema`.

use std::error::Error;

use serde::Deserialize;
use serde_json::{Map, Value};
use toolwright::spec::Effect;
use toolwright::{Executor, ToolContext, ToolName, ToolRegistry, ToolSpec, tool_fn};

/// The definitions, as a file or another process would send them.
const DEFINITIONS: &str = r#"[
    {
        "name": "unit.miles",
        "description": "Turn kilometres into miles.",
        "factor": 0.621371,
        "input": {
            "type": "object",
            "properties": {"value": {"type": "number", "minimum": 0}},
            "required": ["value"],
            "additionalProperties": false
        }
    },
    {
        "name": "unit.pounds",
        "description": "Turn kilograms into pounds.",
        "factor": 2.204623,
        "input": {"type": "object", "properties": {"value": {"type": "number"}}, "required": ["value"]}
    }
]"#;

#[derive(Deserialize)]
struct Definition {
    name: String,
    description: String,
    factor: f64,
    input: Value,
}

#[tokio::main]
pub(crate) async fn main() -> Result<(), Box<dyn Error>> {
    let mut tools = ToolRegistry::new();
    for definition in serde_json::from_str::<Vec<Definition>>(DEFINITIONS)? {
        let Definition {
            name,
            description,
            factor,
            input,
        } = definition;
        let spec = ToolSpec::new(ToolName::new(name)?, description)
            .with_input_schema(input)
            .with_effect(Effect::Pure);
        let convert = move |arguments: Map<String, Value>, _: ToolContext| async move {
            let value = arguments["value"]
                .as_f64()
                .ok_or("the value is no number")?;
            Ok::<_, &str>(format!("{:.2}", value * factor))
        };
        tools.register(tool_fn(spec, convert))?;
    }
    let executor = Executor::new(tools)?;
    for (name, arguments) in [
        ("unit.miles", r#"{"value": 42.195}"#),
        ("unit.pounds", r#"{"value": 80}"#),
        ("unit.miles", r#"{"value": -1, "unit": "km"}"#),
    ] {
        println!("> {name} {arguments}");
        println!("{}", executor.call(name, arguments).await.text());
    }
    Ok(())
}
