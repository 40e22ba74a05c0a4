//! Every other form runs, through a toolwright that only `facade` brings.

#![allow(
    clippy::unwrap_used,
    reason = "clippy.toml allows it in test functions, and here the rest helps those"
)]

use std::sync::Arc;
use std::time::Duration;

use facade::toolwright::content::ErrorKind;
use facade::toolwright::permission::AllowAll;
use facade::toolwright::spec::{Determinism, Effect};
use facade::toolwright::tools::TypedTool;
use facade::toolwright::{
    Content, Executor, RunTool, ToolEnum, ToolError, ToolOutcome, ToolRegistry, testing,
};
use facade_user::keys::{Clock, Count, Stamp, Wall};
use facade_user::methods::{Finding, Shelf};
use facade_user::structs::{Deed, Now, ReadFile, Root};
use facade_user::types::Search;

fn refused(outcome: &ToolOutcome, what: &str) {
    let kind = outcome.error().map(ToolError::kind);
    assert_eq!(kind, Some(ErrorKind::InvalidArguments), "{what}");
}

#[tokio::test]
async fn keys_say_more_of_a_tool() {
    let registry = ToolRegistry::new().with(Count).with(Stamp);
    let missing = Executor::builder(registry.clone())
        .resource(Wall::default())
        .build()
        .unwrap_err();
    assert!(missing.to_string().contains("Clock"), "{missing}");

    let spec = registry.get("count").unwrap().spec();
    assert_eq!(spec.effect(), Effect::Pure);
    assert_eq!(spec.determinism(), Determinism::Deterministic);
    assert_eq!(spec.timeout(), Some(Duration::from_secs(5)));
    let schema = spec.input_schema();
    assert_eq!(schema["properties"]["from"]["examples"][0], 7);
    assert_eq!(schema["examples"][1]["to"], 2);
    assert!(registry.lint().is_empty(), "{:?}", registry.lint());

    let executor = Executor::builder(registry)
        .resource(Wall::default())
        .resource(Clock(12))
        .permission_checker(AllowAll)
        .grant_capability("cpu:use:*")
        .build()
        .unwrap();
    let counted = executor.call("count", r#"{"until": 3}"#).await;
    assert_eq!(counted.text(), "[1,2,3]");
    let backwards = executor.call("count", r#"{"from": 4, "to": 3}"#).await;
    refused(&backwards, "it is judged as a whole");
    assert!(backwards.text().contains("4 comes after 3"));
    let stamped = executor.call("stamp", r#"{"word": "open"}"#).await;
    assert_eq!(stamped.text(), "true");
    let short = executor.call("stamp", r#"{"word": "xyz"}"#).await;
    refused(&short, "a secret is constrained too");
    assert!(!short.text().contains("xyz"), "{}", short.text());
}

#[tokio::test]
async fn methods_share_a_generic_value() {
    let shelf = Arc::new(Shelf::<&str, 2>::new("the shelf"));
    let registry = ToolRegistry::new()
        .with_set_arc(Arc::clone(&shelf))
        .with_part(Finding, shelf);
    let put = r#"{"thing": "cup", "number": 3}"#;

    let careful = Executor::new(registry.clone()).unwrap();
    let denied = careful.call("shelf.put", put).await;
    let kind = denied.error().map(ToolError::kind);
    assert_eq!(kind, Some(ErrorKind::Denied));

    let executor = Executor::builder(registry)
        .permission_checker(AllowAll)
        .build()
        .unwrap();
    assert_eq!(executor.call("shelf.add", put).await.text(), "1");
    let full = r#"{"thing": "pot"}"#;
    assert_eq!(executor.call("shelf.put", full).await.text(), "2");
    let full = executor.call("shelf.put", full).await;
    assert_eq!(full.text(), "the shelf is full");
    let found = executor.call("shelf.find", r#"{"thing": "cup"}"#).await;
    assert_eq!(found.text(), "3");
    assert_eq!(executor.call("shelf.room", "").await.text(), "2");
    let none = executor
        .call("shelf.put", r#"{"thing": "cup", "number": 0}"#)
        .await;
    refused(&none, "a range holds in a block too");
}

#[tokio::test]
async fn structs_are_tools_and_sets() {
    let registry = ToolRegistry::new()
        .with_type::<ReadFile>()
        .with_type::<Now>();
    let executor = Executor::builder(registry)
        .resource(Root("/srv".into()))
        .permission_checker(AllowAll)
        .build()
        .unwrap();
    let read = executor.call("cat", r#"{"path": "a"}"#).await;
    assert_eq!(read.text(), "/srv/a:1-1");
    for wrong in [
        r#"{"path": ""}"#,
        r#"{"path": "a", "lines": {"last": 0}}"#,
        r#"{"path": "a", "lines": {"first": 3, "last": 2}}"#,
    ] {
        refused(&executor.call("fs.read", wrong).await, wrong);
    }

    let context = testing::context().resource(Root("/srv".into())).build();
    let lines = r#"{"path": "a", "lines": {"last": 7}}"#;
    let read = ReadFile::from_arguments(&lines.into()).unwrap();
    assert_eq!(read.run(&context).await.unwrap(), "/srv/a:1-7");
    let deed = Deed::parse("now", "").unwrap();
    assert_eq!(deed.spec().name().as_str(), "now");
    let told = deed.run(&context).await.unwrap();
    assert_eq!(
        told.content().first().and_then(Content::as_text),
        Some("noon")
    );
    let set = ToolRegistry::new().with_enum::<Deed>();
    assert_eq!(set.len(), 2);
}

#[tokio::test]
async fn types_are_read_checked_and_described() {
    let registry = ToolRegistry::new().with(Search);
    let schema = registry.get("search").unwrap().spec().input_schema();
    let text = schema.to_string();
    for part in [
        r#""pattern":"^[a-z]+$""#,
        r#""examples":["milk"]"#,
        r#""maximum":9999"#,
        r#""as_they_came""#,
        r#""everything""#,
        r#""in""#,
        r#""ada""#,
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let executor = Executor::new(registry).unwrap();
    let call = |wish: &str| {
        let arguments = format!(r#"{{"wish": {wish}}}"#);
        let executor = &executor;
        async move { executor.call("search", arguments.as_str()).await }
    };
    let all = call(
        r#"{
            "query": {"kind": "all", "queries": [
                {"kind": "word", "word": "milk", "within": {"last": 2}},
                {"kind": "everything"}
            ]},
            "order": "by_name",
            "reader": "ada",
            "weights": {"a": 0.5}
        }"#,
    )
    .await;
    assert!(all.is_success(), "{}", all.text());
    for part in ["first: 1, last: 2", "ByName", "ada", r#""times":1"#] {
        assert!(all.text().contains(part), "{part} in {}", all.text());
    }
    let few = call(r#"{"query": {"kind": "everything"}}"#).await;
    assert!(
        few.text().contains("AsTheyCame None None"),
        "{}",
        few.text()
    );
    for wrong in [
        r#"{"query": {"kind": "word", "word": "Milk"}}"#,
        r#"{"query": {"kind": "word", "word": "milk", "in": {"first": 0, "last": 2}}}"#,
        r#"{"query": {"kind": "nothing"}}"#,
        r#"{"query": {"kind": "everything"}, "reader": "eve"}"#,
        r#"{"query": {"kind": "everything"}, "order": "by_size"}"#,
    ] {
        refused(&call(wrong).await, wrong);
    }
    let title = r#"{"wish": {"query": {"kind": "everything"}}, "title": ""}"#;
    refused(&executor.call("search", title).await, title);
}
