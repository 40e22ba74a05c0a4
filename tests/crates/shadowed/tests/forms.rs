//! Every other form runs, whatever the names mean where it is written.

#![allow(
    clippy::unwrap_used,
    reason = "clippy.toml allows it in test functions, and here the rest helps those"
)]

use std::sync::Arc;

use shadowed::functions::Shelf;
use shadowed::methods::{List, Reading};
use shadowed::structs::{IsOpen, Lend, Service};
use shadowed::types::Recite;
use toolwright::content::ErrorKind;
use toolwright::permission::AllowAll;
use toolwright::{Executor, ToolEnum, ToolError, ToolOutcome, ToolRegistry, testing};

fn executor(registry: ToolRegistry) -> Executor {
    Executor::builder(registry)
        .resource(Shelf(vec!["emma".to_owned()]))
        .permission_checker(AllowAll)
        .build()
        .unwrap()
}

fn refused(outcome: &ToolOutcome, what: &str) {
    let kind = outcome.error().map(ToolError::kind);
    assert_eq!(kind, Some(ErrorKind::InvalidArguments), "{what}");
}

#[tokio::test]
async fn methods_run() {
    let list = Arc::new(List::<String, 3> {
        entries: Vec::new().into(),
    });
    let registry = ToolRegistry::new()
        .with_set_arc(Arc::clone(&list))
        .with_part(Reading, list);
    let executor = executor(registry);
    let put = executor.call("list.add", r#"{"entry": "milk", "times": 2}"#);
    assert_eq!(put.await.text(), "2");
    let put = executor.call("list.put", r#"{"entry": "tea"}"#).await;
    assert_eq!(put.text(), "3");
    let full = executor.call("list.put", r#"{"entry": "tea"}"#).await;
    assert_eq!(full.text(), "full");
    for wrong in [
        r#"{"entry": ""}"#,
        r#"{"entry": "x", "times": 3}"#,
        r#"{"entry": "x", "times": 2}"#,
    ] {
        refused(&executor.call("list.put", wrong).await, wrong);
    }
    let read = executor.call("list.read", "").await;
    assert_eq!(read.text(), r#"["milk","milk","tea"]"#);
    assert_eq!(executor.call("list.room", "").await.text(), "3");
}

#[tokio::test]
async fn structs_and_sets_run() {
    let registry = ToolRegistry::new()
        .with_type::<Lend>()
        .with_type::<IsOpen>();
    let executor = executor(registry);
    let lent = executor
        .call("books.lend", r#"{"title": "emma", "card": "1"}"#)
        .await;
    assert_eq!(lent.text(), "emma 7 true true");
    for wrong in [
        r#"{"title": "Emma"}"#,
        r#"{"title": "emma", "days": 31}"#,
        r#"{"title": "emma", "days": 15}"#,
    ] {
        refused(&executor.call("books.lend", wrong).await, wrong);
    }
    let context = testing::context().build();
    let open = Service::parse("isOpen", "").unwrap();
    assert!(matches!(open, Service::Open(IsOpen)));
    assert!(open.run(&context).await.is_ok());
}

#[tokio::test]
async fn types_run() {
    let executor = executor(ToolRegistry::new().with(Recite));
    let page = r#"{"page": {"text": "it was", "notes": [{"kind": "words", "text": "!"}, {"kind": "mark"}]}}"#;
    let read = executor.call("recite", page).await;
    let expected = r#"{"number":1,"text":"it was","side":null,"notes":[{"kind":"words","text":"!"},{"kind":"mark"}]}"#;
    assert_eq!(read.text(), expected);
    for wrong in [
        r#"{"page": {"text": "It was"}}"#,
        r#"{"page": {"text": "it was", "number": 0}}"#,
        r#"{"page": {"text": "it was", "side": "top"}}"#,
        r#"{"page": {"text": "it was", "notes": [{"kind": "words", "text": ""}]}}"#,
    ] {
        refused(&executor.call("recite", wrong).await, wrong);
    }
}
