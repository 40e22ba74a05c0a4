//! Arguments that are refused: at which place, and in which words.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toolwright::arguments::{Arguments, ProblemKind};
use toolwright::{Executor, Tool, ToolError, ToolRegistry, tool, tool_type};

use crate::support::{place, places, problems};

/// An order of results.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Sort {
    Date,
    Relevance,
}

/// A condition that results fulfil.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Filter {
    field: String,
    /// The greatest value.
    at_most: Option<i32>,
}

/// Search the archive.
#[tool(pure)]
fn search_archive(
    /// The words to look for.
    query: String,
    /// Number of results to return.
    #[arg(default = 10, range = 1..=50)]
    limit: u32,
    sort: Option<Sort>,
    #[arg(format = "date")] since: Option<String>,
    filters: Option<Vec<Filter>>,
    #[arg(default)] weights: BTreeMap<String, f64>,
) -> Value {
    json!([query, limit, sort, since, filters, weights])
}

fn executor() -> Executor {
    Executor::new(ToolRegistry::new().with(SearchArchive)).unwrap()
}

#[tokio::test]
async fn unknown_keys_are_refused() {
    let executor = executor();
    let unknown = executor
        .call("search_archive", r#"{"query": "x", "lmit": 5, "zzz": 1}"#)
        .await;
    let expected = [
        place(ProblemKind::Unknown, "/lmit"),
        place(ProblemKind::Unknown, "/zzz"),
    ];
    assert_eq!(places(&unknown), expected);
    assert_eq!(problems(&unknown)[0].suggestion(), Some("limit"));
    assert_eq!(problems(&unknown)[1].suggestion(), None);
}

#[tokio::test]
async fn wrong_types_are_refused_at_their_place() {
    let executor = executor();
    let with = |key: &str, value: Value| {
        let mut arguments = json!({"query": "x"});
        arguments[key] = value;
        arguments
    };
    let cases = [
        (json!({"query": 5}), "/query"),
        (json!({"query": ["x"]}), "/query"),
        (json!({"query": null}), "/query"),
        (with("limit", json!(true)), "/limit"),
        (with("limit", json!("many")), "/limit"),
        (with("limit", json!(1.5)), "/limit"),
        (with("limit", json!(-1)), "/limit"),
        (with("limit", json!(1e40)), "/limit"),
        (with("sort", json!("loudness")), "/sort"),
        (with("filters", json!(7)), "/filters"),
        (
            with("filters", json!([{"field": "a"}, {"field": 1}])),
            "/filters/1/field",
        ),
        (
            with(
                "filters",
                json!([{"field": "a", "at_most": 3_000_000_000_u64}]),
            ),
            "/filters/0/at_most",
        ),
        (
            with("weights", json!({"a/b": 1, "c~d": "x"})),
            "/weights/c~0d",
        ),
    ];
    for (arguments, pointer) in cases {
        let outcome = executor.call("search_archive", &arguments).await;
        assert_eq!(
            places(&outcome),
            [place(ProblemKind::Type, pointer)],
            "{arguments}"
        );
    }
    let nested = executor
        .call("search_archive", with("filters", json!([{}])))
        .await;
    assert_eq!(
        places(&nested),
        [place(ProblemKind::Missing, "/filters/0/field")]
    );
}

#[tokio::test]
async fn nested_objects_are_as_strict_as_their_schema() {
    let filter = &SearchArchive.spec().input_schema()["properties"]["filters"]["items"];
    assert_eq!(filter["additionalProperties"], json!(false));

    let executor = executor();
    let unknown = json!({"query": "x", "filters": [{"field": "a", "at_mots": 3}]});
    let outcome = executor.call("search_archive", unknown).await;
    assert!(
        outcome.result().is_error(),
        "the unknown key was lost: {}",
        outcome.text()
    );
    assert_eq!(
        places(&outcome),
        [place(ProblemKind::Unknown, "/filters/0/at_mots")]
    );
    assert_eq!(problems(&outcome)[0].suggestion(), Some("at_most"));

    let positional = json!({"query": "x", "filters": [["a", 3]]});
    let outcome = executor.call("search_archive", positional).await;
    assert!(
        outcome.result().is_error(),
        "a list was taken for an object: {}",
        outcome.text()
    );
    assert_eq!(places(&outcome), [place(ProblemKind::Type, "/filters/0")]);
}

/// A way to travel.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Travel {
    Train { seat: u8 },
    Ship { cabin: String },
}

/// Book a way to travel.
#[tool(pure)]
fn book_travel(travel: Travel) -> Travel {
    travel
}

#[tokio::test]
async fn a_tag_that_is_unknown_is_told_the_tags_that_there_are() {
    let executor = Executor::new(ToolRegistry::new().with(BookTravel)).unwrap();
    let good = json!({"travel": {"kind": "ship", "cabin": "A4"}});
    assert!(executor.call("book_travel", good).await.is_success());

    let bad = json!({"travel": {"kind": "balloon", "cabin": "A4"}});
    let outcome = executor.call("book_travel", bad).await;
    let text = outcome.text();
    assert!(
        text.contains("found the text \"balloon\"") || text.contains("found an object"),
        "{text}"
    );
    for tag in ["train", "ship"] {
        assert!(text.contains(tag), "{text}");
    }
}

#[tokio::test]
async fn what_is_no_object_is_refused() {
    let executor = executor();
    for (text, found) in [
        ("[]", "an empty list"),
        (r#"["x", 1]"#, "a list of 2"),
        ("5", "5"),
        ("true", "true"),
        (r#""query""#, "the text \"query\""),
    ] {
        let tree: Value = serde_json::from_str(text).unwrap();
        for arguments in [Arguments::from(text), Arguments::from(&tree)] {
            let outcome = executor.call("search_archive", arguments).await;
            assert_eq!(places(&outcome), [place(ProblemKind::Type, "")], "{text}");
            let expected = format!("expected an object of arguments, found {found}");
            assert_eq!(problems(&outcome)[0].message(), expected);
        }
    }
    for text in [
        "{",
        "{query: 1}",
        r#"{"query": "x"} and more"#,
        r#"{"query": "x",,}"#,
        r#"{"query": NaN}"#,
        "not json",
        "{\"query\": \"\u{1}\"}",
    ] {
        let outcome = executor.call("search_archive", text).await;
        assert_eq!(places(&outcome), [place(ProblemKind::Syntax, "")], "{text}");
        assert!(!outcome.text().contains("line"), "{}", outcome.text());
    }
}

#[tokio::test]
async fn text_and_tree_give_the_same_verdict() {
    let executor = executor();
    for text in [
        r#"{"query": "x"}"#,
        r#"{"query": "grüße \ud83d\ude00 \n"}"#,
        r#"{"query": "x", "limit": 50, "sort": "date", "since": "2026-02-28", "weights": {"a": 1}}"#,
        r#"{"query": "x", "filters": [{"field": "a"}, {"field": "b", "at_most": -1}]}"#,
        r#"{"query": "x", "sort": null, "filters": null}"#,
        r#"{"query": "x", "limit": 51}"#,
        r#"{"query": "x", "limit": -0}"#,
        r#"{"query": "x", "limit": 1.5}"#,
        r#"{"query": "x", "limit": 99999999999999999999999}"#,
        r#"{"query": "x", "weights": {"a": 123456789012345678901234567890, "b": -0.0, "c": 1e-7}}"#,
        r#"{"query": "x", "weights": {"a": "1"}}"#,
        r#"{"query": 1, "limit": "x", "since": "yesterday", "nothing": {}}"#,
        r#"{"query": "x", "filters": [{"at_most": 1}]}"#,
        r#"{"query": "x", "sort": {"date": null}}"#,
        r"{}",
        "null",
        "[]",
    ] {
        let tree: Value = serde_json::from_str(text).unwrap();
        let by_text = executor.call("search_archive", text).await;
        let by_tree = executor.call("search_archive", &tree).await;
        assert_eq!(by_text.is_success(), by_tree.is_success(), "{text}");
        if by_text.is_success() {
            assert_eq!(by_text.text(), by_tree.text(), "{text}");
            continue;
        }
        // A tree has its keys in an order of its own.
        let [by_text, by_tree] = [by_text, by_tree].map(|outcome| {
            let lines = problems(&outcome).iter().map(ToString::to_string).collect();
            let lines: BTreeSet<String> = lines;
            lines
        });
        assert_eq!(by_text, by_tree, "{text}");
    }
}

#[tokio::test]
async fn a_bad_call_is_told_all_that_is_wrong_with_it() {
    let bad = r#"{
        "qurey": "annual report",
        "sort": "relevanse",
        "filters": [{"field": "year", "at_most": "2020s"}, {"at_most": 4}],
        "limit": 500,
        "since": "the day before yesterday, in the evening"
    }"#;
    let outcome = executor().call("search_archive", bad).await;
    let expected = r#"Invalid arguments:
- `/qurey`: there is no such argument; did you mean `query`?
- `/sort`: expected one of "date", "relevance", found the text "relevanse"; did you mean `relevance`?
- `/filters/0/at_most`: expected an integer, found the text "2020s"
- `/filters/1/field`: is required and missing: expected text
- `/limit`: expected an integer from 1 to 50, found 500
- `/since`: expected a date such as "2030-01-31", found the text "the day before yesterday, in the evening"
- `/query`: is required and missing: expected text
Valid arguments: `query` (required), `filters`, `limit`, `since`, `sort`, `weights`."#;
    assert_eq!(outcome.text(), expected);
}

#[tokio::test]
async fn problems_come_in_the_order_of_the_arguments() {
    let bad = r#"{"query": "x", "limit": 500, "sort": 1, "since": "x", "filters": 2, "zzz": 3}"#;
    let outcome = executor().call("search_archive", bad).await;
    let pointers: Vec<String> = places(&outcome).into_iter().map(|(_, at)| at).collect();
    assert_eq!(pointers, ["/limit", "/sort", "/since", "/filters", "/zzz"]);
}

#[tokio::test]
async fn a_value_that_is_quoted_is_the_one_that_is_wrong() {
    let bad = r#"{"query": "x", "limit": 500, "limit": 20}"#;
    let outcome = executor().call("search_archive", bad).await;
    assert!(
        !outcome.text().contains("found 20"),
        "20 is allowed: {}",
        outcome.text()
    );
}

/// Move a thing.
#[tool(register = false, pure)]
fn shift(
    #[arg(aliases("thing", "object"))] name: String,
    #[arg(aliases("by"))] steps: u8,
    back: bool,
) -> String {
    format!("{name} {steps} {back}")
}

/// A host that parses by itself gives the tool no tree that was read for a repair.
#[tokio::test]
async fn a_report_is_the_same_whether_or_not_a_repair_was_tried_before() {
    let registry = ToolRegistry::new().with(Shift);
    let tool = registry.get("shift").unwrap().clone();
    let executor = Executor::new(registry).unwrap();
    for text in [
        "{}",
        r#"{"steps": [], "thing": 5, "back": {}}"#,
        r#"{"by": "x", "zzz": 1, "object": [1]}"#,
        r#"{"by": 1, "steps": 2, "thing": "a", "object": "b", "back": true}"#,
        r#"{"back": 1, "by": 256, "name": "a", "thing": "b"}"#,
        "[1]",
        "5",
    ] {
        let outcome = executor.call("shift", text).await;
        assert!(outcome.result().repairs().is_empty(), "{text}");
        let invalid = outcome.error().and_then(ToolError::invalid_arguments);
        let alone = tool.parse(&Arguments::from(text)).err();
        assert!(invalid.is_some(), "{text}");
        assert_eq!(invalid, alone.as_ref(), "{text}");
    }
}

/// Something that is read from a copy.
#[tool_type]
#[serde(untagged)]
enum Either {
    Number(u32),
    List(Vec<String>),
}

/// Take one of each.
#[tool(register = false, read_only)]
fn take_each(
    a: u8,
    #[arg(aliases("bee"))] b: String,
    c: Either,
    #[arg(length = ..=2)] list: Vec<i64>,
    may: Option<bool>,
    real: f64,
) -> String {
    format!(
        "{a} {b} {} {list:?} {may:?} {real}",
        matches!(c, Either::List(_))
    )
}

#[tokio::test]
async fn text_and_tree_are_refused_alike_wherever_the_wrong_arguments_stand() {
    let executor = Executor::new(ToolRegistry::new().with(TakeEach)).unwrap();
    let all = [
        ("a", json!(1), json!("many")),
        ("bee", json!("b"), json!({"no": "text"})),
        ("c", json!(5.0), json!({"neither": 1})),
        ("list", json!([1, 2]), json!([1, 2, 3])),
        ("may", json!(true), json!("perhaps")),
        ("real", json!(1), json!([1])),
        ("zone", Value::Null, json!(1)),
    ];
    for wrong in 1_u32..1 << all.len() {
        let is_wrong = |at: usize| wrong & (1 << at) != 0;
        let mut tree = json!({});
        for (at, (name, good, bad)) in all.iter().enumerate() {
            match (*name, is_wrong(at)) {
                ("zone", false) => {}
                (name, true) => tree[name] = bad.clone(),
                (name, false) => tree[name] = good.clone(),
            }
        }
        // The text has its names in the order of the tree.
        let by_text = executor.call("take_each", tree.to_string()).await;
        let by_tree = executor.call("take_each", &tree).await;
        assert_eq!(by_text.text(), by_tree.text());
        assert_eq!(problems(&by_text), problems(&by_tree));
        let told = problems(&by_tree).len();
        assert!(told >= wrong.count_ones() as usize, "{}", by_tree.text());
    }
}
