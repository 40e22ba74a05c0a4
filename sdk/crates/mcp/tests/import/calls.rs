//! Calls of imported tools: arguments, results, progress, cancellation.

use rmcp::model::{CallToolRequestParams, ProgressNotificationParam};
use serde_json::json;
use toolwright::content::ErrorKind;
use toolwright::{Content, ToolRegistry};
use toolwright_mcp::client::ImportOptions;

use crate::fake::{Fake, definition, plain, result, said};

fn search() -> rmcp::model::Tool {
    definition(json!({
        "name": "search",
        "title": "Search",
        "description": "Searches.",
        "inputSchema": {
            "type": "object",
            "properties": {"text": {"type": "string"}, "limit": {"type": "integer", "minimum": 1}},
            "required": ["text"],
            "additionalProperties": false,
            "x-vendor": {"kept": [1, 2.5]}
        }
    }))
}

#[tokio::test]
async fn s3_54_a_tool_is_listed_and_called_under_the_name_of_its_server() {
    let fake = Fake::new(vec![search()], async |params: CallToolRequestParams, _| {
        said(format!("{:?}", params.arguments.unwrap()["text"]))
    });
    let (executor, imported) = fake.executor().await;
    let tools = executor.tools();
    let spec = tools.get("fake.search").unwrap().spec();
    assert_eq!(spec.title(), Some("Search"));
    assert_eq!(spec.description(), "Searches.");
    assert_eq!(tools.server_of("fake.search"), Some("fake"));
    assert!(imported.skipped().is_empty() && imported.drift().is_empty());
    let outcome = executor.call("fake.search", r#"{"text": "a"}"#).await;
    assert_eq!(outcome.text(), "String(\"a\")");
    let calls = fake.calls();
    assert_eq!(calls.len(), 1);
    assert_eq!(calls[0].name, "search");
    assert_eq!(
        calls[0].arguments.clone().map(Into::into),
        Some(json!({"text": "a"}))
    );
    // No key of ours has left this process.
    let meta = calls[0].meta.clone().unwrap_or_default();
    assert!(
        meta.keys().all(|key| !key.starts_with("toolwright")),
        "{meta:?}"
    );
}

#[tokio::test]
async fn s3_14_arguments_that_break_the_schema_are_not_sent() {
    let fake = Fake::parrot(vec![search()]);
    let (executor, _imported) = fake.executor().await;
    for wrong in [
        "{}",
        r#"{"text": 5.5}"#,
        r#"{"text": "a", "limit": 0}"#,
        r#"{"text": "a", "more": 1}"#,
        "[]",
    ] {
        let result = executor.call("fake.search", wrong).await.into_result();
        let kind = result.error().map(toolwright::ToolError::kind);
        assert_eq!(kind, Some(ErrorKind::InvalidArguments), "{wrong}");
    }
    assert!(fake.calls().is_empty());
}

#[tokio::test]
async fn a_schema_is_kept_with_keywords_that_nobody_knows() {
    let fake = Fake::parrot(vec![search()]);
    let text = async || {
        let (executor, _imported) = fake.executor().await;
        executor
            .tools()
            .get("fake.search")
            .unwrap()
            .spec()
            .input_schema_text()
    };
    let first = text().await;
    assert_eq!(first, text().await);
    let kept: serde_json::Value = serde_json::from_str(&first).unwrap();
    let canonical = |value| serde_json_canonicalizer::to_string(value).unwrap();
    assert_eq!(
        canonical(&kept),
        canonical(&search().schema_as_json_value())
    );
}

#[tokio::test]
async fn an_error_of_the_tool_is_an_error_with_its_text() {
    let fake = Fake::new(vec![plain("fail")], async |_, _| {
        let text =
            json!([{"type": "text", "text": "no such file"}, {"type": "text", "text": "try `ls`"}]);
        result(json!({"content": text, "isError": true}))
    });
    let (executor, _imported) = fake.executor().await;
    let result = executor.call("fake.fail", "{}").await.into_result();
    let error = result.error().unwrap();
    assert_eq!(error.kind(), ErrorKind::Failed);
    assert_eq!(error.message(), "no such file\ntry `ls`");
    assert_eq!(result.text(), "no such file\ntry `ls`");
}

#[tokio::test]
async fn each_kind_of_content_is_kept_as_far_as_it_can_be() {
    let fake = Fake::new(vec![plain("all")], async |_, _| {
        result(json!({
            "content": [
                {"type": "text", "text": "hello"},
                {"type": "image", "data": "AAH/", "mimeType": "image/png"},
                {"type": "image", "data": "*", "mimeType": "image/png"},
                {"type": "audio", "data": "AAH/", "mimeType": "audio/wav"},
                {"type": "resource_link", "uri": "file:///a", "name": "a", "mimeType": "text/plain"},
                {"type": "resource", "resource": {"uri": "file:///b", "text": "inside", "mimeType": "text/x"}},
                {"type": "resource", "resource": {"uri": "file:///c", "blob": "AAH/", "mimeType": "image/gif"}},
                {"type": "resource", "resource": {"uri": "file:///d", "blob": "AAH/"}}
            ],
            "_meta": {"a": 1}
        }))
    });
    let (executor, _imported) = fake.executor().await;
    let result = executor.call("fake.all", "{}").await.into_result();
    let parts = serde_json::to_value(result.content()).unwrap();
    assert_eq!(
        parts,
        json!([
            {"type": "text", "text": "hello"},
            {"type": "image", "data": "AAH/", "media_type": "image/png"},
            {"type": "text", "text": "[an image, image/png, which is not valid base64]"},
            {"type": "audio", "data": "AAH/", "media_type": "audio/wav"},
            {"type": "resource_link", "uri": "file:///a", "name": "a", "media_type": "text/plain"},
            {"type": "embedded", "uri": "file:///b", "text": "inside", "media_type": "text/x"},
            {"type": "embedded", "uri": "file:///c", "data": "AAH/", "media_type": "image/gif"},
            {"type": "embedded", "uri": "file:///d", "data": "AAH/"},
        ])
    );
    let metadata = result.metadata().unwrap();
    assert_eq!(metadata["mcp._meta"], json!({"a": 1}));
}

#[tokio::test]
async fn structured_content_is_one_part_beside_other_text() {
    let fake = Fake::new(vec![plain("data")], async |_, _| {
        let blocks = json!([
            {"type": "text", "text": "{\"b\": 1, \"a\": [2]}"},
            {"type": "text", "text": "one row"}
        ]);
        result(json!({"content": blocks, "structuredContent": {"a": [2], "b": 1}}))
    });
    let (executor, _imported) = fake.executor().await;
    let result = executor.call("fake.data", "{}").await.into_result();
    assert_eq!(result.content().len(), 2);
    let Content::Json { json, .. } = &result.content()[0] else {
        panic!("{:?}", result.content());
    };
    assert_eq!(json.to_value().unwrap(), json!({"a": [2], "b": 1}));
    assert_eq!(result.content()[1].as_text(), Some("one row"));
}

#[tokio::test]
async fn an_error_of_the_protocol_is_an_error_with_its_text() {
    let fake = Fake::new(vec![plain("odd")], async |_, _| {
        Err(rmcp::ErrorData::invalid_params(
            "the disk\nis full\u{1b}[2K",
            None,
        ))
    });
    let (executor, _imported) = fake.executor().await;
    let result = executor.call("fake.odd", "{}").await.into_result();
    assert_eq!(
        result.error().unwrap().message(),
        r"the MCP server `fake` refused the call: the disk\u{a}is full\u{1b}[2K"
    );
}

#[tokio::test]
async fn two_servers_may_have_tools_of_one_name() {
    let one = Fake::new(vec![plain("go")], async |_, _| said("one"));
    let two = Fake::new(vec![plain("go")], async |_, _| said("two"));
    let (one, two) = (
        one.imported(ImportOptions::new()).await,
        two.imported(ImportOptions::new()).await,
    );
    let registry = ToolRegistry::new()
        .with_server("one", one.registry())
        .with_server("two", two.registry());
    let executor = toolwright::Executor::builder(registry)
        .permission_checker(toolwright::permission::AllowAll)
        .build()
        .unwrap();
    assert_eq!(executor.call("one.go", "{}").await.text(), "one");
    assert_eq!(executor.call("two.go", "{}").await.text(), "two");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_report_of_progress_comes_before_the_result() {
    let fake = Fake::new(
        vec![plain("work")],
        async |_, context: crate::fake::Context| {
            let token = context.meta.get_progress_token().unwrap();
            for done in 1..=100 {
                let report = ProgressNotificationParam::new(token.clone(), f64::from(done))
                    .with_total(100.0)
                    .with_message(format!("{done}"));
                context.peer.notify_progress(report).await.unwrap();
            }
            said("done")
        },
    );
    let imported = fake.imported(ImportOptions::new()).await;
    let seen = toolwright::event::MemoryEvents::new(1_000);
    let registry = ToolRegistry::new().with_server("fake", imported.registry());
    let executor = toolwright::Executor::builder(registry)
        .permission_checker(toolwright::permission::AllowAll)
        .events(seen.clone())
        .build()
        .unwrap();
    assert!(executor.call("fake.work", "{}").await.is_success());
    let reports: Vec<String> = seen
        .events()
        .into_iter()
        .filter_map(|event| match event.kind() {
            toolwright::event::EventKind::Progress {
                message, fraction, ..
            } => {
                assert_eq!(*fraction, Some(message.parse::<f64>().unwrap() / 100.0));
                Some(message.clone())
            }
            _ => None,
        })
        .collect();
    let all: Vec<String> = (1..=100).map(|done| done.to_string()).collect();
    assert_eq!(reports, all);
}

#[tokio::test]
async fn s0_42_tools_of_the_program_and_of_a_server_stand_in_one_list() {
    let imported = Fake::parrot(vec![plain("go")])
        .imported(ImportOptions::new())
        .await;
    let own = toolwright::ToolSpec::new(toolwright::ToolName::new("own").unwrap(), "Is here.");
    let own = toolwright::tool_fn(own, async |_: serde_json::Value, _| {
        Ok::<_, toolwright::ToolError>("here")
    });
    let registry = ToolRegistry::new()
        .with(own)
        .with_server("fake", imported.registry());
    let executor = toolwright::Executor::builder(registry)
        .permission_checker(toolwright::permission::AllowAll)
        .build()
        .unwrap();
    let tools = executor.tools();
    let names: Vec<&str> = tools.specs().map(|spec| spec.name().as_str()).collect();
    assert_eq!(names, ["fake.go", "own"]);
    assert_eq!(executor.call("own", "{}").await.text(), "here");
    assert_eq!(executor.call("fake.go", "{}").await.text(), "go");
}
