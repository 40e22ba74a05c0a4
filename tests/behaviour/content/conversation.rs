//! A model that is a few lines of code, and what its requests hold.

use serde::Serialize;
use serde_json::{Value, json};
use toolwright::{Executor, ToolCall, ToolOutput, ToolRegistry, ToolResult, tool};

#[derive(Serialize)]
struct Forecast {
    city: String,
    degrees: f64,
}

/// Tell tomorrow's weather in a city.
#[tool(
    name = "weather.forecast",
    read_only,
    register = false,
    struct_name = ForecastTool
)]
fn forecast(
    /// The city's name in English.
    city: String,
) -> Result<ToolOutput, Box<dyn std::error::Error + Send + Sync>> {
    if city == "Atlantis" {
        return Err("there is no station in Atlantis".into());
    }
    let data = Forecast {
        city,
        degrees: 21.5,
    };
    Ok(ToolOutput::message(&data, "It will be warm.")?)
}

/// A request as a provider takes it: tools and messages, and nothing else reaches the model.
fn request(executor: &Executor, messages: &[Value]) -> Value {
    let snapshot = executor.tools();
    let tools: Vec<Value> = snapshot
        .specs()
        .map(|spec| {
            json!({
                "name": snapshot.wire_name(spec.name().as_str()),
                "description": spec.description(),
                "input_schema": spec.input_schema(),
            })
        })
        .collect();
    json!({ "tools": tools, "messages": messages })
}

fn tool_result(result: &ToolResult) -> Value {
    json!({
        "role": "user",
        "content": [{
            "type": "tool_result",
            "tool_use_id": result.call_id(),
            "is_error": result.is_error(),
            "content": result.text(),
        }],
    })
}

/// Calls the first tool that takes a city, and then repeats what it was told.
struct FakeModel {
    city: &'static str,
    requests: Vec<Value>,
}

impl FakeModel {
    fn answer(&mut self, request: Value) -> Value {
        let last = request["messages"]
            .as_array()
            .and_then(|all| all.last())
            .cloned();
        let told = last.filter(|message| message["content"][0]["type"] == "tool_result");
        let answer = if let Some(told) = told {
            json!({ "type": "text", "text": told["content"][0]["content"] })
        } else {
            let tools = request["tools"].as_array();
            let tool = tools
                .and_then(|tools| {
                    tools
                        .iter()
                        .find(|tool| !tool["input_schema"]["properties"]["city"].is_null())
                })
                .unwrap();
            let input = json!({ "city": self.city });
            json!({ "type": "tool_use", "id": "toolu_1", "name": tool["name"], "input": input })
        };
        self.requests.push(request);
        answer
    }
}

/// Asks, runs the call that the model answers with, and asks again.
async fn converse(city: &'static str) -> (FakeModel, ToolResult, Value) {
    let executor = Executor::new(ToolRegistry::new().with(ForecastTool)).unwrap();
    let session = executor.session("conversation");
    let mut model = FakeModel {
        city,
        requests: Vec::new(),
    };
    let question = json!({ "role": "user", "content": "What is the weather like?" });
    let block = model.answer(request(&executor, std::slice::from_ref(&question)));
    let call = ToolCall::new(block["name"].as_str().unwrap(), &block["input"])
        .with_id(block["id"].as_str().unwrap());
    let result = session.call(call).await.into_result();
    let messages = [
        question,
        json!({ "role": "assistant", "content": [block] }),
        tool_result(&result),
    ];
    let said = model.answer(request(&executor, &messages));
    (model, result, said)
}

#[tokio::test]
async fn s4_08_a_registered_tool_is_in_the_request_to_the_model() {
    let (model, result, _) = converse("Oslo").await;
    for request in &model.requests {
        assert_eq!(
            request["tools"],
            json!([{
                "name": "weather_forecast",
                "description": "Tell tomorrow's weather in a city.",
                "input_schema": {
                    "type": "object",
                    "properties": {
                        "city": {
                            "type": "string",
                            "description": "The city's name in English.",
                        },
                    },
                    "required": ["city"],
                    "additionalProperties": false,
                },
            }])
        );
    }
    // The arguments that the model made from that request led to the tool.
    assert!(result.is_success(), "{}", result.text());
    assert_eq!(result.tool(), "weather.forecast");
}

#[tokio::test]
async fn s4_12_the_next_request_holds_the_error() {
    let (model, result, said) = converse("Atlantis").await;
    assert!(result.is_error());
    let [_, next] = &model.requests[..] else {
        panic!("{:?}", model.requests);
    };
    let block = &next["messages"][2]["content"][0];
    assert_eq!(block["tool_use_id"], "toolu_1");
    assert_eq!(block["is_error"], true);
    assert_eq!(block["content"], "there is no station in Atlantis");
    assert_eq!(said["text"], "there is no station in Atlantis");
}

#[tokio::test]
async fn s4_13_the_model_sees_the_data_and_the_message() {
    let (model, result, said) = converse("Oslo").await;
    assert!(result.is_success());
    let expected = "{\"city\":\"Oslo\",\"degrees\":21.5}\nIt will be warm.";
    assert_eq!(
        model.requests[1]["messages"][2]["content"][0]["content"],
        expected
    );
    assert_eq!(said["text"], expected);
}
