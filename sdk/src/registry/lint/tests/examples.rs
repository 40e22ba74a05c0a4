//! Examples and defaults, which the tool itself must take.

use serde::Deserialize;
use serde_json::json;

use super::*;
use crate::arguments::{ArgumentProblem, ProblemKind};
use LintKind::{Default, Example, Panicked};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only whether it can be read is of interest")]
struct Order {
    item: String,
    #[serde(default)]
    count: u8,
    #[serde(default)]
    parts: Vec<Part>,
    #[serde(default)]
    limits: std::collections::BTreeMap<u32, Part>,
    #[serde(default)]
    pair: Option<(u8, u8)>,
}

#[derive(Deserialize)]
#[serde(tag = "kind")]
#[expect(dead_code, reason = "only whether it can be read is of interest")]
enum Part {
    Screw { length: u8 },
}

/// The findings with these keywords beside the schema of each part of an order.
fn in_order(change: impl FnOnce(&mut Value)) -> Vec<Lint> {
    let part = json!({
        "anyOf": [{
            "type": "object",
            "description": "A screw.",
            "properties": {
                "kind": {"enum": ["Screw"]},
                "length": {"type": "integer", "description": "Millimetres."},
            },
        }],
    });
    let mut schema = json!({
        "type": "object",
        "properties": {
            "item": {"type": "string", "description": "It."},
            "count": {"type": "integer", "description": "It."},
            "parts": {"type": "array", "description": "It.", "items": part},
            "limits": {"type": "object", "description": "It.", "additionalProperties": part},
            "pair": {
                "type": "array",
                "description": "It.",
                "prefixItems": [{"type": "integer"}, {"type": "integer"}],
            },
        },
        "required": ["item"],
    });
    change(&mut schema);
    let mut tool = Shown::new("order", "Order something.").schema(schema);
    tool.parse = |arguments| arguments.parse::<Order>().map(drop);
    lint([tool])
}

#[test]
fn examples_of_all_the_arguments_are_parsed() {
    let found = in_order(|schema| {
        schema["examples"] = json!([
            {"item": "bolt", "count": 3},
            {"item": "bolt", "count": 300},
            {"count": 3},
            {"item": "bolt", "colour": "red"},
            [],
        ]);
        schema["default"] = json!({"item": 1});
    });
    let places = places(found.clone());
    assert_eq!(places[..4], vec![at(Example, ""); 4], "{found:?}");
    assert_eq!(places[4..], [at(Default, "")]);
    let texts: Vec<String> = found.iter().map(Lint::to_string).collect();
    assert!(
        texts
            .iter()
            .any(|text| text.contains("300") && text.contains("`/count`")),
        "{texts:?}"
    );
    assert!(
        texts
            .iter()
            .any(|text| text.contains("`/item`: is required and missing")),
        "{texts:?}"
    );
    assert_eq!(in_order(|_| ()), []);
}

#[test]
fn an_example_of_one_argument_is_parsed_alone() {
    let found = in_order(|schema| {
        let properties = &mut schema["properties"];
        properties["count"]["default"] = json!(1);
        properties["count"]["examples"] = json!([7, -1, "seven"]);
        properties["item"]["default"] = json!(null);
        properties["pair"]["prefixItems"][1]["examples"] = json!([1]);
        properties["parts"]["examples"] = json!([[], [{"kind": "Nail"}]]);
        properties["parts"]["items"]["examples"] =
            json!([{"kind": "Screw", "length": 3}, {"kind": 0}]);
        let screw = &mut properties["limits"]["additionalProperties"]["anyOf"][0];
        screw["properties"]["length"]["examples"] = json!([10]);
        let screw = &mut properties["parts"]["items"]["anyOf"][0];
        screw["properties"]["length"]["default"] = json!(12);
    });
    let expected = [
        at(Example, "/count"),
        at(Example, "/count"),
        at(Default, "/item"),
        at(Example, "/parts"),
        at(Example, "/parts/*"),
    ];
    assert_eq!(places(found.clone()), expected, "{found:?}");
    assert!(found[1].message().contains("-1"), "{}", found[1]);
}

#[test]
fn examples_are_a_list() {
    let found = in_order(|schema| {
        schema["examples"] = json!({"item": "bolt"});
        schema["properties"]["item"]["examples"] = json!("bolt");
    });
    assert_eq!(places(found), [at(Example, ""), at(Example, "/item")]);
}

/// The findings about the example of a tool with one argument and this parser.
fn with_parser(parse: fn(&Arguments<'_>) -> Result<(), InvalidArguments>) -> Vec<Lint> {
    let mut tool = Shown::new("tool", "Do something.").schema(json!({
        "type": "object",
        "properties": {
            "a": {"type": "string", "description": "It.", "examples": ["x".repeat(200)]},
        },
    }));
    tool.parse = parse;
    lint([tool])
}

#[test]
fn only_what_is_said_of_the_argument_counts() {
    fn problem(pointer: &str) -> Result<(), InvalidArguments> {
        let message = "is wrong:\nvery";
        let problem = ArgumentProblem::new(ProblemKind::Type, pointer, message);
        Err(InvalidArguments::new(vec![problem]))
    }
    assert_eq!(with_parser(|_| problem("")), []);
    assert_eq!(with_parser(|_| problem("/ab")), []);
    assert_eq!(with_parser(|_| problem("/b/a")), []);
    assert_eq!(with_parser(|_| Err(InvalidArguments::default())), []);
    for found in [
        with_parser(|_| problem("/a")),
        with_parser(|_| problem("/a/0")),
    ] {
        assert_eq!(places(found.clone()), [at(Example, "/a")]);
        let text = found[0].to_string();
        assert!(
            text.contains("is wrong: very") && !text.contains('\n'),
            "{text}"
        );
        assert!(text.len() < 250 && text.contains('…'), "{text}");
    }
    // A refusal of the arguments as a whole, without a message, is a finding too.
    let mut silent =
        Shown::new("tool", "Do something.").schema(json!({"type": "object", "examples": [{}]}));
    silent.parse = |_| Err(InvalidArguments::default());
    assert_eq!(places(lint([silent])), [at(Example, "")]);
}

#[test]
fn a_parser_that_panics_is_told_of() {
    let found = with_parser(|_| panic!("boom"));
    assert_eq!(places(found), [at(Panicked, "/a")]);
}
