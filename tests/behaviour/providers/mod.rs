//! Tools in the forms of the model APIs.

mod lists;
mod names;
mod turns;

use serde_json::{Value, json};
use toolwright_providers::Api;

/// A call in a model's message: id, name, arguments.
type Call<'c> = (&'c str, &'c str, Value);

/// The message of a model that makes these calls.
fn message(api: Api, calls: &[Call<'_>]) -> String {
    let each = |form: &dyn Fn(&Call<'_>) -> Value| calls.iter().map(form).collect::<Vec<_>>();
    let message = match api {
        Api::OpenAiResponses => json!({"output": each(&|(id, name, arguments)| json!({
            "type": "function_call", "id": format!("fc_{id}"), "call_id": id, "name": name,
            "arguments": arguments.to_string(),
        }))}),
        Api::Anthropic => json!({"role": "assistant", "stop_reason": "tool_use", "content":
            each(&|(id, name, arguments)| json!({
                "type": "tool_use", "id": id, "name": name, "input": arguments,
            })),
        }),
        Api::Gemini => json!({"role": "model", "parts": each(&|(id, name, arguments)| json!({
            "functionCall": {"id": id, "name": name, "args": arguments},
        }))}),
        _ => json!({"role": "assistant", "content": null, "tool_calls":
            each(&|(id, name, arguments)| json!({
                "id": id, "type": "function",
                "function": {"name": name, "arguments": arguments.to_string()},
            })),
        }),
    };
    message.to_string()
}

/// The definitions of functions in a list of tools.
fn definitions(api: Api, list: &str) -> Vec<Value> {
    let list: Value = serde_json::from_str(list).unwrap();
    let tools = match api {
        Api::Gemini => &list[0]["functionDeclarations"],
        _ => &list,
    };
    let tools = tools.as_array().unwrap().iter();
    let definition = |tool: &Value| match api {
        Api::OpenAiChat | Api::Compatible => tool["function"].clone(),
        _ => tool.clone(),
    };
    tools.map(definition).collect()
}

/// The field of a definition that has the schema.
fn schema_of(definition: &Value) -> &Value {
    let fields = ["parameters", "input_schema", "parametersJsonSchema"];
    let mut found = fields.iter().filter_map(|field| definition.get(field));
    found.next().unwrap()
}
