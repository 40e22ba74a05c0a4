//! The examples that the model sees beside the types: whole calls, and single values.

use serde_json::{Value, json};
use toolwright::registry::LintKind;
use toolwright::{Tool, ToolRegistry, testing, tool, tool_type};

/// Read a part of a file.
#[tool(register = false,
    read_only,
    examples({"path": "a.txt", from: 3, tags: ["x", null, {"deep": [1.5, -2, true]}]}, {path: "b"}, {})
)]
fn read_part(
    /// Path of the file.
    #[arg(default = "c")]
    path: String,
    /// First line.
    #[arg(name = "from", default = 1, range = 1..=100)]
    start: u32,
    /// Anything.
    #[arg(default)]
    tags: Vec<Value>,
) -> String {
    format!("{path} {start} {tags:?}")
}

#[test]
fn examples_are_in_the_schema_as_they_were_written() {
    let expected = json!([
        {"path": "a.txt", "from": 3, "tags": ["x", null, {"deep": [1.5, -2, true]}]},
        {"path": "b"},
        {},
    ]);
    assert_eq!(ReadPart.spec().input_schema()["examples"], expected);
    assert_eq!(json!(ReadPart.spec().examples()), expected);
}

fn small() -> u32 {
    7
}

/// An order of results.
#[tool_type]
#[serde(rename_all = "snake_case")]
enum Sort {
    ByDate,
    Relevance,
}

/// A span of lines.
#[tool_type]
struct Span {
    /// The first line.
    #[arg(range = 1.., example = 3)]
    first: u32,
    /// The last line.
    #[arg(example = 9)]
    last: Option<u32>,
}

/// Search for a word.
#[tool(register = false, pure)]
fn search(
    /// The word.
    #[arg(example = "tide", length = 1..)]
    word: String,
    /// The most hits.
    #[arg(default = 5, example = small() + 1, range = 1..=10)]
    most: u32,
    /// In which order.
    #[arg(example = Sort::ByDate)]
    sort: Option<Sort>,
    /// The lines.
    #[arg(example = Span { first: 1, last: Some(2) })]
    span: Span,
) -> String {
    let Span { first, last } = span;
    let sort = sort.map(|sort| matches!(sort, Sort::Relevance));
    format!("{word} {most} {sort:?} {first} {last:?}")
}

#[test]
fn an_example_of_one_argument_is_at_that_argument() {
    let properties = &Search.spec().input_schema()["properties"];
    assert_eq!(properties["word"]["examples"], json!(["tide"]));
    assert_eq!(properties["most"]["examples"], json!([8]));
    assert_eq!(properties["most"]["default"], json!(5));
    assert_eq!(properties["sort"]["examples"], json!(["by_date"]));
    assert_eq!(
        properties["span"]["examples"],
        json!([{"first": 1, "last": 2}])
    );
    let span = &properties["span"]["properties"];
    assert_eq!(span["first"]["examples"], json!([3]));
    assert_eq!(span["last"]["examples"], json!([9]));
    testing::assert_no_lints(&ToolRegistry::new().with(Search));
}

/// Count up to a number, in turns.
#[tool(register = false, pure, examples({"to": 300}, {"to": 3, "names": ["a", 2]}, {"names": []}, {"to": 3, "names": []}))]
fn count_up(
    /// The last number.
    to: u8,
    /// The people who count.
    names: Vec<String>,
) -> u8 {
    to.wrapping_add(u8::try_from(names.len()).unwrap_or_default())
}

/// Slide so far to one side.
#[tool(register = false, pure)]
fn slide(
    /// The distance.
    #[arg(example = small() * 2, range = 1..=10)]
    far: u32,
) -> u32 {
    far
}

#[test]
fn examples_that_the_tool_refuses_are_found_and_right_ones_are_not() {
    let lints = ToolRegistry::new().with(CountUp).with(Slide).lint();
    let found: Vec<(LintKind, &str)> = lints
        .iter()
        .map(|lint| (lint.kind(), lint.tool().as_str()))
        .collect();
    assert_eq!(
        found,
        [
            (LintKind::Example, "count_up"),
            (LintKind::Example, "count_up"),
            (LintKind::Example, "count_up"),
            (LintKind::Example, "slide"),
        ]
    );
    let told: Vec<String> = lints.iter().map(ToString::to_string).collect();
    for part in [
        "`/to`: expected an integer",
        "`/names/1`",
        "`/to`: is required",
    ] {
        assert!(told.iter().any(|lint| lint.contains(part)), "{told:?}");
    }
    assert_eq!(lints[3].pointer(), "/far");
}
