//! Every tool that eight published servers offer, as a tool known only at run time: a call that its
//! schema allows runs, and one that it does not is refused.

use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};
use toolwright::content::ErrorKind;
use toolwright::spec::Effect;
use toolwright::{Executor, ToolContext, ToolError, ToolName, ToolRegistry, ToolSpec, tool_fn};

pub(crate) struct Definition {
    pub(crate) server: String,
    pub(crate) name: String,
    schema: Value,
}

pub(crate) fn definitions() -> Vec<Definition> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/mcp-tools");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let mut all = Vec::new();
    for file in files {
        let tools: Vec<Value> = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        for tool in tools {
            all.push(Definition {
                server: file.file_stem().unwrap().to_str().unwrap().to_owned(),
                name: tool["name"].as_str().unwrap().to_owned(),
                schema: tool["inputSchema"].clone(),
            });
        }
    }
    all
}

fn executor(definition: &Definition) -> Executor {
    let name = ToolName::new(definition.name.clone()).unwrap();
    let spec = ToolSpec::new(name, "As the server says.")
        .with_input_schema(definition.schema.clone())
        .with_effect(Effect::Pure);
    let echo = tool_fn(spec, async |arguments: Value, _: ToolContext| {
        Ok::<_, ToolError>(arguments)
    });
    Executor::new(ToolRegistry::new().with(echo)).unwrap()
}

/// A value that a schema allows, with all properties or only those that are required.
fn instance(schema: &Value, all: bool) -> Value {
    if let Some(branches) = schema["anyOf"].as_array() {
        return instance(&branches[0], all);
    }
    if let Some(choices) = schema["enum"].as_array() {
        return choices[0].clone();
    }
    match schema["type"].as_str() {
        Some("string") => match schema["format"].as_str() {
            Some("uri") => json!("https://example.org/a"),
            Some(other) => panic!("no text of the format {other}"),
            None => {
                let least = schema["minLength"].as_u64().unwrap_or(1);
                json!("x".repeat(usize::try_from(least).unwrap()))
            }
        },
        Some("integer" | "number") => {
            let least = schema["minimum"].as_i64();
            json!(least.or(schema["maximum"].as_i64()).unwrap_or(7))
        }
        Some("boolean") => json!(true),
        Some("array") => {
            let least = schema["minItems"].as_u64().unwrap_or(1);
            let item = || instance(&schema["items"], all);
            (0..least).map(|_| item()).collect()
        }
        Some("object") => {
            let mut object = Map::new();
            let required = schema["required"].as_array();
            for (name, property) in schema["properties"].as_object().into_iter().flatten() {
                let needed = required.is_some_and(|names| names.iter().any(|n| n == name));
                if all || needed {
                    object.insert(name.clone(), instance(property, all));
                }
            }
            if let (true, free @ Value::Object(_)) = (all, &schema["additionalProperties"]) {
                object.insert("more".to_owned(), instance(free, all));
            }
            Value::Object(object)
        }
        Some(other) => panic!("no value of the type {other}"),
        None => json!("anything"),
    }
}

/// Returns true if a schema constrains a value.
fn says_something(schema: &Value) -> bool {
    ["type", "enum", "anyOf"]
        .iter()
        .any(|word| schema.get(*word).is_some())
}

/// Calls that the schema does not allow and that nothing repairs.
fn mutations(schema: &Value, good: &Value) -> Vec<Value> {
    let mut bad = vec![json!([good]), json!("text"), json!(5)];
    for name in schema["required"].as_array().into_iter().flatten() {
        let mut without = good.clone();
        without
            .as_object_mut()
            .unwrap()
            .remove(name.as_str().unwrap());
        bad.push(without);
    }
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        if !says_something(property) {
            continue;
        }
        // No schema of the data takes this at any place that is its own.
        let mut other = good.clone();
        other[name] = json!({"no": [{"such": ["value"]}, 0.5]});
        if property["type"] == "object" {
            other[name] = json!([[0.5]]);
        }
        bad.push(other);
    }
    if schema["additionalProperties"] == false {
        let mut more = good.clone();
        more["no such argument"] = json!(1);
        bad.push(more);
    }
    bad
}

#[tokio::test]
async fn each_definition_loads_takes_what_its_schema_allows_and_refuses_the_rest() {
    let definitions = definitions();
    assert_eq!(definitions.len(), 77);
    let mut refused = 0;
    for definition in &definitions {
        let Definition {
            server,
            name,
            schema,
        } = definition;
        let executor = executor(definition);
        for all in [false, true] {
            let good = instance(schema, all);
            let outcome = executor.call(name, &good).await;
            assert!(
                outcome.is_success(),
                "{server} {name} {good}: {}",
                outcome.text()
            );
            assert!(
                outcome.result().repairs().is_empty(),
                "{server} {name} {good}"
            );
            let ran: Value = serde_json::from_str(&outcome.text()).unwrap();
            assert_eq!(ran, good, "{server} {name}");
            for bad in mutations(schema, &good) {
                let outcome = executor.call(name, &bad).await;
                let kind = outcome.error().map(ToolError::kind);
                assert_eq!(
                    kind,
                    Some(ErrorKind::InvalidArguments),
                    "{server} {name} {bad}"
                );
                assert!(
                    outcome.text().len() < 2048,
                    "{server} {name}: {}",
                    outcome.text()
                );
                refused += 1;
            }
        }
    }
    assert!(refused > 600, "{refused}");
}
