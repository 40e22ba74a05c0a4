//! The largest and the deepest arguments.

use serde_json::{Value, json};
use toolwright::ToolOutcome;
use toolwright::arguments::Arguments;
use toolwright::content::ErrorKind;
use toolwright::executor::Limits;

use super::{Plan, builder, executor};
use crate::support::HandMade;

const MEBIBYTE: usize = 1 << 20;

fn kind(outcome: &ToolOutcome) -> Option<ErrorKind> {
    outcome.error().map(toolwright::ToolError::kind)
}

/// Arguments of so many bytes as JSON.
fn large(bytes: usize) -> Value {
    json!({"text": "x".repeat(bytes - r#"{"text":""}"#.len())})
}

/// Arguments of so many levels.
fn deep(levels: usize) -> Value {
    let inner = (1..levels).fold(json!("[[{{"), |inner, level| {
        if level % 2 == 0 {
            json!({"a": inner})
        } else {
            json!([inner])
        }
    });
    json!({ "a": inner })
}

/// The same arguments as text and as a tree.
fn both(tree: &Value) -> [Arguments<'static>; 2] {
    [tree.to_string().into(), tree.clone().into()]
}

#[tokio::test]
async fn a_mebibyte_is_taken_and_one_byte_more_is_not() {
    let executor = executor(HandMade::new("t"));
    for arguments in both(&large(MEBIBYTE)) {
        assert_eq!(kind(&executor.call("t", arguments).await), None);
    }
    for arguments in both(&large(MEBIBYTE + 1)) {
        let refused = executor.call("t", arguments).await;
        assert_eq!(kind(&refused), Some(ErrorKind::LimitExceeded));
        assert_eq!(
            refused.text(),
            "the arguments are 1048577 bytes of JSON, and at most 1048576 are taken: send less, \
             for instance in several calls"
        );
    }
    // The limit counts the bytes of the text that was sent.
    let spaces = format!("{{{}}}", " ".repeat(MEBIBYTE - 1));
    assert_eq!(
        kind(&executor.call("t", &spaces).await),
        Some(ErrorKind::LimitExceeded)
    );
    // The limit of a tree counts the bytes of its JSON text, where each of these characters takes six.
    let controls = json!({"text": "\u{1}".repeat(MEBIBYTE / 6)});
    assert_eq!(
        kind(&executor.call("t", &controls).await),
        Some(ErrorKind::LimitExceeded)
    );
    let plain = json!({"text": "\u{e9}".repeat(MEBIBYTE / 2 - 10)});
    assert_eq!(kind(&executor.call("t", &plain).await), None);
}

#[tokio::test]
async fn sixty_four_levels_are_taken_and_one_more_is_not() {
    let executor = executor(HandMade::new("t"));
    for arguments in both(&deep(64)) {
        assert_eq!(kind(&executor.call("t", arguments).await), None);
    }
    for arguments in both(&deep(65)) {
        let refused = executor.call("t", arguments).await;
        assert_eq!(kind(&refused), Some(ErrorKind::LimitExceeded));
        assert_eq!(
            refused.text(),
            "the arguments nest 65 levels deep, and at most 64 are taken, the arguments object \
             being the first: send a flatter structure"
        );
    }
    for broken in ["[".repeat(500_000), "{\"a\":".repeat(200_000)] {
        assert_eq!(
            kind(&executor.call("t", &broken).await),
            Some(ErrorKind::LimitExceeded)
        );
    }
}

#[tokio::test]
async fn brackets_in_texts_are_no_levels() {
    let executor = executor(HandMade::new("t"));
    for text in [
        "[".repeat(1_000),
        "{\"[".repeat(1_000),
        "\\\"{[\\".repeat(999),
    ] {
        for arguments in both(&json!({"text": text, "list": [text]})) {
            assert_eq!(kind(&executor.call("t", arguments).await), None);
        }
    }
    let wide = json!({"list": vec![json!({"a": [[]]}); 10_000]});
    for arguments in both(&wide) {
        assert_eq!(kind(&executor.call("t", arguments).await), None);
    }
}

#[tokio::test]
async fn limits_can_be_set() {
    let small =
        builder(HandMade::new("t")).limits(Limits::new().max_input_bytes(20).max_input_depth(2));
    let small = small.build().unwrap();
    for (arguments, expected) in [
        (large(20), None),
        (large(21), Some(ErrorKind::LimitExceeded)),
        (deep(2), None),
        (deep(3), Some(ErrorKind::LimitExceeded)),
    ] {
        for arguments in both(&arguments) {
            assert_eq!(kind(&small.call("t", arguments).await), expected);
        }
    }
    assert_eq!(kind(&small.call("t", "").await), None);

    let huge = builder(HandMade::new("t")).limits(Limits::new().max_input_bytes(usize::MAX));
    let huge = huge
        .limits(Limits::new().max_input_depth(usize::MAX))
        .build()
        .unwrap();
    for (arguments, expected) in [
        (large(3 * MEBIBYTE), None),
        (deep(127), None),
        (deep(128), Some(ErrorKind::LimitExceeded)),
    ] {
        for arguments in both(&arguments) {
            assert_eq!(kind(&huge.call("t", arguments).await), expected);
        }
    }
}

#[tokio::test]
async fn a_tool_does_not_see_what_is_too_large() {
    let tool = HandMade::new("t").parse(|_| panic!("it was asked"));
    let executor = executor(tool);
    let refused = executor.call("t", large(MEBIBYTE + 1)).await;
    assert_eq!(kind(&refused), Some(ErrorKind::LimitExceeded));
    assert!(refused.result().repairs().is_empty());
    // An unknown name is reported first.
    let unknown = executor.call("u", large(MEBIBYTE + 1)).await;
    assert_eq!(kind(&unknown), Some(ErrorKind::NotFound));
}

#[tokio::test]
async fn json_in_a_string_nests_no_deeper_either() {
    let executor = executor(Plan);
    let steps = |levels: usize| {
        let step = (1..levels).fold(
            json!({"what": "x"}),
            |inner, _| json!({"what": "x", "subSteps": [inner]}),
        );
        json!({"title": "x", "steps": json!([step]).to_string()})
    };
    assert_eq!(kind(&executor.call("plan", steps(20)).await), None);
    assert_eq!(
        kind(&executor.call("plan", steps(200)).await),
        Some(ErrorKind::InvalidArguments)
    );
}
