//! The kinds of types that there are: enums in each of serde's taggings, tuples, generics, results.

use serde_json::{Value, json};
use toolwright::arguments::ProblemKind;
use toolwright::{Tool, tool, tool_type};

use super::{call, executor, strict};
use crate::support::{place, places};

/// A figure, by the name of its form.
#[tool_type]
#[derive(Debug)]
enum External {
    /// A dot.
    Dot,
    Circle {
        #[arg(range = 1..=9)]
        radius: u8,
    },
    Square(#[arg(range = 2..=8)] u8),
    Oval(#[arg(range = 1..)] u8, u8),
}

/// A figure, by a tag among its fields.
#[tool_type]
#[derive(Debug)]
#[serde(
    tag = "form",
    rename_all = "kebab-case",
    rename_all_fields = "camelCase"
)]
enum Internal {
    /// A dot.
    SmallDot,
    Circle {
        #[arg(range = 1..=9, default = 4)]
        radius_in_cm: u8,
        /// Its name.
        #[arg(aliases("title"))]
        name: Option<String>,
    },
    Square(Side),
}

#[tool_type]
#[derive(Debug)]
struct Side {
    #[arg(range = 2..=8)]
    side: u8,
}

/// A figure, by a tag beside its content.
#[tool_type]
#[derive(Debug)]
#[serde(tag = "form", content = "of")]
enum Adjacent {
    Dot,
    Circle {
        #[arg(range = 1..=9)]
        radius: u8,
    },
    Square(#[arg(range = 2..=8)] u8),
}

/// A figure, by what it is made of.
#[tool_type]
#[derive(Debug)]
#[serde(untagged)]
enum Untagged {
    Circle {
        #[arg(range = 1..=9)]
        radius: u8,
    },
    Square {
        #[arg(range = 2..=8)]
        side: u8,
        #[arg(aliases("colour"))]
        color: Option<String>,
    },
    Named(#[arg(one_of("dot", "point"))] String),
    Sides(Vec<u8>),
}

/// A figure with what all figures have.
#[tool_type]
#[derive(Debug)]
struct Flattened {
    #[arg(length = 1..)]
    title: String,
    #[serde(flatten)]
    side: Side,
    #[serde(flatten)]
    internal: Internal,
}

/// Draw figures.
#[tool(register = false, pure)]
fn draw(
    external: Option<Vec<External>>,
    internal: Option<Vec<Internal>>,
    adjacent: Option<Vec<Adjacent>>,
    untagged: Option<Vec<Untagged>>,
    flattened: Option<Vec<Flattened>>,
) -> String {
    let all = [
        format!("{external:?}"),
        format!("{internal:?}"),
        format!("{adjacent:?}"),
        format!("{untagged:?}"),
        format!("{flattened:?}"),
    ];
    all.into_iter()
        .find(|text| text != "None")
        .unwrap_or_default()
}

#[tokio::test]
async fn what_is_meant_is_taken() {
    let executor = executor(Draw);
    for (argument, figure, expected) in [
        ("external", json!("Dot"), "Dot"),
        (
            "external",
            json!({"Circle": {"radius": 9}}),
            "Circle { radius: 9 }",
        ),
        ("external", json!({"Square": 2}), "Square(2)"),
        ("external", json!({"Oval": [1, 2]}), "Oval(1, 2)"),
        ("internal", json!({"form": "small-dot"}), "SmallDot"),
        (
            "internal",
            json!({"form": "circle"}),
            "Circle { radius_in_cm: 4, name: None }",
        ),
        (
            "internal",
            json!({"form": "circle", "radiusInCm": 1, "title": "x"}),
            "Circle { radius_in_cm: 1, name: Some(\"x\") }",
        ),
        (
            "internal",
            json!({"side": 2, "form": "square"}),
            "Square(Side { side: 2 })",
        ),
        ("adjacent", json!({"form": "Dot"}), "Dot"),
        (
            "adjacent",
            json!({"form": "Circle", "of": {"radius": 1}}),
            "Circle { radius: 1 }",
        ),
        ("adjacent", json!({"of": 8, "form": "Square"}), "Square(8)"),
        ("untagged", json!({"radius": 1}), "Circle { radius: 1 }"),
        (
            "untagged",
            json!({"side": 2, "colour": "red"}),
            "Square { side: 2, color: Some(\"red\") }",
        ),
        ("untagged", json!("dot"), "Named(\"dot\")"),
        ("untagged", json!([1, 2]), "Sides([1, 2])"),
        (
            "flattened",
            json!({"title": "t", "side": 3, "form": "circle", "title2": null})
                .as_object()
                .map(|all| {
                    all.clone()
                        .into_iter()
                        .filter(|(key, _)| key != "title2")
                        .collect()
                })
                .unwrap(),
            "Flattened { title: \"t\", side: Side { side: 3 }, internal: Circle { radius_in_cm: 4, name: Some(\"t\") } }",
        ),
    ] {
        let outcome = call(&executor, "draw", &json!({argument: [figure]})).await;
        let text = outcome.text();
        // Both flattened parts see `title`, which is an alias in one of them.
        let other = expected.replace("name: Some(\"t\")", "name: None");
        assert!(
            text == format!("Some([{expected}])") || text == format!("Some([{other}])"),
            "{argument} {figure}: {text}"
        );
    }
}

#[tokio::test]
#[expect(clippy::too_many_lines, reason = "it is a table")]
async fn what_is_wrong_is_told_where_it_is() {
    use ProblemKind::{Constraint, Missing, Type, Unknown};
    let executor = strict(Draw);
    for (argument, figure, kind, at, words) in [
        (
            "external",
            json!("Dott"),
            Type,
            "",
            "found the text \"Dott\"",
        ),
        (
            "external",
            json!({"Circle": {"radius": 10}}),
            Constraint,
            "/Circle/radius",
            "from 1 to 9, found 10",
        ),
        (
            "external",
            json!({"Circle": {"radius": 1, "r": 1}}),
            Unknown,
            "/Circle/r",
            "no such",
        ),
        (
            "external",
            json!({"Square": 1}),
            Constraint,
            "/Square",
            "from 2 to 8, found 1",
        ),
        (
            "external",
            json!({"Oval": [0, 1]}),
            Constraint,
            "/Oval/0",
            "from 1 to 255, found 0",
        ),
        (
            "external",
            json!({"Circle": [1]}),
            Type,
            "/Circle",
            "found a list of 1",
        ),
        (
            "internal",
            json!({"form": "circle", "radiusInCm": 10}),
            Constraint,
            "/radiusInCm",
            "from 1 to 9, found 10",
        ),
        (
            "internal",
            json!({"form": "circle", "radius_in_cm": 1}),
            Unknown,
            "/radius_in_cm",
            "did you mean `radiusInCm`?",
        ),
        (
            "internal",
            json!({"form": "circle", "radiusInCm": "1"}),
            Type,
            "/radiusInCm",
            "found the text \"1\"",
        ),
        (
            "internal",
            json!({"form": "small-dot", "x": 1}),
            Unknown,
            "/x",
            "no such",
        ),
        (
            "internal",
            json!({"form": "small_dot"}),
            Type,
            "/form",
            "did you mean `small-dot`?",
        ),
        (
            "internal",
            json!({"form": null}),
            Type,
            "/form",
            "found null",
        ),
        (
            "internal",
            json!({"radiusInCm": 1}),
            Missing,
            "/form",
            "one of \"small-dot\", \"circle\", \"square\"",
        ),
        (
            "internal",
            json!({"form": "square", "side": 9}),
            Constraint,
            "/side",
            "from 2 to 8, found 9",
        ),
        (
            "internal",
            json!({"form": "square", "side": 2, "sied": 9}),
            Unknown,
            "/sied",
            "there is no such argument; valid here: `form`, `side`",
        ),
        (
            "internal",
            json!({"form": "square"}),
            Missing,
            "/side",
            "from 2 to 8",
        ),
        (
            "internal",
            json!(["small-dot"]),
            Type,
            "",
            "found a list of 1",
        ),
        ("internal", json!("small-dot"), Type, "", "found the text"),
        (
            "adjacent",
            json!({"form": "Circle", "of": {"radius": 0}}),
            Constraint,
            "/of/radius",
            "from 1 to 9, found 0",
        ),
        (
            "adjacent",
            json!({"form": "Circle", "of": {"radius": 1, "x": 1}}),
            Unknown,
            "/of/x",
            "no such",
        ),
        (
            "adjacent",
            json!({"form": "Circle", "of": [1]}),
            Type,
            "/of",
            "found a list of 1",
        ),
        (
            "adjacent",
            json!({"form": "Circle"}),
            Missing,
            "/of",
            "is required",
        ),
        (
            "adjacent",
            json!({"form": "Square", "of": 9}),
            Constraint,
            "/of",
            "from 2 to 8, found 9",
        ),
        (
            "adjacent",
            json!({"form": "Squre", "of": 9}),
            Type,
            "/form",
            "did you mean `Square`?",
        ),
        (
            "adjacent",
            json!({"form": "Dot", "off": 9}),
            Unknown,
            "/off",
            "no such",
        ),
        (
            "untagged",
            json!({"radius": 1, "x": 1}),
            Unknown,
            "/x",
            "no such",
        ),
        (
            "untagged",
            json!({"side": 2, "sde": 1}),
            Unknown,
            "/sde",
            "there is no such argument; valid here: `color`, `side`",
        ),
        (
            "untagged",
            json!({"side": 9}),
            Type,
            "",
            "or an object with `side`",
        ),
        (
            "untagged",
            json!("line"),
            Constraint,
            "",
            "\"dot\", \"point\"",
        ),
        ("untagged", json!(7), Type, "", "found 7"),
        (
            "flattened",
            json!({"title": "t", "side": 9, "form": "small-dot"}),
            Constraint,
            "/side",
            "from 2 to 8, found 9",
        ),
        (
            "flattened",
            json!({"title": "", "side": 2, "form": "small-dot"}),
            Constraint,
            "/title",
            "at least 1 character",
        ),
        (
            "flattened",
            json!({"title": "t", "side": 2, "form": "small-dot", "x": 1}),
            Unknown,
            "/x",
            "no such",
        ),
        (
            "flattened",
            json!({"title": "t", "side": 2}),
            Missing,
            "/form",
            "is required",
        ),
    ] {
        let outcome = call(&executor, "draw", &json!({argument: [figure]})).await;
        let pointer = format!("/{argument}/0{at}");
        assert_eq!(
            places(&outcome),
            [place(kind, &pointer)],
            "{figure}: {}",
            outcome.text()
        );
        assert!(outcome.text().contains(words), "{}", outcome.text());
    }
}

#[tokio::test]
async fn all_that_is_wrong_in_a_tagged_object_is_told() {
    use ProblemKind::{Constraint, Missing, Unknown};
    let executor = executor(Draw);
    let figures = json!({"internal": [{"form": "circle", "radiusInCm": 0, "x": 1}, {"form": "square", "y": 1}]});
    let outcome = call(&executor, "draw", &figures).await;
    let found = places(&outcome);
    for expected in [
        place(Constraint, "/internal/0/radiusInCm"),
        place(Unknown, "/internal/0/x"),
    ] {
        assert!(found.contains(&expected), "{}", outcome.text());
    }
    let figures = json!({"internal": [{"form": "square", "y": 1}]});
    let outcome = call(&executor, "draw", &figures).await;
    assert_eq!(
        places(&outcome),
        [
            place(Unknown, "/internal/0/y"),
            place(Missing, "/internal/0/side")
        ]
    );
}

/// A pair of numbers, the second a percentage.
#[tool_type]
#[derive(Debug)]
struct Pair(i64, #[arg(range = 0..=100)] u8);

/// A page of anything.
#[tool_type]
#[derive(Debug)]
#[serde(rename_all = "camelCase")]
struct Page<T, const N: usize> {
    first_item: Option<T>,
    all_items: Vec<T>,
    #[serde(default)]
    size: Size<N>,
}

/// Its size.
#[tool_type]
#[derive(Debug, Default)]
struct Size<const N: usize> {
    #[serde(default)]
    lines: usize,
}

/// Turn a page.
#[tool(register = false, pure)]
fn turn(pairs: Page<Pair, 3>, words: Option<Page<String, 4>>) -> String {
    format!("{pairs:?} {words:?}")
}

#[tokio::test]
async fn tuples_and_generic_types_work() {
    let executor = executor(Turn);
    let schema = Turn.spec().input_schema();
    let page = &schema["properties"]["pairs"]["properties"];
    assert_eq!(page["allItems"]["items"]["prefixItems"][1]["maximum"], 100);
    let words = &schema["properties"]["words"]["properties"];
    assert_eq!(words["allItems"]["items"]["type"], "string");
    let good = json!({"pairs": {"allItems": [[-1, 100]]}, "words": {"firstItem": "a", "allItems": [], "size": {"lines": 2}}});
    assert_eq!(
        call(&executor, "turn", &good).await.text(),
        "Page { first_item: None, all_items: [Pair(-1, 100)], size: Size { lines: 0 } } \
         Some(Page { first_item: Some(\"a\"), all_items: [], size: Size { lines: 2 } })"
    );
    for (pairs, at) in [
        (json!({"allItems": [[1, 2], [1, 101]]}), "/allItems/1/1"),
        (
            json!({"firstItem": [1, 101], "allItems": []}),
            "/firstItem/1",
        ),
    ] {
        let outcome = call(&executor, "turn", &json!({"pairs": pairs})).await;
        let pointer = format!("/pairs{at}");
        assert_eq!(places(&outcome), [place(ProblemKind::Constraint, &pointer)]);
        assert!(
            outcome.text().contains("from 0 to 100, found 101"),
            "{}",
            outcome.text()
        );
    }
    for pairs in [json!([[1]]), json!([[1, 2, 3]]), json!([{"0": 1, "1": 2}])] {
        let outcome = call(&executor, "turn", &json!({"pairs": {"allItems": pairs}})).await;
        assert!(!outcome.is_success(), "{}", outcome.text());
    }
}

/// Only written.
#[tool_type(result)]
struct Report {
    /// The number of parts.
    total: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    handle: Opaque,
}

/// Cannot be read.
#[tool_type(result)]
#[serde(rename_all = "lowercase")]
enum Opaque {
    Open,
}

/// Only read.
#[tool_type(argument)]
struct Query {
    #[arg(length = 1..)]
    word: String,
    kept: Option<std::time::Duration>,
}

/// Report on something.
#[tool(register = false, pure, struct_name = MakeReport)]
fn report(query: Query) -> Report {
    let _ = query.kept;
    Report {
        total: query.word.len(),
        note: None,
        handle: Opaque::Open,
    }
}

#[tokio::test]
async fn a_type_may_be_only_read_or_only_written() {
    let executor = executor(MakeReport);
    let outcome = call(&executor, "report", &json!({"query": {"word": "abc"}})).await;
    assert_eq!(outcome.text(), r#"{"total":3,"handle":"open"}"#);
    let refused = call(&executor, "report", &json!({"query": {"word": ""}})).await;
    assert_eq!(
        places(&refused),
        [place(ProblemKind::Constraint, "/query/word")]
    );
    let schema = MakeReport.spec().output_schema().unwrap();
    assert_eq!(
        schema["properties"]["total"]["description"],
        "The number of parts."
    );
    assert_eq!(schema["properties"]["handle"]["enum"], json!(["open"]));
    let input: &Value = MakeReport.spec().input_schema();
    assert_eq!(
        input["properties"]["query"]["properties"]["word"]["minLength"],
        1
    );
}
