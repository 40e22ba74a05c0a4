//! The tools run, by hand and discovered, through a toolwright that only `facade` brings.

#![allow(
    clippy::unwrap_used,
    reason = "clippy.toml allows it in test functions, and here the rest helps those"
)]

use facade::toolwright::content::ErrorKind;
use facade::toolwright::permission::AllowAll;
use facade::toolwright::{Executor, ToolError, ToolName, ToolRegistry};
use facade_user::functions::{Notes, registry};

fn executor(registry: ToolRegistry) -> Executor {
    Executor::builder(registry)
        .resource(Notes::default())
        .permission_checker(AllowAll)
        .build()
        .unwrap()
}

#[test]
fn they_are_discovered() {
    let found = facade::toolwright::discover!().unwrap();
    let names: Vec<&str> = found.names().map(ToolName::as_str).collect();
    assert_eq!(
        names,
        [
            "count",
            "fs.read",
            "notes.add",
            "notes.list",
            "path.name",
            "search",
            "stamp"
        ],
        "and neither methods nor what is not announced"
    );
    assert!(registry().names().all(|name| found.contains(name.as_str())));
}

#[tokio::test]
async fn resources_defaults_and_constraints_work() {
    let executor = executor(registry());
    for call in [
        r#"{"text": "milk"}"#,
        r#"{"text": "Ada", "at": 0}"#,
        r#"{"text": "tax"}"#,
    ] {
        let added = executor.call("notes.add", call).await;
        assert!(added.is_success(), "{}", added.text());
    }
    let all = executor.call("notes.list", "").await;
    assert_eq!(all.text(), r#"["Ada","milk","tax"]"#);
    let newest = executor
        .call("notes.list", r#"{"limit": 1, "first": "newest"}"#)
        .await;
    assert_eq!(newest.text(), r#"["tax"]"#);

    let refused = [
        ("notes.add", r#"{"text": ""}"#),
        ("notes.add", r#"{"text": "<b>"}"#),
        ("notes.add", "{}"),
        ("notes.list", r#"{"limit": 51}"#),
        ("notes.list", r#"{"first": "best"}"#),
    ];
    for (tool, arguments) in refused {
        let outcome = executor.call(tool, arguments).await;
        let kind = outcome.error().map(ToolError::kind);
        assert_eq!(kind, Some(ErrorKind::InvalidArguments), "{arguments}");
    }
    let tools = executor.tools();
    let spec = tools.get("notes.list").unwrap().spec();
    let properties = &spec.input_schema()["properties"];
    assert_eq!(properties["limit"]["default"], 10);
    assert_eq!(properties["limit"]["maximum"], 50);
    assert_eq!(properties["first"]["default"], "oldest");
}

#[tokio::test]
async fn permission_is_asked_for() {
    let path = r#"{"path": "a/b.txt"}"#;
    let allowed = executor(registry()).call("path.name", path).await;
    assert_eq!(allowed.text(), "b.txt");

    let careful = Executor::builder(registry())
        .resource(Notes::default())
        .build()
        .unwrap();
    let denied = careful.call("path.name", path).await;
    let kind = denied.error().map(ToolError::kind);
    assert_eq!(kind, Some(ErrorKind::Denied));
}

#[test]
fn an_executor_is_not_built_without_the_resource() {
    assert!(Executor::new(registry()).is_err());
}
