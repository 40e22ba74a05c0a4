//! `rig`, whose agent runs the calls itself.

use std::error::Error as _;
use std::sync::Arc;

use model_server::{ModelServer, Reply};
use rig::message::{DocumentSourceKind, ImageMediaType, ToolResultContent};
use rig::providers::openai::OpenAIConfig;
use rig::tool::{DynamicTool, Tool, ToolContext, ToolErrorKind, ToolExecutionError};
use serde::Deserialize;
use serde_json::{Value, json};
use toolwright::content::{Content, ErrorKind};
use toolwright::executor::WaitMode;
use toolwright::spec::Effect;
use toolwright::ticket::{Answer, TicketFilter};
use toolwright::{Executor, ToolError, ToolOutput, ToolRegistry, ToolSpec, tool, tool_fn};
use toolwright_providers::{Api, ToolList, clients};

use crate::rig_example::{ask, session};
use crate::{definitions, repeating};

#[tokio::test]
async fn a_call_several_at_once_and_one_that_is_refused_reach_the_model_again() {
    for api in [Api::OpenAiChat, Api::OpenAiResponses] {
        let server = ModelServer::start([
            Reply::text("I count.").and_call("text_count", &json!({"text": "a b c"})),
            Reply::call("text_count", &json!({"text": "a"}))
                .and_call("note_delete", &json!({"name": "n"}))
                .and_call("text_count", &json!({"words": 1})),
            Reply::text("Three and one."),
        ]);
        let config = OpenAIConfig::new("key").with_base_url(format!("{}/v1", server.url()));
        let session = Arc::new(session().unwrap());
        let client = config.client();
        let text = match api {
            Api::OpenAiChat => ask(session, api, client.chat("gpt-5"), "How many?").await,
            _ => ask(session, api, client.responses("gpt-5"), "How many?").await,
        };
        assert_eq!(text.unwrap(), "Three and one.");
        let results = server.request(3).results();
        assert_eq!(results.len(), 4);
        let parts = ["3", "1", "was denied", "Valid arguments: `text`"];
        for (result, part) in results.iter().zip(parts) {
            assert!(result.contains(part), "{api}: {result} has no {part:?}");
        }
    }
}

/// Fail.
#[tool(pure)]
fn fail() -> Result<(), ToolError> {
    Err(ToolError::failed("there is no paper")
        .with_code("no_paper")
        .with_retryable(true))
}

/// Describe a dot.
#[tool(pure)]
fn describe(size: u64) -> ToolOutput {
    let dot = json!({"id": u64::MAX, "size": size});
    let described = ToolOutput::json(&dot).unwrap();
    described
        .with(Content::image([1, 2, 3], "image/png"))
        .with(Content::text("a dot"))
}

/// Delete a note.
#[tool(destructive)]
fn delete(name: String) -> String {
    name
}

fn rig_tools() -> Vec<DynamicTool> {
    let registry = ToolRegistry::new().with(Fail).with(Describe).with(Delete);
    let session = Executor::new(registry).unwrap().session("s");
    let list = ToolList::new(Api::OpenAiResponses, &session.tools());
    clients::rig::tools(&list, Arc::new(session))
}

#[tokio::test]
async fn a_tool_of_ours_gives_rig_its_parts_and_its_errors() {
    let [delete, describe, fail] = &rig_tools()[..] else {
        panic!("three tools");
    };
    let described = describe.execute(json!({"size": 3})).await.unwrap();
    let [data, image, text] = described.as_content() else {
        panic!("{described:?}");
    };
    assert_eq!(data.as_json().unwrap(), &json!({"id": u64::MAX, "size": 3}));
    let ToolResultContent::Image(image) = image else {
        panic!("{image:?}");
    };
    assert_eq!(image.data, DocumentSourceKind::Base64("AQID".to_owned()));
    assert_eq!(image.media_type, Some(ImageMediaType::PNG));
    assert_eq!(text.as_text(), Some("a dot"));

    let error = fail.execute(json!({})).await.unwrap_err();
    assert_eq!(
        (error.code(), error.retryable()),
        (Some("no_paper"), Some(true))
    );
    assert_eq!(error.model_feedback(), Some("there is no paper"));
    let own = error.downcast_ref::<ToolError>().unwrap();
    assert_eq!(own.kind(), ErrorKind::Failed);

    let error = delete.execute(json!({"name": "n"})).await.unwrap_err();
    assert!(error.is_refusal());
    let feedback = error.model_feedback().unwrap();
    assert!(feedback.contains("`delete` was denied"), "{feedback}");

    let error = describe
        .execute(json!({"size": "large"}))
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ToolErrorKind::InvalidArgs);
    let feedback = error.model_feedback().unwrap();
    assert!(feedback.contains("size"), "{feedback}");
}

#[tokio::test]
async fn a_strict_null_is_an_absent_argument() {
    let session = repeating();
    let list = ToolList::new(Api::OpenAiChat, &session.tools());
    let tools = clients::rig::tools(&list, Arc::new(session));
    let repeated = tools[0]
        .execute(json!({"word": null, "times": null}))
        .await
        .unwrap();
    assert_eq!(repeated.as_text(), Some("nothingnothing"));
}

#[tokio::test]
async fn a_call_that_waits_is_a_note_for_rig_and_a_ticket_for_the_app() {
    let builder = Executor::builder(ToolRegistry::new().with(Delete));
    let executor = builder.approvals(WaitMode::Suspending).build().unwrap();
    let session = Arc::new(executor.session("s"));
    let list = ToolList::new(Api::OpenAiChat, &session.tools());
    let tools = clients::rig::tools(&list, session.clone());
    let note = tools[0].execute(json!({"name": "n"})).await.unwrap();
    assert!(note.as_text().unwrap().contains("wait"), "{note:?}");
    let waiting = executor
        .tickets()
        .list(&TicketFilter::default())
        .await
        .unwrap();
    let outcome = session
        .resume(waiting[0].ticket(), Answer::yes())
        .await
        .unwrap();
    assert_eq!(outcome.text(), "n");
}

/// A tool of `rig`: what it is told to do.
struct Act;

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Arguments {
    Fail(ToolErrorKind),
    Show(Vec<String>),
    Panic(bool),
}

#[derive(Debug, thiserror::Error)]
#[error("key 1234 is not known")]
struct Secret(ToolErrorKind);

impl Tool for Act {
    const NAME: &'static str = "act";
    type Args = Arguments;
    type Output = Vec<ToolResultContent>;
    type Error = Secret;

    fn description(&self) -> String {
        "Act.".to_owned()
    }

    fn parameters(&self) -> Value {
        json!({"type": "object", "properties": {
            "fail": {"type": "string"},
            "panic": {"type": "boolean"},
            "show": {"type": "array", "items": {"type": "string"}, "minItems": 1},
        }})
    }

    fn map_error(&self, error: Secret) -> ToolExecutionError {
        let mapped = ToolExecutionError::new(error.0, error.to_string());
        mapped
            .with_model_feedback("no such key")
            .with_code("key")
            .with_source(error)
    }

    async fn call(
        &self,
        _: &mut ToolContext,
        arguments: Arguments,
    ) -> Result<Vec<ToolResultContent>, Secret> {
        match arguments {
            Arguments::Fail(kind) => Err(Secret(kind)),
            Arguments::Show(parts) => Ok(parts.iter().map(|part| part_of(part)).collect()),
            Arguments::Panic(_) => panic!("as it was told"),
        }
    }
}

fn part_of(part: &str) -> ToolResultContent {
    match part {
        "data" => ToolResultContent::json(json!({"id": u64::MAX})),
        "bytes" => ToolResultContent::image_raw([1, 2, 3], Some(ImageMediaType::PNG), None),
        "base64" => ToolResultContent::image_base64("AQID", None, None),
        "broken" => ToolResultContent::image_base64("?", None, None),
        "url" => ToolResultContent::image_url("https://example.org/dot.png", None, None),
        text => ToolResultContent::text(text),
    }
}

#[tokio::test]
async fn a_tool_of_rig_is_a_tool_of_ours() {
    let act = clients::rig::from_tool(Act, |spec| spec.with_effect(Effect::Pure)).unwrap();
    let executor = Executor::new(ToolRegistry::new().with(act)).unwrap();
    let parts = json!({"show": ["text", "data", "bytes", "base64", "broken", "url"]});
    let shown = executor.call("act", parts).await;
    let [text, data, bytes, base64, broken, url] = shown.result().content() else {
        panic!("{shown:?}");
    };
    assert_eq!(*text, Content::text("text"));
    assert_eq!(*data, Content::json(&json!({"id": u64::MAX})).unwrap());
    assert_eq!(*bytes, Content::image([1, 2, 3], "image/png"));
    assert_eq!(
        *base64,
        Content::image([1, 2, 3], "application/octet-stream")
    );
    assert!(broken.as_text().unwrap().contains("cannot be shown"));
    assert_eq!(
        *url,
        Content::resource_link("https://example.org/dot.png", "image")
    );

    let failed = executor.call("act", json!({"fail": "network"})).await;
    let error = failed.error().unwrap();
    assert_eq!(
        (error.kind(), error.code()),
        (ErrorKind::Unavailable, "key")
    );
    assert_eq!(error.message(), "no such key");
    let source = error.source().unwrap();
    assert_eq!(source.to_string(), "key 1234 is not known");
    assert!(source.source().unwrap().is::<Secret>());

    // By its schema, and by its type.
    for refused in [json!({"show": []}), json!({"fail": "unheard of"})] {
        let refused = executor.call("act", refused).await;
        assert_eq!(refused.error().unwrap().kind(), ErrorKind::InvalidArguments);
    }
    let panicked = executor.call("act", json!({"panic": true})).await;
    assert_eq!(panicked.error().unwrap().kind(), ErrorKind::Panicked);
}

#[tokio::test]
async fn a_tool_goes_there_and_back() {
    let act = clients::rig::from_tool(Act, |spec| spec.with_effect(Effect::Pure)).unwrap();
    let session = Executor::new(ToolRegistry::new().with(act))
        .unwrap()
        .session("s");
    let list = ToolList::new(Api::Compatible, &session.tools());
    let again = clients::rig::tools(&list, Arc::new(session));
    let definition = again[0].definition();
    assert_eq!(definition.name, Act::NAME);
    assert_eq!(definition.description, Act.description());
    assert_eq!(definition.parameters, Act.parameters());
    let error = again[0]
        .execute(json!({"fail": "permission_denied"}))
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ToolErrorKind::PermissionDenied);
    assert_eq!(error.model_feedback(), Some("no such key"));
}

/// `rig` has the strict mode of a model change the schemas of all its tools. Those of a server in the field, as we show
/// them, stay.
#[tokio::test]
async fn the_strict_mode_of_rig_leaves_the_schemas_as_they_are() {
    let mut registry = ToolRegistry::new();
    for (name, schema) in definitions("filesystem") {
        let spec = ToolSpec::new(name, "A tool of a server.").with_input_schema(schema);
        registry = registry.with(tool_fn(spec, async |_: Value, _| Ok::<_, ToolError>("")));
    }
    let session = Arc::new(Executor::new(registry).unwrap().session("s"));
    let list = ToolList::new(Api::OpenAiChat, &session.tools());
    let server = ModelServer::start([Reply::text("None.")]);
    let config = OpenAIConfig::new("key").with_base_url(format!("{}/v1", server.url()));
    let mut model = config.client().chat("gpt-5");
    model.wire = model.wire.with_strict_tools();
    ask(session, Api::OpenAiChat, model, "Hm?").await.unwrap();
    let own: Vec<Value> = serde_json::from_str(list.as_str()).unwrap();
    let sent = &server.request(1).body["tools"];
    assert!(own.len() > 10);
    for (own, sent) in own.iter().zip(sent.as_array().unwrap()) {
        assert_eq!(own["function"]["strict"], true, "{}", list.report());
        assert_eq!(sent, own);
    }
}
