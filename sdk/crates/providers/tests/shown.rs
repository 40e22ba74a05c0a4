//! Parts of a definition that depend on the form of its schema.

#![allow(clippy::unwrap_used, reason = "a test stops at the first fault")]

use serde_json::{Value, json};
use toolwright::registry::ToolSnapshot;
use toolwright::{ToolContext, ToolError, ToolRegistry, ToolSpec, tool_fn};
use toolwright_providers::{Api, GeminiSchema, ListOptions, ToolList};

fn tools(schema: Value) -> ToolSnapshot {
    let spec =
        ToolSpec::new("place.go".parse().unwrap(), "Go to a place.").with_input_schema(schema);
    let go = tool_fn(spec, async |arguments: Value, _: ToolContext| {
        Ok::<_, ToolError>(arguments)
    });
    ToolRegistry::new().with(go).freeze().unwrap()
}

fn first(api: Api, tools: &ToolSnapshot, options: ListOptions) -> Value {
    let list = ToolList::with_options(api, tools, options);
    serde_json::from_str::<Vec<Value>>(list.unwrap().as_str())
        .unwrap()
        .remove(0)
}

#[test]
fn examples_are_valid_under_the_schema_that_is_shown() {
    let tools = tools(json!({
        "type": "object",
        "properties": {"at": {
            "type": "array", "minItems": 2, "maxItems": 2,
            "prefixItems": [{"type": "integer"}, {"type": "string"}], "items": false,
        }},
        "required": ["at"],
        "examples": [{"at": [4, "x"]}, {"at": "no tuple"}],
    }));
    let tool = first(
        Api::Anthropic,
        &tools,
        ListOptions::new().input_examples(true),
    );
    assert_eq!(tool["strict"], true);
    assert_eq!(
        tool["input_schema"]["properties"]["at"]["required"],
        json!(["item1", "item2"])
    );
    assert_eq!(
        tool["input_examples"],
        json!([{"at": {"item1": 4, "item2": "x"}}])
    );
}

#[test]
fn a_function_of_gemini_without_parameters_has_no_schema() {
    let options = || ListOptions::new().gemini_schema(GeminiSchema::OpenApi);
    let tool = first(
        Api::Gemini,
        &tools(json!({"type": "object", "properties": {}})),
        options(),
    );
    let tool = tool["functionDeclarations"][0]
        .as_object()
        .unwrap_or_else(|| tool.as_object().unwrap())
        .clone();
    assert!(
        tool.contains_key("name") && !tool.contains_key("parameters"),
        "{tool:?}"
    );
}
