//! Calls and their results.

use rmcp::model::ErrorCode;
use rmcp::service::ServiceError;
use serde_json::{Value, json};
use toolwright::content::{Content, ToolOutput};
use toolwright::spec::{Effect, ToolSpec};
use toolwright::tools::tool_fn;
use toolwright::{ToolContext, ToolError, ToolRegistry, tool, tool_type};
use toolwright_mcp::{rmcp, serve};

use crate::support::{Client, ERAS, Era, allowing, call, connect, text};

/// Count the characters of a text.
#[tool(pure)]
fn count(text: Option<String>) -> usize {
    text.unwrap_or_default().chars().count()
}

#[tool_type(result)]
struct Weather {
    /// In degrees.
    temperature: i32,
    place: String,
}

/// Tell the weather.
#[tool(read_only, name = "weather", struct_name = WeatherTool)]
fn weather(place: String) -> Weather {
    Weather {
        temperature: 21,
        place,
    }
}

/// Greet somebody.
#[tool(pure)]
fn greet(name: String) -> String {
    format!("Hello, {name}!")
}

/// Fail.
#[tool(pure)]
fn fail() -> Result<String, ToolError> {
    Err(ToolError::failed("the disk is full"))
}

/// Say that nothing was found.
#[tool(pure)]
fn find_nothing() -> Result<String, ToolError> {
    Err(ToolError::not_found("there is no such book"))
}

/// Show a picture, and where it is from.
#[tool(pure)]
fn picture() -> ToolOutput {
    ToolOutput::text("a dot:")
        .with(Content::image([1, 2, 3], "image/png"))
        .with(Content::resource_link("file:///dot.png", "dot.png"))
        .with(Content::audio([4], "audio/wav"))
        .with(Content::embedded_text("test://a", "text/plain", "a"))
        .with(Content::embedded_data("test://b", "image/png", [1, 2, 3]))
}

/// Tell the metadata of the call.
#[tool(pure)]
fn metadata(ctx: &ToolContext) -> ToolOutput {
    let metadata = ctx.metadata().map_or(Value::Null, |known| json!(known));
    ToolOutput::json(&metadata).unwrap_or_default()
}

/// Tell the weather at great length.
#[tool(pure)]
fn long(bytes: usize) -> Weather {
    Weather {
        temperature: 21,
        place: "x".repeat(bytes),
    }
}

/// A tool that promises a number.
fn number() -> impl toolwright::Tool {
    let spec = ToolSpec::new("number".parse().unwrap(), "Give a number.")
        .with_effect(Effect::Pure)
        .with_output_schema(json!({"type": "integer"}));
    tool_fn(spec, async |_: Value, _| Ok::<_, String>(json!(3)))
}

fn registry() -> ToolRegistry {
    ToolRegistry::new()
        .with(Count)
        .with(WeatherTool)
        .with(Greet)
        .with(Fail)
        .with(FindNothing)
        .with(Picture)
        .with(Metadata)
        .with(Long)
        .with(number())
}

#[tokio::test]
async fn results_of_calls_come_as_the_protocol_writes_them() {
    for era in ERAS {
        let server = serve(allowing(registry()).build().unwrap());
        let connected = connect(server, Client::new(), era).await;
        let greeting = connected.call("greet", json!({"name": "Ada"})).await;
        assert_eq!(text(&greeting), "Hello, Ada!");
        assert_eq!(greeting.is_error, Some(false));

        let told = connected.call("weather", json!({"place": "Graz"})).await;
        let wanted = json!({"temperature": 21, "place": "Graz"});
        assert_eq!(told.structured_content, Some(wanted.clone()));
        assert_eq!(serde_json::from_str::<Value>(&text(&told)).unwrap(), wanted);

        let shown = connected.call("picture", json!({})).await;
        assert_eq!(shown.content[0].as_text().unwrap().text, "a dot:");
        let image = shown.content[1].as_image().unwrap();
        assert_eq!(
            (image.data.as_str(), image.mime_type.as_str()),
            ("AQID", "image/png")
        );
        let link = shown.content[2].as_resource_link().unwrap();
        assert_eq!(
            (link.uri.as_str(), link.name.as_str()),
            ("file:///dot.png", "dot.png")
        );
        let rest = serde_json::to_value(&shown.content[3..]).unwrap();
        let wanted = json!([
            {"type": "audio", "data": "BA==", "mimeType": "audio/wav"},
            {"type": "resource", "resource": {"uri": "test://a", "mimeType": "text/plain", "text": "a"}},
            {"type": "resource", "resource": {"uri": "test://b", "mimeType": "image/png", "blob": "AQID"}},
        ]);
        assert_eq!(rest, wanted);
        assert_eq!(shown.structured_content, None);
        connected.leave().await;
    }
}

#[tokio::test]
async fn a_structure_that_is_no_object_is_for_clients_of_the_stateless_era() {
    for (era, wanted) in [(Era::Stateful, None), (Era::Stateless, Some(json!(3)))] {
        let server = serve(allowing(registry()).build().unwrap());
        let connected = connect(server, Client::new(), era).await;
        let counted = connected.call("number", json!({})).await;
        assert_eq!(text(&counted), "3");
        assert_eq!(counted.structured_content, wanted, "{era:?}");
        assert_eq!(counted.is_error, Some(false));
        connected.leave().await;
    }
}

#[tokio::test]
async fn a_failure_is_a_result_and_a_tool_that_does_not_exist_is_none() {
    for era in ERAS {
        let server = serve(allowing(registry()).build().unwrap());
        let connected = connect(server, Client::new(), era).await;
        let failed = connected.call("fail", json!({})).await;
        assert_eq!(failed.is_error, Some(true));
        assert!(text(&failed).contains("the disk is full"));
        // An error of the tool that says the same is a result.
        let failed = connected.call("find_nothing", json!({})).await;
        assert_eq!(failed.is_error, Some(true));

        let refused = connected.call("greet", json!({"nam": 1})).await;
        assert_eq!(refused.is_error, Some(true));
        assert!(text(&refused).contains("name"), "{}", text(&refused));

        let error = connected
            .client
            .call_tool(call("gret", json!({})))
            .await
            .unwrap_err();
        let ServiceError::McpError(error) = error else {
            panic!("{error:?}");
        };
        assert_eq!(error.code, ErrorCode::INVALID_PARAMS);
        assert!(error.message.contains("greet"), "{}", error.message);
        connected.leave().await;
    }
}

#[tokio::test]
async fn absent_arguments_are_an_empty_object() {
    for era in ERAS {
        let server = serve(allowing(registry()).build().unwrap());
        let connected = connect(server, Client::new(), era).await;
        let counted = connected.call("count", Value::Null).await;
        assert_eq!(text(&counted), "0");
        let refused = connected.call("greet", Value::Null).await;
        assert_eq!(refused.is_error, Some(true));
        connected.leave().await;
    }
}

#[tokio::test]
async fn trace_context_reaches_the_tool_as_it_comes() {
    for era in ERAS {
        let server = serve(allowing(registry()).build().unwrap());
        let connected = connect(server, Client::new(), era).await;
        let mut request = call("metadata", json!({}));
        let parent = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";
        let meta =
            json!({"traceparent": parent, "tracestate": "a=b", "baggage": "c=d", "own": {"x": 1}});
        request.meta = Some(serde_json::from_value(meta).unwrap());
        let told = connected.client.call_tool(request).await.unwrap();
        let told: Value = serde_json::from_str(&text(&told)).unwrap();
        assert_eq!(told["traceparent"], parent);
        assert_eq!(
            (&told["tracestate"], &told["baggage"]),
            (&json!("a=b"), &json!("c=d"))
        );
        assert_eq!(told["own"], json!({"x": 1}));
        assert!(told["io.modelcontextprotocol/clientCapabilities"]["elicitation"].is_object());
        connected.leave().await;
    }
}

#[tokio::test]
async fn what_is_cut_is_no_success_without_the_structure() {
    let server = serve(allowing(registry()).build().unwrap());
    let connected = connect(server, Client::new(), Era::Stateless).await;
    let cut = connected.call("long", json!({"bytes": 200_000})).await;
    assert_eq!(cut.structured_content, None);
    assert_eq!(cut.is_error, Some(true));
    assert!(text(&cut).len() < 70_000);
    connected.leave().await;
}

#[tokio::test]
async fn a_thousand_calls_of_one_connection_run_at_a_time() {
    for era in ERAS {
        let server = serve(allowing(registry()).build().unwrap());
        let connected = connect(server, Client::new(), era).await;
        let calls = (0..1000).map(|number| {
            let name = "x".repeat(number % 7);
            let request = call("greet", json!({"name": format!("{name}{number}")}));
            let peer = connected.client.peer().clone();
            tokio::spawn(async move { (number, name, peer.call_tool_once(request).await.unwrap()) })
        });
        for answered in calls.collect::<Vec<_>>() {
            let (number, name, response) = answered.await.unwrap();
            let rmcp::model::CallToolResponse::Complete(result) = response else {
                panic!("{response:?}");
            };
            assert_eq!(text(&result), format!("Hello, {name}{number}!"));
        }
        connected.leave().await;
    }
}
