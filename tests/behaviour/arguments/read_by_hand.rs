//! `Arguments::parse`: what a tool written by hand gets, and what is said when it gets nothing.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;

use serde::Deserialize;
use serde_json::{Value, json};
use toolwright::arguments::{Arguments, InvalidArguments, ProblemKind};

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum PrivateUnit {
    Low,
    High,
}

#[derive(Debug, PartialEq, Deserialize)]
struct PrivatePair(u8, u8);

#[derive(Debug, PartialEq, Deserialize)]
struct PrivatePart {
    count: u8,
    #[serde(alias = "urgent")]
    urgency: Option<PrivateUnit>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(tag = "kind")]
enum PrivateTagged {
    Part { part: PrivatePart },
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(untagged)]
enum PrivateUntagged {
    Part(PrivatePart),
    Count(u8),
}

#[derive(Debug, PartialEq, Default, Deserialize)]
#[serde(default)]
struct PrivateOrder {
    name: String,
    parts: Vec<PrivatePart>,
    by_name: BTreeMap<String, PrivatePart>,
    pair: Option<PrivatePair>,
    address: Option<Ipv4Addr>,
    tagged: Option<PrivateTagged>,
    untagged: Option<PrivateUntagged>,
    any: Option<Value>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "only read")]
struct PrivateClosed {
    count: u8,
}

fn read(text: &str) -> Result<PrivateOrder, InvalidArguments> {
    let by_text = Arguments::from(text).parse::<PrivateOrder>();
    if let Ok(tree) = serde_json::from_str::<Value>(text) {
        let by_tree = Arguments::from(&tree).parse::<PrivateOrder>();
        match (&by_text, &by_tree) {
            (Ok(text), Ok(tree)) => assert_eq!(text, tree),
            (Err(invalid), _) if invalid.problems()[0].kind() == ProblemKind::Repeated => {}
            (text, tree) => assert_eq!(text.as_ref().err(), tree.as_ref().err()),
        }
    }
    by_text
}

#[test]
fn what_fits_is_read_and_nothing_means_an_empty_object() {
    for nothing in ["", " ", "null", "{}"] {
        assert_eq!(read(nothing).unwrap(), PrivateOrder::default());
    }
    let text = r#"{"name": "\ud83d\ude00", "parts": [{"count": 5.0, "urgent": "low"}], "pair": [1, 2.0],
        "address": "127.0.0.1", "tagged": {"kind": "Part", "part": {"count": 1.0}},
        "untagged": 7.0, "by_name": {"a": {"count": 1}}}"#;
    let order = read(text).unwrap();
    assert_eq!(order.parts[0].count, 5);
    assert_eq!(order.pair, Some(PrivatePair(1, 2)));
    assert_eq!(order.untagged, Some(PrivateUntagged::Count(7)));
    assert_eq!(read(r#"{"any": 5.0}"#).unwrap().any, Some(json!(5.0)));
    assert_eq!(
        Arguments::from("[1, 2]").parse::<Vec<u8>>().unwrap(),
        [1, 2]
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "it is a table")]
fn what_does_not_fit_is_told_by_place_in_words_of_a_model() {
    for (text, expected) in [
        ("[]", "expected an object, found an empty list"),
        (r#""x""#, "expected an object, found the text \"x\""),
        (r#"{"name": 5}"#, "`/name`: expected a text, found 5"),
        (
            r#"{"nmae": 5}"#,
            "`/nmae`: there is no such argument; did you mean `name`?",
        ),
        (
            r#"{"parts": [{"count": 1}, {"count": 256}]}"#,
            "`/parts/1/count`: expected an integer from 0 to 255, found 256",
        ),
        (
            r#"{"parts": [{"count": 0.5}]}"#,
            "`/parts/0/count`: expected an integer from 0 to 255, found 0.5",
        ),
        (
            r#"{"parts": [[1, "low"]]}"#,
            "`/parts/0`: expected an object, found a list of 2",
        ),
        (
            r#"{"parts": {}}"#,
            "`/parts`: expected a list, found an empty object",
        ),
        (
            r#"{"parts": [{}]}"#,
            "`/parts/0/count`: is required and missing",
        ),
        (
            r#"{"parts": [{"count": 1, "urgence": "low"}]}"#,
            "`/parts/0/urgence`: there is no such argument; did you mean `urgency`?",
        ),
        (
            r#"{"parts": [{"count": 1, "urgency": "hihg"}]}"#,
            "`/parts/0/urgency`: expected one of \"low\", \"high\", found the text \"hihg\"; did you mean `high`?",
        ),
        (
            r#"{"parts": [{"count": 1, "urgency": {"hihg": 1}}]}"#,
            "`/parts/0/urgency`: expected one of \"low\", \"high\", found the text \"hihg\"; did you mean `high`?",
        ),
        (
            r#"{"parts": [{"count": 1, "urgency": {"low": null}}]}"#,
            "`/parts/0/urgency`: expected the name alone, as a text, found an object with `low`",
        ),
        (
            r#"{"parts": [{"count": 1, "urgency": 3}]}"#,
            "`/parts/0/urgency`: expected one of \"low\", \"high\", found 3",
        ),
        (
            r#"{"parts": [{"count": 1, "urgent": "low", "urgency": "low"}]}"#,
            "`/parts/0/urgency`: is given more than once",
        ),
        (
            r#"{"by_name": {"a/b": {"count": true}}}"#,
            "`/by_name/a~1b/count`: expected an integer from 0 to 255, found true",
        ),
        (
            r#"{"by_name": {"a": {"count": 1}, "a": {"count": 2}}}"#,
            "`/by_name/a`: is given more than once",
        ),
        (
            r#"{"name": "a", "name": "a"}"#,
            "`/name`: is given more than once",
        ),
        (
            r#"{"pair": [1]}"#,
            "`/pair`: expected a list of 2, found a list of 1",
        ),
        (r#"{"pair": [1, 2, 3]}"#, "`/pair`: "),
        (
            r#"{"pair": {"0": 1}}"#,
            "`/pair`: expected a list, found an object with `0`",
        ),
        (
            r#"{"address": "localhost"}"#,
            "`/address`: invalid IPv4 address syntax, found the text \"localhost\"",
        ),
        (
            r#"{"address": [127, 0, 0, 1]}"#,
            "`/address`: expected a text, found a list of 4",
        ),
        (
            r#"{"untagged": "x"}"#,
            "`/untagged`: fits none of the forms that it can have, found the text \"x\"",
        ),
        (
            r#"{"tagged": {"kind": "Part", "part": {"count": "x"}}}"#,
            "`/tagged`: fits none of the forms that it can have, found an object with `kind`, `part`",
        ),
        (
            r#"{"tagged": {"kind": "Prt"}}"#,
            "`/tagged/kind`: expected \"Part\", found the text \"Prt\"; did you mean `Part`?",
        ),
        (
            r#"{"tagged": {}}"#,
            "`/tagged/kind`: is required and missing",
        ),
        (
            r#"{"any": 1e400}"#,
            "a number is out of range, at character 13 of 14 of the arguments",
        ),
        (r#"{"any": 1"#, "the text ends before the object does"),
        (r#"{"any": 1} 2"#, "not valid JSON"),
    ] {
        let invalid = read(text).unwrap_err();
        assert_eq!(invalid.problems().len(), 1);
        let told = invalid.to_string();
        assert!(told.contains(expected), "{text}: {told}");
        for private in ["Private", "struct", "enum", "line", "column", "u8"] {
            assert!(!told.contains(private), "{text}: {told}");
        }
    }
}

#[test]
fn a_type_that_refuses_names_itself_is_told_of_in_the_same_way() {
    let told = "Invalid arguments: `/cuont`: there is no such argument";
    let meant = "; did you mean `count`?";
    for (arguments, expected) in [
        (json!({"cuont": 2}), format!("{told}{meant}")),
        // A name that is given is not suggested.
        (json!({"count": 1, "cuont": 2}), told.to_owned()),
        (json!({"cuont": 2, "count": 1}), told.to_owned()),
    ] {
        let invalid = Arguments::from(arguments)
            .parse::<PrivateClosed>()
            .unwrap_err();
        assert_eq!(invalid.to_string(), expected);
        assert_eq!(invalid.problems()[0].kind(), ProblemKind::Unknown);
    }
}

#[test]
fn what_is_told_is_short() {
    let key = "k".repeat(100_000);
    for text in [
        format!(r#"{{"{key}": 1}}"#),
        format!(r#"{{"name": ["{key}"]}}"#),
        format!(r#"{{"address": "{key}"}}"#),
        format!(r#"{{"parts": [{{"count": 1, "urgency": "{key}"}}]}}"#),
        "[".repeat(100_000),
        "{\"by_name\":".repeat(100_000),
    ] {
        assert!(read(&text).unwrap_err().to_string().len() < 500);
    }
}
