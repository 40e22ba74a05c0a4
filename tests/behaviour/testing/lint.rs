//! Findings about tools as their authors write them, and tools without findings.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toolwright::registry::{Lint, LintKind, OnCollision};
use toolwright::{PermissionRequest, ToolName, ToolOutput, ToolRegistry, testing, tool};

use crate::support::HandMade;

fn places(registry: &ToolRegistry) -> Vec<(LintKind, String)> {
    let place = |lint: &Lint| (lint.kind(), format!("{}{}", lint.tool(), lint.pointer()));
    registry.lint().iter().map(place).collect()
}

fn at(kind: LintKind, place: &str) -> (LintKind, String) {
    (kind, place.to_owned())
}

/// A figure, as a union of the forms that serde has.
#[derive(Deserialize, JsonSchema)]
#[serde(tag = "form", rename_all = "snake_case")]
#[expect(dead_code, reason = "nothing is drawn")]
enum Figure {
    /// A circle.
    Circle {
        /// From the middle to the edge.
        radius: f64,
    },
    /// A box.
    Rectangle {
        /// The width.
        width: f64,
        /// The height.
        height: f64,
    },
    Point,
}

/// The ink to draw with.
#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "nothing is drawn")]
enum Ink {
    /// A shade of grey.
    Grey(u8),
    /// Red, green and blue.
    Colour((u8, u8, u8)),
    Black,
}

/// A tree of groups.
#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "nothing is drawn")]
struct Group {
    /// The name of the group.
    #[serde(default)]
    label: String,
    /// The groups in it.
    #[serde(default)]
    groups: Vec<Group>,
}

struct Canvas;

/// Draw a figure on the canvas.
#[tool(name = "canvas.draw")]
fn draw(
    /// The figure to draw.
    figure: Figure,
    /// The ink of the lines.
    ink: Option<Ink>,
    /// The group that it belongs to.
    group: Option<Group>,
    /// The width of the line.
    #[arg(default = 1, range = 1..=100)]
    thickness: u8,
    /// The style of the edges.
    #[arg(default = "solid", one_of("solid", "dotted"))]
    edge: String,
    canvas: &Canvas,
) {
    let _ = (figure, ink, group, thickness, edge, canvas);
}

/// Wipe a part of the canvas.
#[tool(name = "canvas.wipe")]
fn wipe(canvas: &Canvas) {
    let _ = canvas;
}

#[test]
fn well_made_tools_are_left_alone() {
    let registry = ToolRegistry::new().with(Draw).with(Wipe);
    assert_eq!(places(&registry), []);
    testing::assert_no_lints(&registry);
    testing::assert_no_lints(&ToolRegistry::new());
}

/// Send a letter to somebody.
#[tool(name = "letter.send")]
fn send_letter(to: String, extra: Vec<Value>, sheets: Option<Sheets>, letters: &Mutex<Letters>) {
    let _ = (to, extra, sheets, letters);
}

/// Send letter, to somebody!
#[tool(name = "letters.send")]
fn send_letters(
    /// The letters to send.
    letters: Vec<String>,
    store: &Mutex<Letters>,
) {
    let _ = (letters, store);
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "nothing is sent")]
struct Sheets {
    /// The number of sheets.
    #[schemars(example = 3, example = -3)]
    #[schemars(extend("default" = "some"))]
    count: u8,
    format: String,
}

struct Letters;

#[test]
fn what_a_reviewer_would_say_of_annotated_functions() {
    let registry = ToolRegistry::new().with(SendLetter).with(SendLetters);
    let expected = [
        at(LintKind::UndocumentedArgument, "letter.send/extra"),
        at(LintKind::Typeless, "letter.send/extra/*"),
        at(LintKind::UndocumentedArgument, "letter.send/sheets"),
        at(LintKind::Example, "letter.send/sheets/count"),
        at(LintKind::Default, "letter.send/sheets/count"),
        at(LintKind::UndocumentedArgument, "letter.send/sheets/format"),
        at(LintKind::UndocumentedArgument, "letter.send/to"),
        at(LintKind::SimilarNames, "letters.send"),
        at(LintKind::SimilarDescriptions, "letters.send"),
        at(LintKind::NamedLikeResource, "letters.send/letters"),
    ];
    assert_eq!(places(&registry), expected);
    let lints = registry.lint();
    let example = &lints[3];
    assert_eq!(example.tool(), "letter.send");
    assert_eq!(
        example.to_string(),
        "tool `letter.send`, argument `/sheets/count`: the tool refuses its own example `-3` \
         (`/sheets/count`: expected an integer from 0 to 255, found -3): correct it, or let the \
         tool take it"
    );
    assert_eq!(
        lints[7].other_tool().map(ToolName::as_str),
        Some("letter.send")
    );
    assert!(lints[9].message().contains("Letters"), "{}", lints[9]);
}

#[test]
fn the_assertion_has_a_line_for_each_finding_that_is_not_fine() {
    let registry = ToolRegistry::new().with(SendLetter).with(SendLetters);
    let lines = |check: &dyn Fn()| -> Vec<String> {
        let checked = catch_unwind(AssertUnwindSafe(check));
        let text = checked
            .err()
            .map(|payload| *payload.downcast::<String>().unwrap());
        text.iter()
            .flat_map(|text| text.lines())
            .map(str::to_owned)
            .collect()
    };
    let all: Vec<String> = registry.lint().iter().map(Lint::to_string).collect();
    assert_eq!(lines(&|| testing::assert_no_lints(&registry)), all);
    let names = |lint: &Lint| lint.kind() == LintKind::SimilarNames;
    let left = lines(&|| testing::assert_no_lints_but(&registry, |lint| !names(lint)));
    assert_eq!(left.len(), 1);
    assert!(left[0].starts_with("tool `letters.send`: "), "{left:?}");
    let left = lines(&|| testing::assert_no_lints_but(&registry, |_| true));
    assert!(left.is_empty());
}

#[test]
fn no_tool_is_run() {
    let ran = Arc::new(AtomicBool::new(false));
    let parsed = Arc::new(AtomicBool::new(false));
    let [in_ask, in_run] = [(); 2].map(|()| Arc::clone(&ran));
    let in_parse = Arc::clone(&parsed);
    let tool = HandMade::new("tool")
        .spec(|spec| spec.with_input_schema(json!({"type": "object", "examples": [{"a": 1}]})))
        .parse(move |arguments| {
            assert_eq!(*arguments.to_value()?, json!({"a": 1}));
            in_parse.store(true, Ordering::Relaxed);
            Ok(())
        })
        .ask(move |_| {
            in_ask.store(true, Ordering::Relaxed);
            Ok(Vec::<PermissionRequest>::new())
        })
        .run(move |_, _| {
            in_run.store(true, Ordering::Relaxed);
            Ok(ToolOutput::text(""))
        });
    testing::assert_no_lints(&ToolRegistry::new().with(tool));
    assert!(parsed.load(Ordering::Relaxed));
    assert!(!ran.load(Ordering::Relaxed));
}

/// Holds no schema that can be made.
#[derive(Deserialize)]
struct Broken;

impl JsonSchema for Broken {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Broken".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        panic!("there is none")
    }
}

/// Take what has no schema.
#[tool(name = "broken", struct_name = TakeBroken)]
fn broken(it: Broken) {
    let _ = it;
}

#[test]
fn a_tool_that_panics_is_a_finding_among_the_others() {
    let panics = HandMade::new("panics")
        .spec(|spec| spec.with_input_schema(json!({"type": "object", "examples": [{}]})))
        .parse(|_| panic!("this parser is broken"));
    let registry = ToolRegistry::new()
        .with(panics)
        .with(TakeBroken)
        .with(SendLetters);
    let expected = [
        at(LintKind::Panicked, "broken"),
        at(LintKind::NamedLikeResource, "letters.send/letters"),
        at(LintKind::Panicked, "panics"),
    ];
    assert_eq!(places(&registry), expected);
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Window {
    /// The first line.
    first: u32,
    /// The last line.
    last: u32,
}

/// Show lines of a file.
#[tool(name = "lines.show", pure)]
fn show_lines(
    /// The lines to show.
    #[arg(default = Window { first: 1, last: 10 })]
    window: Window,
) -> u32 {
    window.last - window.first
}

#[test]
fn a_default_that_is_an_object_is_taken() {
    let registry = ToolRegistry::new().with(ShowLines);
    let schema = registry.get("lines.show").unwrap().spec().input_schema();
    assert_eq!(schema["properties"]["window"]["default"]["last"], 10);
    testing::assert_no_lints(&registry);
}

#[test]
fn tools_of_two_sources_are_compared_once_they_are_merged() {
    let mut registry = ToolRegistry::new().with(HandMade::new("fs.read"));
    testing::assert_no_lints(&registry);
    let theirs = ToolRegistry::new()
        .with(HandMade::new("fs_read").spec(|spec| spec.with_alias("cat".parse().unwrap())));
    testing::assert_no_lints(&theirs);
    registry.merge(theirs, OnCollision::Fail).unwrap();
    let expected = [
        at(LintKind::ToolName, "fs.read"),
        at(LintKind::SimilarNames, "fs_read"),
        at(LintKind::SimilarDescriptions, "fs_read"),
    ];
    assert_eq!(places(&registry), expected);
}
