//! The tools run, whatever the names mean where they are written.

#![allow(
    clippy::unwrap_used,
    reason = "clippy.toml allows it in test functions, and here the rest helps those"
)]

use shadowed::functions::{Add, Find, Shelf, discovered};
use toolwright::content::ErrorKind;
use toolwright::permission::AllowAll;
use toolwright::{Executor, ToolError, ToolName, ToolRegistry};

fn executor(registry: ToolRegistry) -> Executor {
    let titles = ["emma", "embers", "evelina", "em"].map(String::from);
    Executor::builder(registry)
        .resource(Shelf(titles.into()))
        .permission_checker(AllowAll)
        .build()
        .unwrap()
}

#[tokio::test]
async fn they_are_discovered_and_run() {
    let registry = discovered().unwrap();
    let names: Vec<&str> = registry.names().map(ToolName::as_str).collect();
    assert_eq!(
        names,
        [
            "add",
            "books.find",
            "books.lend",
            "is_open",
            "recite",
            "rest"
        ]
    );
    let executor = executor(registry);

    let found = executor
        .call("books.search", r#"{"start": "em", "order": "length"}"#)
        .await;
    assert_eq!(found.text(), r#"["em","emma"]"#);
    let rest = executor
        .call("books.find", r#"{"start": "em", "skip": 2, "limit": 9}"#)
        .await;
    assert_eq!(rest.text(), r#"["emma"]"#);
    for refused in [
        r#"{"start": "Em"}"#,
        r#"{"start": "em", "limit": 0}"#,
        r#"{"start": "em", "order": "age"}"#,
    ] {
        let outcome = executor.call("books.find", refused).await;
        let kind = outcome.error().map(ToolError::kind);
        assert_eq!(kind, Some(ErrorKind::InvalidArguments), "{refused}");
    }
    assert_eq!(executor.call("add", r#"{"a": 2}"#).await.text(), "2");
    assert!(executor.call("rest", "").await.is_success());
}

#[tokio::test]
async fn they_run_when_added_by_hand() {
    let executor = executor(ToolRegistry::new().with(Add).with(Find));
    let sum = executor.call("add", r#"{"a": 2, "b": -3}"#).await;
    assert_eq!(sum.text(), "-1");
    let found = executor.call("books.find", r#"{"start": "ev"}"#).await;
    assert_eq!(found.text(), r#"["evelina"]"#);
}
