//! 858 real definitions with a call of each, in the envelope of each API: the verdict is that of the plain call.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first fault"
)]

use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use toolwright::spec::Effect;
use toolwright::{
    Executor, ToolCall, ToolContext, ToolError, ToolName, ToolOutcome, ToolRegistry, ToolSpec,
    tool_fn,
};
use toolwright_providers::{Api, AssistantMessage};

/// A call: its id, name, and arguments as JSON text.
type Call<'c> = (&'c str, &'c str, &'c str);

/// Returns the body of a response with calls, as the server of an API writes it. The arguments stand in it as they are
/// given: as a text where the API has a text, else as the value that they are.
fn envelope(api: Api, calls: &[Call<'_>]) -> String {
    let join = |items: Vec<String>| items.join(",");
    let text = |text: &str| Value::from(text).to_string();
    match api {
        Api::OpenAiChat | Api::Compatible => {
            let calls = calls.iter().map(|(id, name, arguments)| {
                let function = json!({"name": name, "arguments": arguments});
                json!({"id": id, "type": "function", "function": function}).to_string()
            });
            format!(
                r#"{{"id":"chatcmpl-1","object":"chat.completion","created":1764000000,"model":"m","choices":[{{"index":0,"message":{{"role":"assistant","content":null,"tool_calls":[{}]}},"finish_reason":"tool_calls"}}],"usage":{{"prompt_tokens":9,"completion_tokens":9,"total_tokens":18}}}}"#,
                join(calls.collect())
            )
        }
        Api::OpenAiResponses => {
            let calls = calls.iter().map(|(id, name, arguments)| {
                json!({"type": "function_call", "id": format!("fc_{id}"), "call_id": id, "name": name, "arguments": arguments, "status": "completed"})
                    .to_string()
            });
            format!(
                r#"{{"id":"resp_1","object":"response","created_at":1764000000,"status":"completed","error":null,"incomplete_details":null,"model":"m","output":[{}],"parallel_tool_calls":true,"tool_choice":"auto","tools":[],"usage":{{"input_tokens":9,"input_tokens_details":{{"cached_tokens":0}},"output_tokens":9,"output_tokens_details":{{"reasoning_tokens":0}},"total_tokens":18}}}}"#,
                join(calls.collect())
            )
        }
        Api::Anthropic => {
            let calls = calls.iter().map(|(id, name, arguments)| {
                let (id, name) = (text(id), text(name));
                format!(r#"{{"type":"tool_use","id":{id},"name":{name},"input":{arguments}}}"#)
            });
            format!(
                r#"{{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{}],"stop_reason":"tool_use","stop_sequence":null,"usage":{{"input_tokens":9,"output_tokens":9}}}}"#,
                join(calls.collect())
            )
        }
        Api::Gemini => {
            let calls = calls.iter().map(|(id, name, arguments)| {
                let (id, name) = (text(id), text(name));
                format!(r#"{{"functionCall":{{"id":{id},"name":{name},"args":{arguments}}}}}"#)
            });
            format!(
                r#"{{"candidates":[{{"content":{{"parts":[{}],"role":"model"}},"finishReason":"STOP","index":0}}],"usageMetadata":{{"promptTokenCount":9,"candidatesTokenCount":9,"totalTokenCount":18}},"modelVersion":"m"}}"#,
                join(calls.collect())
            )
        }
        _ => panic!("{api} has no envelope here"),
    }
}

#[derive(Deserialize)]
struct Case {
    id: String,
    tool: Definition,
    arguments: Box<RawValue>,
}

#[derive(Deserialize)]
struct Definition {
    name: String,
    description: String,
    parameters: Value,
}

fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/data/bfcl");
    let mut cases = Vec::new();
    for file in ["live_simple", "multiple", "simple_python"] {
        let text = fs::read_to_string(folder.join(file).with_extension("jsonl")).unwrap();
        cases.extend(
            text.lines()
                .map(|line| serde_json::from_str::<Case>(line).unwrap()),
        );
    }
    cases
}

/// Returns what the model reads of an outcome, its repairs, and true for a success.
fn verdict(outcome: &ToolOutcome) -> (String, String, bool) {
    let result = outcome.result();
    let repairs = result.repairs().iter().map(ToString::to_string);
    let repairs: Vec<_> = repairs.collect();
    (outcome.text(), repairs.join("\n"), outcome.is_success())
}

#[tokio::test]
async fn the_verdict_of_a_call_is_the_same_in_each_envelope() {
    let (mut refused, mut runs) = (0, 0);
    let cases = cases();
    assert_eq!(cases.len(), 858);
    for case in &cases {
        let Definition {
            name,
            description,
            parameters,
        } = &case.tool;
        let name = ToolName::new(name.clone())
            .or_else(|_| ToolName::new("tool"))
            .unwrap();
        let spec = ToolSpec::new(name.clone(), description.clone())
            .with_input_schema(parameters.clone())
            .with_effect(Effect::Pure);
        let echo = tool_fn(spec, async |arguments: Value, _: ToolContext| {
            Ok::<_, ToolError>(arguments)
        });
        let executor = Executor::new(ToolRegistry::new().with(echo)).unwrap();
        let arguments = case.arguments.get();
        let plain = verdict(&executor.call(name.as_str(), arguments.to_owned()).await);
        refused += usize::from(!plain.2);
        for api in Api::ALL {
            // Twice in one message, as parallel calls.
            let calls = [
                ("call_1", name.as_str(), arguments),
                ("call_2", name.as_str(), arguments),
            ];
            let body = envelope(api, &calls);
            let message = AssistantMessage::read(api, &body).unwrap();
            let calls = message.calls().iter();
            let calls = calls.map(|call| {
                assert_eq!(call.refusal(), None, "{}", case.id);
                // As it was written, and not only the same value.
                assert_eq!(call.arguments(), arguments, "{}", case.id);
                ToolCall::new(call.name(), call.arguments()).with_id(call.id())
            });
            let outcomes = executor.session("s-1").turn().call_all(calls).await;
            assert_eq!(outcomes.len(), 2);
            for outcome in &outcomes {
                assert_eq!(verdict(outcome), plain, "{api} {}", case.id);
                runs += 1;
            }
        }
    }
    // The four whose ground truth breaks its own definition; see `tests/data/bfcl/refused.md`.
    assert_eq!((refused, runs), (4, 858 * 5 * 2));
}

/// Arguments that are no object, and text that is no JSON: the text for the model is that of a plain call.
#[tokio::test]
async fn broken_arguments_are_told_as_those_of_a_plain_call() {
    let spec = ToolSpec::new(ToolName::new("echo").unwrap(), "Give back a number.")
        .with_input_schema(serde_json::json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}))
        .with_effect(Effect::Pure);
    let echo = tool_fn(spec, async |arguments: Value, _: ToolContext| {
        Ok::<_, ToolError>(arguments)
    });
    let executor = Executor::new(ToolRegistry::new().with(echo)).unwrap();
    for arguments in [
        "",
        "null",
        "[]",
        "[1]",
        "7",
        "true",
        r#""text""#,
        r#""{\"n\": 1}""#,
        "{}",
        r#"{"n":"1"}"#,
        r#"{"n":1e400}"#,
        r#"{"n":1,"n":2}"#,
        r#"{"n":18446744073709551615}"#,
        "{\"n\":\n 1 }",
        r#"{"m":1}"#,
    ] {
        let plain = verdict(&executor.call("echo", arguments.to_owned()).await);
        for api in Api::ALL {
            // Empty text is text: only the APIs with arguments as text have it.
            if arguments.is_empty() && matches!(api, Api::Anthropic | Api::Gemini) {
                continue;
            }
            let body = envelope(api, &[("call_1", "echo", arguments)]);
            let message = AssistantMessage::read(api, &body).unwrap();
            let [call] = message.calls() else {
                panic!("{body}")
            };
            let told = verdict(&executor.call("echo", call.arguments().to_owned()).await);
            assert_eq!(told, plain, "{api} {arguments}");
        }
    }
    // Text that is no JSON can only come as text.
    for arguments in [
        "{",
        "{\"n\": 1",
        "n = 1",
        "{'n': 1}",
        "{\"n\": 1,}",
        "\u{0}",
        "ä",
    ] {
        let plain = verdict(&executor.call("echo", arguments.to_owned()).await);
        for api in [Api::OpenAiChat, Api::OpenAiResponses, Api::Compatible] {
            let body = envelope(api, &[("call_1", "echo", arguments)]);
            let message = AssistantMessage::read(api, &body).unwrap();
            let told = verdict(
                &executor
                    .call("echo", message.calls()[0].arguments().to_owned())
                    .await,
            );
            assert_eq!(told, plain, "{api} {arguments}");
        }
    }
}
