//! Constraints, defaults and names of fields, wherever the type is used.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use toolwright::arguments::ProblemKind;
use toolwright::{Tool, tool, tool_type};

use super::{call, executor, strict};
use crate::support::{place, places};

/// Somebody who travels.
#[tool_type]
#[derive(Debug)]
struct Passenger {
    /// As in the passport.
    #[arg(length = 1..=20)]
    name: String,
    #[arg(range = 0..=120)]
    age: u8,
    #[arg(one_of("window", "aisle"))]
    seat: Option<String>,
    #[arg(range = 0.0..100.0)]
    weight: Option<f64>,
    #[arg(default = 1, range = 0..=3)]
    bags: u8,
    #[arg(
        name = "type",
        aliases("kind"),
        default = "adult",
        one_of("adult", "child")
    )]
    what: String,
    #[arg(format = "date")]
    born: Option<String>,
    #[arg(length = ..=2)]
    #[serde(default)]
    meals: Vec<String>,
}

/// Book seats.
#[tool(register = false, pure)]
fn book(
    passengers: Vec<Option<Passenger>>,
    by_name: Option<BTreeMap<String, Vec<Passenger>>>,
    pair: Option<(Passenger, u8)>,
) -> String {
    format!("{passengers:?} {by_name:?} {pair:?}")
}

fn passenger(change: &Value) -> Value {
    let mut passenger = json!({"name": "Ada", "age": 36});
    let members = passenger.as_object_mut().unwrap();
    members.extend(change.as_object().unwrap().clone());
    passenger
}

/// Mistakes in a passenger, and their reports.
#[expect(clippy::too_many_lines, reason = "it is a table")]
fn wrong() -> Vec<(Value, ProblemKind, &'static str, &'static str)> {
    use ProblemKind::{Constraint, Missing, Type, Unknown};
    vec![
        (
            json!({"age": 121}),
            Constraint,
            "/age",
            "expected an integer from 0 to 120, found 121",
        ),
        (
            json!({"age": 300}),
            Type,
            "/age",
            "expected an integer from 0 to 120, found 300",
        ),
        (
            json!({"age": -1}),
            Type,
            "/age",
            "expected an integer from 0 to 120, found -1",
        ),
        (
            json!({"age": null}),
            Type,
            "/age",
            "expected an integer from 0 to 120, found null",
        ),
        (
            json!({"name": ""}),
            Constraint,
            "/name",
            "expected text of 1 to 20 characters, found the text \"\"",
        ),
        (
            json!({"seat": "isle"}),
            Constraint,
            "/seat",
            "expected one of \"window\", \"aisle\", found the text \"isle\"; did you mean `aisle`?",
        ),
        (
            json!({"seat": 1}),
            Type,
            "/seat",
            "expected one of \"window\", \"aisle\", found 1",
        ),
        (
            json!({"weight": 100.0}),
            Constraint,
            "/weight",
            "expected a number of at least 0.0 and below 100.0, found 100.0",
        ),
        (
            json!({"bags": 4}),
            Constraint,
            "/bags",
            "expected an integer from 0 to 3, found 4",
        ),
        (
            json!({"bags": null}),
            Type,
            "/bags",
            "expected an integer from 0 to 3, found null",
        ),
        (
            json!({"type": "chlid"}),
            Constraint,
            "/type",
            "expected one of \"adult\", \"child\", found the text \"chlid\"; did you mean `child`?",
        ),
        (
            json!({"kind": "dog"}),
            Constraint,
            "/kind",
            "expected one of \"adult\", \"child\", found the text \"dog\"",
        ),
        (
            json!({"kind": 1}),
            Type,
            "/kind",
            "expected one of \"adult\", \"child\", found 1",
        ),
        (
            json!({"born": "today"}),
            Constraint,
            "/born",
            "expected a date such as \"2030-01-31\", found the text \"today\"",
        ),
        (
            json!({"meals": ["a", "b", "c"]}),
            Constraint,
            "/meals",
            "expected a list of texts, at most 2, found a list of 3",
        ),
        (
            json!({"meals": ["a", 1]}),
            Type,
            "/meals/1",
            "expected text, found 1",
        ),
        (
            json!({"aeg": 1}),
            Unknown,
            "/aeg",
            "there is no such argument; valid here: `age`, `bags`",
        ),
        (
            json!({"what": "adult"}),
            Unknown,
            "/what",
            "there is no such argument",
        ),
        (json!([1]), Missing, "", ""),
    ]
}

#[tokio::test]
async fn a_constraint_of_a_field_holds_at_any_depth() {
    let executor = strict(Book);
    for (change, kind, at, words) in wrong() {
        let (bad, at, kind) = if change.is_array() {
            (json!(["Ada", 36]), "", ProblemKind::Type)
        } else {
            (passenger(&change), at, kind)
        };
        for (arguments, top) in [
            (json!({"passengers": [null, bad]}), "/passengers/1"),
            (
                json!({"passengers": [], "by_name": {"a/b": [passenger(&json!({})), bad]}}),
                "/by_name/a~1b/1",
            ),
            (json!({"passengers": [], "pair": [bad, 1]}), "/pair/0"),
        ] {
            let outcome = call(&executor, "book", &arguments).await;
            let pointer = format!("{top}{at}");
            assert_eq!(places(&outcome), [place(kind, &pointer)], "{arguments}");
            let text = outcome.text();
            assert!(text.contains(&format!("`{pointer}`: {words}")), "{text}");
        }
    }
    let outcome = call(
        &executor,
        "book",
        &json!({"passengers": [null, passenger(&json!({"age": 121}))]}),
    )
    .await;
    let first = outcome.text();
    assert_eq!(
        first.lines().next(),
        Some(
            "Invalid arguments: `/passengers/1/age`: expected an integer from 0 to 120, found 121"
        )
    );
}

#[tokio::test]
async fn what_is_absent_or_null_breaks_no_constraint_and_defaults_are_filled_in() {
    let executor = executor(Book);
    let plain = r#"Some(Passenger { name: "Ada", age: 36, seat: None, weight: None, bags: 1, what: "adult", born: None, meals: [] })"#;
    for change in [
        json!({}),
        json!({"seat": null}),
        json!({"seat": null, "weight": null, "born": null}),
        json!({"bags": 1, "type": "adult", "meals": []}),
        json!({"kind": "adult"}),
    ] {
        let outcome = call(
            &executor,
            "book",
            &json!({"passengers": [null, passenger(&change)]}),
        )
        .await;
        assert_eq!(
            outcome.text(),
            format!("[None, {plain}] None None"),
            "{change}"
        );
    }
    let full = passenger(&json!({
        "age": 120, "seat": "aisle", "weight": 99.5, "bags": 0, "kind": "child", "born": "2020-02-29",
        "meals": ["a", "b"],
    }));
    let outcome = call(&executor, "book", &json!({"passengers": [full]})).await;
    let expected = r#"[Some(Passenger { name: "Ada", age: 120, seat: Some("aisle"), weight: Some(99.5), bags: 0, what: "child", born: Some("2020-02-29"), meals: ["a", "b"] })] None None"#;
    assert_eq!(outcome.text(), expected);
    let text = r#"{"passengers": [{"name": "a", "age": 1, "type": "adult", "kind": "child"}]}"#;
    assert!(
        !executor.call("book", text).await.is_success(),
        "one name for one field"
    );
}

#[test]
fn everything_that_is_enforced_is_in_the_schema() {
    let schema = Book.spec().input_schema();
    let item = &schema["properties"]["passengers"]["items"];
    assert_eq!(item["type"], json!(["object", "null"]));
    assert_eq!(item["additionalProperties"], false);
    assert_eq!(item["required"], json!(["name", "age"]));
    let expected = json!({
        "name": {"type": "string", "description": "As in the passport.", "minLength": 1, "maxLength": 20},
        "age": {"type": "integer", "minimum": 0, "maximum": 120},
        "seat": {"type": "string", "enum": ["window", "aisle"]},
        "weight": {"type": "number", "minimum": 0.0, "exclusiveMaximum": 100.0},
        "bags": {"type": "integer", "minimum": 0, "maximum": 3, "default": 1},
        "type": {"type": "string", "enum": ["adult", "child"], "default": "adult"},
        "born": {"type": "string", "format": "date"},
        "meals": {"type": "array", "items": {"type": "string"}, "maxItems": 2, "default": []},
    });
    assert_eq!(item["properties"], expected);
    let listed = &schema["properties"]["by_name"]["additionalProperties"]["items"];
    assert_eq!(listed["properties"], expected);
    assert_eq!(
        schema["properties"]["pair"]["prefixItems"][0]["properties"],
        expected
    );
}

/// So many of something.
#[tool_type]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
struct Count(#[arg(range = 1..=9)] u8);

/// A word, checked where it stands.
#[tool_type]
#[derive(Debug)]
#[serde(transparent)]
struct Word {
    #[arg(pattern = "^[a-z]+$")]
    text: String,
}

/// A part of a tree.
#[tool_type]
#[derive(Debug)]
struct Branch {
    #[arg(length = 1..)]
    label: String,
    count: Count,
    word: Option<Word>,
    #[arg(range = 1..=5)]
    weight: Option<u8>,
    #[arg(length = ..=2)]
    #[serde(default)]
    branches: Vec<Branch>,
    #[serde(default)]
    best: Option<Box<Branch>>,
}

/// Grow.
#[tool(register = false, pure)]
fn grow(tree: Branch) -> String {
    format!("{tree:?}")
}

#[tokio::test]
async fn constraints_hold_in_types_that_hold_themselves() {
    let schema = Grow.spec().input_schema();
    let branch = &schema["$defs"]["Branch"]["properties"];
    assert_eq!(branch["label"]["minLength"], 1);
    assert_eq!(branch["count"]["minimum"], 1);
    assert_eq!(branch["count"]["maximum"], 9);
    assert_eq!(branch["word"]["pattern"], "^[a-z]+$");
    assert_eq!(branch["weight"]["maximum"], 5);
    assert_eq!(branch["branches"]["maxItems"], 2);

    let executor = executor(Grow);
    let leaf = |change: Value| {
        let mut leaf = json!({"label": "x", "count": 1});
        leaf.as_object_mut()
            .unwrap()
            .extend(change.as_object().unwrap().clone());
        leaf
    };
    let good = leaf(json!({"branches": [leaf(json!({"best": leaf(json!({"word": "a"}))}))]}));
    assert!(
        call(&executor, "grow", &json!({"tree": good}))
            .await
            .is_success()
    );
    for (change, at, words) in [
        (
            json!({"label": ""}),
            "/label",
            "text of at least 1 character",
        ),
        (
            json!({"count": 10}),
            "/count",
            "an integer from 1 to 9, found 10",
        ),
        (
            json!({"word": "A"}),
            "/word",
            "matching `^[a-z]+$`, found the text \"A\"",
        ),
        (
            json!({"weight": 6}),
            "/weight",
            "an integer from 1 to 5, found 6",
        ),
        (
            json!({"branches": [leaf(json!({})), leaf(json!({})), leaf(json!({}))]}),
            "/branches",
            "at most 2, found a list of 3",
        ),
    ] {
        for (tree, top) in [
            (leaf(change.clone()), "/tree"),
            (
                leaf(json!({"branches": [leaf(json!({})), leaf(change.clone())]})),
                "/tree/branches/1",
            ),
            (
                leaf(json!({"best": leaf(json!({"best": leaf(change.clone())}))})),
                "/tree/best/best",
            ),
        ] {
            let outcome = call(&executor, "grow", &json!({"tree": tree})).await;
            let pointer = format!("{top}{at}");
            assert_eq!(places(&outcome), [place(ProblemKind::Constraint, &pointer)]);
            assert!(outcome.text().contains(words), "{}", outcome.text());
        }
    }
}

/// Newtypes are constrained where they are used, too.
#[tool(register = false, pure)]
fn carry(#[arg(range = 1..=3)] load: Load, rest: Option<Vec<Bag>>) -> String {
    format!("{load:?} {rest:?}")
}

#[tool_type]
#[derive(Debug)]
struct Load(u32);

impl toolwright::arguments::constraint::RangeTarget for Load {
    type Number = u32;

    fn number(&self) -> Option<u32> {
        Some(self.0)
    }
}

#[tool_type]
#[derive(Debug)]
struct Bag {
    #[arg(range = 2..=4)]
    load: Load,
    bags: Vec<Bag>,
}

#[tokio::test]
async fn a_constraint_on_a_field_of_a_newtype_is_in_the_schema_of_a_recursive_type_too() {
    let schema = Carry.spec().input_schema();
    assert_eq!(schema["properties"]["load"]["maximum"], 3);
    let load = &schema["$defs"]["Bag"]["properties"]["load"];
    assert_eq!(
        (&load["minimum"], &load["maximum"]),
        (&json!(2), &json!(4)),
        "{schema}"
    );
    let executor = executor(Carry);
    let bad = json!({"load": 1, "rest": [{"load": 2, "bags": [{"load": 5, "bags": []}]}]});
    let outcome = call(&executor, "carry", &bad).await;
    assert_eq!(
        places(&outcome),
        [place(ProblemKind::Constraint, "/rest/0/bags/0/load")]
    );
    assert!(
        outcome
            .text()
            .contains("expected an integer from 2 to 4, found 5")
    );
}
