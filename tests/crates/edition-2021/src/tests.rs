//! The tools run, whatever the edition of their crate.

use std::sync::Arc;

use crate::{discovered, Deed, Reading, Repeat, Store, Words};
use toolwright::{
    AllowAll, ErrorKind, Executor, ToolEnum, ToolError, ToolName, ToolRegistry, TypedTool,
};

#[tokio::test]
async fn every_form_runs() {
    let found = discovered().unwrap();
    let names: Vec<&str> = found.names().map(ToolName::as_str).collect();
    assert_eq!(names, ["gen", "repeat", "words.choose"]);

    let store = Arc::new(Store::<String>::default());
    let registry = found
        .with_set_arc(Arc::clone(&store))
        .with_part(Reading, store);
    let words = ["abbey", "abacus", "zoo"].map(String::from);
    let executor = Executor::builder(registry)
        .resource(Words(words.into()))
        .permissions(AllowAll)
        .build()
        .unwrap();
    for (tool, arguments, expected) in [
        (
            "words.choose",
            r#"{"choice": {"start": "ab", "order": {"by": "letter", "place": 3}}}"#,
            r#"["abacus","abbey"]"#,
        ),
        ("words.choose", r#"{"choice": {"most": 1}}"#, r#"["abbey"]"#),
        (
            "words.choose",
            r#"{"choice": {"start": "q"}}"#,
            "there are none",
        ),
        ("gen", r#"{"gen": 2}"#, "6"),
        ("store.keep", r#"{"word": "a"}"#, "1"),
        ("store.keep", r#"{"word": "b"}"#, "2"),
        ("store.read", "", "a b "),
        ("repeat", r#"{"gen": "ha"}"#, "haha"),
    ] {
        assert_eq!(executor.call(tool, arguments).await.text(), expected);
    }
    for (tool, arguments) in [
        ("words.choose", r#"{"choice": {"start": ""}}"#),
        (
            "words.choose",
            r#"{"choice": {"order": {"by": "letter", "place": 0}}}"#,
        ),
        ("gen", r#"{"gen": 13}"#),
        ("store.keep", r#"{"word": ""}"#),
        ("repeat", r#"{"gen": "ha", "times": 0}"#),
    ] {
        let outcome = executor.call(tool, arguments).await;
        let kind = outcome.error().map(ToolError::kind);
        assert_eq!(kind, Some(ErrorKind::InvalidArguments), "{arguments}");
    }
}

#[test]
fn sets_are_sets() {
    assert!(matches!(
        Deed::parse("repeat", r#"{"gen": "ha"}"#),
        Ok(Deed::Repeat(_))
    ));
    let names: Vec<_> = Deed::specs().iter().map(|spec| spec.name()).collect();
    assert_eq!(names, [Repeat::spec().name()]);
    let registry = ToolRegistry::new().with_enum::<Deed>();
    assert_eq!(registry.len(), 1);
}
