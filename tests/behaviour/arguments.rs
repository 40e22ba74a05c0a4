//! Arguments: what is read, what is filled in, what is refused, and in which words.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toolwright::{
    ArgumentProblem, Arguments, ErrorKind, Executor, ProblemKind, Tool, ToolOutcome, ToolRegistry,
    tool,
};

/// An order of results.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Sort {
    #[default]
    Date,
    Relevance,
}

/// Cannot be written, so that its default cannot be shown.
#[derive(Debug, Deserialize, JsonSchema)]
struct Opaque {
    depth: u8,
}

impl Default for Opaque {
    fn default() -> Self {
        Self { depth: 3 }
    }
}

const FEW: u32 = 3;

/// Take what is not given from the defaults.
#[tool(pure)]
fn fill_in(
    #[arg(default = "all")] scope: String,
    #[arg(default = FEW * 2)] count: u32,
    #[arg(default = Sort::Relevance)] sort: Sort,
    #[arg(default)] tags: Vec<String>,
    #[arg(default)] opaque: Opaque,
    #[arg(default = 1.5)] weight: f64,
    note: Option<String>,
) -> String {
    format!(
        "{scope} {count} {sort:?} {tags:?} {} {weight} {note:?}",
        opaque.depth
    )
}

/// Take arguments under other names.
#[tool(pure)]
fn renamed(
    #[arg(name = "type", aliases("kind", "sort"))] what: String,
    #[arg(aliases("first"), default = 1)] from: u32,
    r#where: Option<String>,
) -> String {
    format!("{what} {from} {}", r#where.unwrap_or_default())
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
    /// What to look for.
    query: String,
    /// How many results to return.
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
    let registry = ToolRegistry::new()
        .with(FillIn)
        .with(Renamed)
        .with(SearchArchive);
    Executor::new(registry).unwrap()
}

fn problems(outcome: &ToolOutcome) -> Vec<ArgumentProblem> {
    let error = outcome.error().expect("the call was refused");
    assert_eq!(error.kind(), ErrorKind::InvalidArguments);
    error.invalid_arguments().unwrap().problems().to_vec()
}

/// Kind and place of each problem.
fn places(outcome: &ToolOutcome) -> Vec<(ProblemKind, String)> {
    let place = |problem: &ArgumentProblem| (problem.kind(), problem.pointer().to_owned());
    problems(outcome).iter().map(place).collect()
}

fn place(kind: ProblemKind, pointer: &str) -> (ProblemKind, String) {
    (kind, pointer.to_owned())
}

#[tokio::test]
async fn nothing_at_all_means_an_empty_object() {
    let executor = executor();
    let nothing = || {
        [
            Arguments::empty(),
            "".into(),
            " \n".into(),
            "null".into(),
            "{}".into(),
            " { } ".into(),
            Value::Null.into(),
            json!({}).into(),
        ]
    };
    for arguments in nothing() {
        let outcome = executor.call("fill_in", arguments).await;
        assert_eq!(outcome.text(), "all 6 Relevance [] 3 1.5 None");
    }
    for arguments in nothing() {
        let outcome = executor.call("search_archive", arguments).await;
        assert_eq!(places(&outcome), [place(ProblemKind::Missing, "/query")]);
    }
}

#[tokio::test]
async fn defaults_are_shown_where_they_can_be_and_applied_everywhere() {
    let schema = FillIn.spec().input_schema();
    assert_eq!(schema.get("required"), None);
    let default = |name: &str| schema["properties"][name].get("default").cloned();
    assert_eq!(default("scope"), Some(json!("all")));
    assert_eq!(default("count"), Some(json!(6)));
    assert_eq!(default("sort"), Some(json!("relevance")));
    assert_eq!(default("tags"), Some(json!([])));
    assert_eq!(default("opaque"), None);
    assert_eq!(default("weight"), Some(json!(1.5)));
    assert_eq!(default("note"), None);

    let given = json!({
        "scope": "", "count": 0, "sort": "date", "tags": ["x"], "opaque": {"depth": 0},
        "weight": 0.5, "note": "n",
    });
    let outcome = executor().call("fill_in", given).await;
    assert_eq!(
        outcome.text(),
        r#" 0 Date ["x"] 0 0.5 Some("n")"#,
        "what is given stays"
    );
}

#[tokio::test]
async fn an_argument_has_one_name_in_the_schema_and_others_in_calls() {
    let schema = Renamed.spec().input_schema();
    let names: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["from", "type", "where"]);
    assert_eq!(schema["required"], json!(["type"]));

    let executor = executor();
    for name in ["type", "kind", "sort"] {
        for arguments in [
            Arguments::from(json!({name: "a"})),
            json!({name: "a"}).to_string().into(),
        ] {
            let outcome = executor.call("renamed", arguments).await;
            assert_eq!(outcome.text(), "a 1 ", "{name}");
        }
    }
    let all = executor
        .call("renamed", r#"{"where": "c", "first": 9, "kind": "b"}"#)
        .await;
    assert_eq!(all.text(), "b 9 c");

    // The parameter's own name is none that the model knows.
    let own = executor.call("renamed", r#"{"what": "a"}"#).await;
    let expected = [
        place(ProblemKind::Unknown, "/what"),
        place(ProblemKind::Missing, "/type"),
    ];
    assert_eq!(places(&own), expected);
}

#[tokio::test]
async fn unknown_and_repeated_keys_are_refused() {
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

    let repeated = [place(ProblemKind::Repeated, "/type")];
    for text in [
        r#"{"type": "a", "type": "a"}"#,
        r#"{"type": "a", "kind": "a"}"#,
        r#"{"sort": "a", "kind": "b"}"#,
        r#"{"type": "a", "ty\u0070e": "b"}"#,
    ] {
        assert_eq!(
            places(&executor.call("renamed", text).await),
            repeated,
            "{text}"
        );
    }
    let tree = executor
        .call("renamed", json!({"type": "a", "kind": "a"}))
        .await;
    assert_eq!(places(&tree), repeated);
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
    let unknown = json!({"query": "x", "filters": [{"field": "a", "atmost": 3}]});
    let outcome = executor.call("search_archive", unknown).await;
    assert!(
        outcome.result().is_error(),
        "the unknown key was lost: {}",
        outcome.text()
    );
    assert_eq!(
        places(&outcome),
        [place(ProblemKind::Unknown, "/filters/0/atmost")]
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
        r#"{"query": "x",}"#,
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
        assert_eq!(by_text.text(), by_tree.text(), "{text}");
        assert_eq!(by_text.error(), by_tree.error(), "{text}");
    }
}

#[tokio::test]
async fn a_bad_call_is_told_all_that_is_wrong_with_it() {
    let bad = r#"{
        "qurey": "annual report",
        "limit": 500,
        "sort": "relevanse",
        "since": "last week",
        "filters": [{"field": "year", "at_most": "2020s"}],
        "limit": 20
    }"#;
    let outcome = executor().call("search_archive", bad).await;
    assert_eq!(outcome.text(), "");
}
