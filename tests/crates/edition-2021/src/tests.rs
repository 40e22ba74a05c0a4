//! The tools run, whatever the edition of their crate.

use std::sync::Arc;

use crate::{discovered, Deed, Reading, Repeat, Store, Words};
use toolwright::content::ErrorKind;
use toolwright::permission::AllowAll;
use toolwright::tools::TypedTool;
use toolwright::{tool, tool_type, Executor, ToolEnum, ToolError, ToolName, ToolRegistry};

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
        .permission_checker(AllowAll)
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

const LEAST: u32 = 10;

/// A part with mistakes that only constants show.
#[tool_type]
struct Mistaken {
    /// The least.
    #[arg(default = 3, range = LEAST..)]
    least: u32,
}

/// Count with mistakes that only constants show.
#[tool(register = false)]
fn count_with_mistakes(
    #[arg(default = 1, range = LEAST..)] from: u32,
    #[arg(range = LEAST..=1)] to: u32,
    parts: Vec<Mistaken>,
    by_place: std::collections::BTreeMap<(u32, u32), u32>,
) -> u32 {
    from + to
        + parts.iter().map(|part| part.least).sum::<u32>()
        + by_place.into_values().sum::<u32>()
}

#[test]
fn mistakes_are_told_in_earlier_editions_too() {
    let error = Executor::new(ToolRegistry::new().with(CountWithMistakes)).unwrap_err();
    assert_eq!(error.problems().len(), 4, "{error}");
    let text = error.to_string();
    let place = format!("`count_with_mistakes` ({}, ", env!("CARGO_PKG_NAME"));
    assert_eq!(text.matches(&place).count(), 4, "{text}");
    // Compared, because `assert!` of the edition of 2018 would print `{text}` as it stands.
    let missing: Vec<_> = [
        "`/from`: its default `1` is refused by `range = 10..`",
        "`/to`: no value is allowed: `range = 10..=1` is empty",
        "`/parts/*/least`: its default `3` is refused by `range = 10..`",
        "`/by_place`: the keys of a map are texts in JSON",
    ]
    .iter()
    .filter(|told| !text.contains(**told))
    .collect();
    assert_eq!(missing.len(), 0, "{missing:?} in {text}");
}
