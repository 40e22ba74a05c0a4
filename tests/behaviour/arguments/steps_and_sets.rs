//! `multiple_of` and `unique_items` on every type that takes them, wherever it stands.

use std::collections::{BTreeSet, HashSet, VecDeque};
use std::num::{NonZeroI64, NonZeroU8};

use serde_json::{Value, json};
use toolwright::arguments::{ProblemKind, constraint};
use toolwright::tools::Typed;
use toolwright::{Executor, RunTool, Tool, ToolContext, ToolRegistry, tool, tool_type};

use crate::support::{place, places};

/// Count in steps.
#[tool(pure)]
#[expect(clippy::too_many_arguments)]
fn step(
    #[arg(multiple_of = 3)] signed: Option<i64>,
    #[arg(multiple_of = 3)] unsigned: Option<u64>,
    #[arg(multiple_of = 3)] wide: Option<i128>,
    #[arg(multiple_of = 3)] small: Option<u8>,
    #[arg(multiple_of = 3)] other: Option<NonZeroI64>,
    #[arg(multiple_of = 3)] natural: Option<NonZeroU8>,
    #[arg(multiple_of = 2.0)] even: Option<f64>,
    #[arg(multiple_of = 0.01)] cents: Option<f64>,
    #[arg(multiple_of = 0.01)] short: Option<f32>,
) -> String {
    format!(
        "{signed:?} {unsigned:?} {wide:?} {small:?} {other:?} {natural:?} {even:?} {cents:?} {short:?}"
    )
}

#[tokio::test]
async fn multiples_are_exact() {
    let executor = Executor::new(ToolRegistry::new().with(Step)).unwrap();
    let schema = Step.spec().input_schema();
    for name in ["signed", "unsigned", "wide", "small", "other", "natural"] {
        assert_eq!(schema["properties"][name]["multipleOf"], 3, "{name}");
        assert_eq!(schema["properties"][name]["type"], "integer", "{name}");
    }
    assert_eq!(schema["properties"]["cents"]["multipleOf"], 0.01);
    assert_eq!(schema["properties"]["short"]["multipleOf"], 0.01);
    // 2^53 + 1 and its neighbours are one number to a 64-bit float.
    for (name, value, good) in [
        ("signed", json!(9_007_199_254_740_993_i64), true),
        ("signed", json!(9_007_199_254_740_992_i64), false),
        ("signed", json!(9_007_199_254_740_994_i64), false),
        ("signed", json!(i64::MIN + 2), true),
        ("signed", json!(i64::MIN), false),
        ("unsigned", json!(u64::MAX), true),
        ("unsigned", json!(u64::MAX - 1), false),
        ("wide", json!(u64::MAX), true),
        ("wide", json!(u64::MAX - 1), false),
        ("small", json!(0), true),
        ("small", json!(255), true),
        ("small", json!(254), false),
        ("other", json!(-3), true),
        ("other", json!(-4), false),
        ("natural", json!(9), true),
        ("natural", json!(10), false),
        ("even", json!(4), true),
        ("even", json!(-4.0), true),
        ("even", json!(1e300), true),
        ("even", json!(3), false),
        ("even", json!(4.5), false),
        ("cents", json!(19.99), true),
        ("cents", json!(-1_070_468.14), true),
        ("cents", json!(0), true),
        ("cents", json!(0.005), false),
        ("cents", json!(19.999), false),
        ("short", json!(19.99), true),
        ("short", json!(19.999), false),
    ] {
        let outcome = executor.call("step", &json!({name: value})).await;
        assert_eq!(
            outcome.is_success(),
            good,
            "{name} {value}: {}",
            outcome.text()
        );
        if !good {
            let expected = place(ProblemKind::Constraint, &format!("/{name}"));
            assert_eq!(places(&outcome), [expected], "{value}");
            assert!(
                outcome.text().contains("a multiple of"),
                "{}",
                outcome.text()
            );
        }
    }
}

/// A suit of cards.
#[tool_type]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Suit {
    Hearts,
    #[serde(alias = "piques")]
    Spades,
}

/// A card.
#[tool_type]
#[derive(Debug, PartialEq, Eq, Hash)]
struct Card {
    suit: Suit,
    #[serde(default)]
    rank: u8,
}

/// A list of the app's own.
#[tool_type]
#[derive(Debug)]
struct Deck(Vec<Card>);

impl constraint::UniqueTarget for Deck {
    type Item = Card;

    fn has_unique_items(&self) -> bool {
        constraint::all_different(self.0.iter())
    }
}

/// Take each item once.
#[tool(pure)]
#[expect(clippy::too_many_arguments)]
fn once(
    #[arg(unique_items)] numbers: Option<Vec<i64>>,
    #[arg(unique_items)] line: Option<VecDeque<String>>,
    #[arg(unique_items)] pairs: Option<Vec<(u8, Option<bool>)>>,
    #[arg(unique_items)] suits: Option<Vec<Suit>>,
    #[arg(unique_items, length = ..=3)] cards: Option<Vec<Card>>,
    #[arg(unique_items)] deck: Option<Deck>,
    #[arg(unique_items)] set: Option<BTreeSet<u8>>,
    #[arg(unique_items)] table: Option<HashSet<String>>,
) -> String {
    format!("{numbers:?} {line:?} {pairs:?} {suits:?} {cards:?} {deck:?} {set:?} {table:?}")
}

#[tokio::test]
async fn no_item_comes_twice() {
    let executor = Executor::new(ToolRegistry::new().with(Once)).unwrap();
    let schema = Once.spec().input_schema();
    for (name, property) in schema["properties"].as_object().unwrap() {
        assert_eq!(property["uniqueItems"], true, "{name}");
        assert_eq!(property["type"], "array", "{name}");
    }
    let many: Vec<u32> = (0..100).chain([50]).collect();
    for (name, good, bad) in [
        ("numbers", json!([1, -1, 0]), json!([1, 2, 1])),
        ("numbers", json!([i64::MAX, i64::MAX - 1]), json!(many)),
        ("line", json!(["a", "b"]), json!(["a", "a"])),
        (
            "pairs",
            json!([[1, null], [1, true]]),
            json!([[1, null], [1, null]]),
        ),
        (
            "suits",
            json!(["Hearts", "Spades"]),
            json!(["Spades", "Spades"]),
        ),
        (
            "cards",
            json!([{"suit": "Hearts"}, {"suit": "Spades"}, {"suit": "Spades", "rank": 2}]),
            json!([{"suit": "Hearts", "rank": 1}, {"rank": 1, "suit": "Hearts"}]),
        ),
        (
            "deck",
            json!([{"suit": "Hearts"}]),
            json!([{"suit": "Hearts"}, {"suit": "Hearts"}]),
        ),
    ] {
        let outcome = executor.call("once", &json!({name: good})).await;
        assert!(outcome.is_success(), "{name} {good}: {}", outcome.text());
        let outcome = executor.call("once", &json!({name: bad})).await;
        let expected = place(ProblemKind::Constraint, &format!("/{name}"));
        assert_eq!(places(&outcome), [expected], "{bad}");
        assert!(
            outcome.text().contains("a list of different"),
            "{}",
            outcome.text()
        );
    }
    // Items that the type reads as one are one: by another name, and with the default written out.
    for (name, bad) in [
        ("suits", json!(["Spades", "piques"])),
        (
            "cards",
            json!([{"suit": "Hearts"}, {"suit": "Hearts", "rank": 0}]),
        ),
    ] {
        let outcome = executor.call("once", &json!({name: bad})).await;
        let expected = place(ProblemKind::Constraint, &format!("/{name}"));
        assert_eq!(places(&outcome), [expected], "{bad}");
    }
}

#[tokio::test]
async fn a_long_list_is_looked_through_once() {
    let executor = Executor::new(ToolRegistry::new().with(Once)).unwrap();
    let numbers: Vec<u32> = (0..100_000).collect();
    let outcome = executor.call("once", &json!({"numbers": numbers})).await;
    assert!(outcome.is_success());
}

/// An order of wine.
#[tool_type]
#[derive(Debug, PartialEq, Eq, Hash)]
struct Order {
    #[arg(multiple_of = 6, default = 6)]
    bottles: u16,
    #[arg(unique_items)]
    labels: Option<Vec<String>>,
    #[serde(default)]
    parts: Vec<Order>,
}

/// So much, by one of two measures.
#[tool_type]
#[derive(Debug)]
enum Amount {
    Boxes(#[arg(multiple_of = 4)] Option<Bottles>),
    Litres {
        #[arg(multiple_of = 0.25, example = 0.75)]
        litres: f64,
    },
}

/// A number of bottles.
#[tool_type]
#[derive(Debug)]
struct Bottles(#[arg(multiple_of = 6)] u32);

impl constraint::RangeTarget for Bottles {
    type Number = u32;

    fn number(&self) -> Option<u32> {
        Some(self.0)
    }
}

/// Order bottles.
#[derive(Tool)]
#[tool(pure)]
struct Buy {
    orders: Vec<Option<Order>>,
    amount: Option<Amount>,
    /// By the dozen, and by the score.
    #[arg(multiple_of = 20)]
    stock: Option<Bottles>,
}

impl RunTool for Buy {
    type Output = String;

    async fn run(self, _: &ToolContext) -> String {
        format!("{:?} {:?} {:?}", self.orders, self.amount, self.stock)
    }
}

#[tokio::test]
async fn steps_and_different_items_hold_at_any_depth() {
    let tool = Typed::<Buy>::default();
    let schema = tool.spec().input_schema();
    let order = &schema["$defs"]["Order"]["properties"];
    assert_eq!(order["bottles"]["multipleOf"], 6, "{schema}");
    assert_eq!(order["labels"]["uniqueItems"], true);
    // The constraints of the type and of the field hold together.
    assert_eq!(schema["properties"]["stock"]["multipleOf"], 60);
    let boxes = &schema["properties"]["amount"]["anyOf"][0]["properties"]["Boxes"];
    assert_eq!(boxes["type"], json!(["integer", "null"]));
    assert_eq!(boxes["multipleOf"], 12);

    let executor = Executor::new(ToolRegistry::new().with(tool)).unwrap();
    let good = json!({
        "orders": [null, {"labels": ["a", "b"], "parts": [{"bottles": 12}, {"bottles": 0}]}],
        "amount": {"Litres": {"litres": 0.75}},
        "stock": 120,
    });
    let outcome = executor.call("buy", &good).await;
    assert!(outcome.is_success(), "{}", outcome.text());
    for (pointer, value, words) in [
        (
            "/orders/1/parts/0/bottles",
            json!(7),
            "an integer from 0 to 65535, a multiple of 6, found 7",
        ),
        (
            "/orders/1/labels",
            json!(["a", "a"]),
            "a list of different texts, found a list of 2",
        ),
        (
            "/amount/Litres/litres",
            json!(0.3),
            "a number, a multiple of 0.25, found 0.3",
        ),
        ("/stock", json!(40), "a multiple of 60, found 40"),
        ("/stock", json!(66), "a multiple of 60, found 66"),
    ] {
        let mut bad: Value = good.clone();
        *bad.pointer_mut(pointer).unwrap() = value;
        let outcome = executor.call("buy", &bad).await;
        assert_eq!(places(&outcome), [place(ProblemKind::Constraint, pointer)]);
        assert!(outcome.text().contains(words), "{}", outcome.text());
    }
    for (boxes, good) in [
        (json!(24), true),
        (Value::Null, true),
        (json!(6), false),
        (json!(4), false),
    ] {
        let outcome = executor
            .call("buy", &json!({"orders": [], "amount": {"Boxes": boxes}}))
            .await;
        assert_eq!(outcome.is_success(), good, "{boxes}: {}", outcome.text());
    }
}

#[test]
fn a_default_that_is_no_multiple_is_told_by_the_lint_too() {
    const SEVEN: u32 = 7;

    /// Take a step.
    #[tool(pure, register = false)]
    fn stride(#[arg(default = SEVEN, multiple_of = 5)] of: u32) -> u32 {
        of
    }

    /// Name some things.
    #[tool(pure, register = false, examples({"names": ["a", "a"]}))]
    fn name(
        #[arg(unique_items, example = vec!["b".to_owned(), "b".to_owned()])] names: Vec<String>,
    ) -> usize {
        names.len()
    }

    let registry = ToolRegistry::new().with(Stride).with(Name);
    let found: Vec<String> = registry.lint().iter().map(ToString::to_string).collect();
    for part in ["default", "a multiple of 5", "different texts"] {
        assert!(
            found.iter().any(|text| text.contains(part)),
            "{part}: {found:#?}"
        );
    }
}
