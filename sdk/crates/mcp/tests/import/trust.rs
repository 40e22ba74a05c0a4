//! Definitions that are not believed: effects, schemas, names, sizes.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use toolwright::content::ErrorKind;
use toolwright::spec::Effect;
use toolwright::{Executor, ToolError, ToolRegistry};
use toolwright_mcp::client::{ANNOTATIONS, ImportOptions, ImportedServer};

use crate::fake::{Fake, definition, plain};

fn hinted(name: &str, annotations: &Value) -> rmcp::model::Tool {
    definition(json!({
        "name": name, "description": "Reads.", "inputSchema": {"type": "object"}, "annotations": annotations
    }))
}

fn unattended(imported: &ImportedServer) -> Executor {
    Executor::new(ToolRegistry::new().with_server("fake", imported.registry())).unwrap()
}

#[tokio::test]
async fn an_effect_is_believed_only_if_the_host_says_so() {
    let read_only = json!({"readOnlyHint": true, "idempotentHint": true, "destructiveHint": false});
    let fake = Fake::parrot(vec![
        hinted("read", &read_only),
        hinted("twice", &json!({"idempotentHint": true})),
        hinted(
            "drop",
            &json!({"destructiveHint": true, "openWorldHint": true}),
        ),
    ]);
    let untrusted = fake.imported(ImportOptions::new()).await;
    let executor = unattended(&untrusted);
    let result = executor.call("fake.read", "{}").await.into_result();
    assert_eq!(result.error().map(ToolError::kind), Some(ErrorKind::Denied));
    assert!(fake.calls().is_empty());
    let tools = executor.tools();
    let spec = |name| tools.get(name).unwrap().spec();
    for name in ["fake.read", "fake.twice", "fake.drop"] {
        assert_eq!(spec(name).effect(), Effect::AtMostOnce);
        // Rules of a policy may go by the hints too.
        assert!(
            !spec(name).annotations().is_read_only() && !spec(name).annotations().is_idempotent()
        );
    }
    assert!(spec("fake.drop").annotations().is_destructive());
    assert!(spec("fake.drop").annotations().is_open_world());
    assert_eq!(spec("fake.read").metadata()[ANNOTATIONS], read_only);

    let trusted = fake
        .imported(ImportOptions::new().trust_annotations(true))
        .await;
    let executor = unattended(&trusted);
    assert!(executor.call("fake.read", "{}").await.is_success());
    let tools = executor.tools();
    assert_eq!(
        tools.get("fake.twice").unwrap().spec().effect(),
        Effect::Idempotent
    );
    let result = executor.call("fake.drop", "{}").await.into_result();
    assert_eq!(result.error().map(ToolError::kind), Some(ErrorKind::Denied));
}

#[tokio::test]
async fn a_schema_elsewhere_is_never_fetched() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    tokio::spawn(async move {
        while listener.accept().await.is_ok() {
            counted.fetch_add(1, Ordering::SeqCst);
        }
    });
    let elsewhere = json!({"$ref": format!("http://{address}/user.json")});
    let of = |name: &str, schema: Value| {
        definition(json!({"name": name, "description": "Looks.", "inputSchema": schema}))
    };
    let fake = Fake::parrot(vec![
        plain("near"),
        of(
            "far",
            json!({"type": "object", "properties": {"user": elsewhere}}),
        ),
        of(
            "file",
            json!({"type": "object", "properties": {"user": {"$ref": "file:///etc/passwd"}}}),
        ),
        definition(json!({
            "name": "out", "description": "Looks.", "inputSchema": {"type": "object"},
            "outputSchema": {"type": "object", "properties": {"user": elsewhere}}
        })),
    ]);
    let imported = fake.imported(ImportOptions::new()).await;
    let executor = unattended(&imported);
    let skipped = imported.skipped();
    let names: Vec<&str> = skipped.iter().map(|tool| &*tool.name).collect();
    assert!(names.starts_with(&["far", "file"]), "{skipped:?}");
    assert!(
        skipped[0].reason.contains(&address.to_string()),
        "{skipped:?}"
    );
    assert!(executor.tools().get("fake.near").is_some());
    let _ = executor.call("fake.out", "{}").await;
    assert_eq!(count.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn what_cannot_be_a_tool_is_left_out_with_the_reason() {
    let long = "x".repeat(130);
    let mut tools = vec![
        plain("good"),
        plain("bad name"),
        plain("evil\u{1b}[2K\nname"),
        plain(""),
        plain(&long),
        plain("good"),
        definition(json!({"name": "broken", "inputSchema": {"type": "objet"}})),
        definition(
            json!({"name": "huge", "description": "y".repeat(5_000), "inputSchema": {"type": "object"}}),
        ),
    ];
    tools.extend((0..20).map(|number| plain(&format!("zz{number:02}"))));
    let mut fake = Fake::parrot(tools);
    fake.page = 3;
    let options = ImportOptions::new()
        .max_definition_bytes(4_000)
        .max_tools(10);
    let imported = fake.imported(options).await;
    let registry = imported.registry();
    assert_eq!(registry.len(), 10);
    assert!(registry.contains("good") && registry.contains("zz08") && !registry.contains("zz09"));
    let skipped = imported.skipped();
    let of = |name: &str| {
        let found = skipped.iter().find(|tool| tool.name == name);
        found
            .unwrap_or_else(|| panic!("{name}: {skipped:?}"))
            .reason
            .clone()
    };
    assert_eq!(of("good"), "the server lists it twice");
    assert!(of("huge").ends_with("bytes, and the limit is 4000"));
    assert!(
        of("broken").contains("there is no such type"),
        "{}",
        of("broken")
    );
    of("bad name");
    of(r"evil\u{1b}[2K\u{a}name");
    of("");
    assert_eq!(of("zz09"), "the server has more than 10 tools");
}
