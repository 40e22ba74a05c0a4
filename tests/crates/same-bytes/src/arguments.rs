//! Arguments, as a text and as the tree that this program makes of it.

use serde_json::{Value, json};
use toolwright::content::ErrorKind;
use toolwright::{Executor, ToolOutcome, ToolRegistry};

use crate::{Change, Copied};

async fn call(tool: &str, text: &str) -> [ToolOutcome; 2] {
    let executor = Executor::new(ToolRegistry::new().with(Change).with(Copied)).unwrap();
    let tree: Value = serde_json::from_str(text).unwrap();
    [
        executor.call(tool, text).await,
        executor.call(tool, tree).await,
    ]
}

#[tokio::test]
async fn the_features_are_what_they_are_taken_for() {
    let number: Value = serde_json::from_str("1.50").unwrap();
    let keeps = serde_json::to_string(&number).unwrap() == "1.50";
    assert_eq!(keeps, cfg!(feature = "other-json"));
    let object = json!({"b": 1, "a": 2});
    let ordered = serde_json::to_string(&object).unwrap() == r#"{"b":1,"a":2}"#;
    assert_eq!(ordered, cfg!(feature = "other-json"));
}

#[tokio::test]
async fn numbers_are_read_from_trees_as_from_texts() {
    for (tool, text, expected) in [
        ("change", r#"{"zed": 3.0, "steps": []}"#, "3 0 false 0.25"),
        (
            "change",
            r#"{"zed": 30e-1, "by": 0.10, "steps": []}"#,
            "3 0 false 0.1",
        ),
        (
            "change",
            r#"{"zed": 3, "steps": [{"kind": "move", "right": 1.50, "down": 2, "count": 1}], "part": {"name": "a", "weight": 1e0}}"#,
            "3 1 true 0.25",
        ),
        (
            "copied",
            r#"{"whole": {"zed": 1, "two": 2.50, "one": 3, "amount": 1.50}, "any": [1, -2, 0.5]}"#,
            "1 2.5 3 Parts(1.5) [1,-2,0.5]",
        ),
        (
            "copied",
            r#"{"whole": {"zed": 1.0, "two": 2, "one": 3, "amount": "a"}, "any": {"b": 1}}"#,
            r#"1 2 3 Words("a") {"b":1}"#,
        ),
        // Repaired.
        (
            "change",
            r#"{"zed": "3", "by": "0.5", "steps": "[]"}"#,
            "3 0 false 0.5",
        ),
    ] {
        for outcome in call(tool, text).await {
            assert_eq!(outcome.text(), expected, "{text}");
        }
    }
}

#[tokio::test]
async fn numbers_out_of_range_are_told_with_their_place() {
    for (tool, text, place) in [
        ("change", r#"{"zed": 3.5, "steps": []}"#, "`/zed`"),
        ("change", r#"{"zed": -1, "steps": []}"#, "`/zed`"),
        ("change", r#"{"zed": 1, "by": 1.0, "steps": []}"#, "`/by`"),
        (
            "copied",
            r#"{"whole": {"zed": 1.5, "two": 2, "one": 3, "amount": "a"}}"#,
            "`/whole/zed`",
        ),
    ] {
        let [of_text, of_tree] = call(tool, text).await;
        assert_eq!(of_text.error().unwrap().kind(), ErrorKind::InvalidArguments);
        assert!(of_text.text().contains(place), "{}", of_text.text());
        assert_eq!(of_text.text(), of_tree.text(), "{text}");
    }
}

#[tokio::test]
async fn a_number_that_would_be_rounded_is_refused_with_its_place() {
    for (tool, text, place) in [
        (
            "change",
            r#"{"zed": 4.9999999999999999999, "steps": []}"#,
            "`/zed`",
        ),
        ("change", r#"{"zed": 1e-400, "steps": []}"#, "`/zed`"),
        (
            "change",
            r#"{"zed": 1, "by": 1e-400, "steps": []}"#,
            "`/by`",
        ),
        (
            "copied",
            r#"{"whole": {"zed": 1, "two": 2, "one": 3, "amount": "a"}, "any": [12345678901234567890123]}"#,
            "`/any/0`",
        ),
    ] {
        let [of_text, of_tree] = call(tool, text).await;
        assert!(of_text.text().contains(place), "{}", of_text.text());
        // Without the text of its numbers, a tree has them rounded already.
        if cfg!(feature = "other-json") {
            assert!(of_tree.text().contains(place), "{}", of_tree.text());
        }
    }
    let text = r#"{"zed": 1, "by": 0.4999999999999999999999, "steps": []}"#;
    for outcome in call("change", text).await {
        assert_eq!(outcome.text(), "1 0 false 0.5");
    }
}
