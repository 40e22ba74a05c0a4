//! All mistakes of a call are reported at once, and nothing else.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use serde_json::{Value, json};
use toolwright::arguments::ProblemKind;
use toolwright::{Executor, ToolOutcome, ToolRegistry, tool, tool_type};

use crate::support::{place, places, problems};

/// A look.
#[tool_type]
struct Look {
    #[arg(aliases("colour"))]
    color: String,
    #[arg(range = 1..=9)]
    size: u8,
}

/// Something.
#[tool_type]
struct Thing {
    #[arg(aliases("title", "label"))]
    name: String,
    count: u32,
    look: Option<Look>,
}

/// Something flat, which serde reads from a copy.
#[tool_type]
struct Flat {
    id: u32,
    #[serde(flatten)]
    look: Look,
}

/// A kind of thing.
#[tool_type]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Kind {
    Round {
        #[arg(aliases("r"))]
        radius: u32,
        depth: u32,
    },
    #[serde(alias = "square")]
    Edged { side: u32 },
}

/// A type that knows more than its schema, which somebody wrote.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Lax {
    #[serde(default)]
    level: f64,
    #[serde(default)]
    _note: Option<Value>,
    _exact: u8,
}

impl JsonSchema for Lax {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Lax".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let schema = json!({
            "type": "object",
            "properties": {
                "level": {"type": "integer", "maximum": 10},
                "_exact": {"type": "integer"},
            },
            "required": ["_exact"],
        });
        Schema::try_from(schema).unwrap()
    }
}

/// A list that leads to itself.
#[tool_type]
struct Tree {
    value: u8,
    #[serde(default)]
    below: Vec<Tree>,
}

/// Take things of all kinds.
#[tool(register = false, pure)]
#[expect(clippy::too_many_arguments)]
fn take(
    things: Option<Vec<Thing>>,
    flat: Option<Flat>,
    flats: Option<Vec<Flat>>,
    kinds: Option<Vec<Kind>>,
    lax: Option<Lax>,
    pair: Option<(u8, Thing, Thing)>,
    tree: Option<Tree>,
    map: Option<BTreeMap<String, Thing>>,
) -> String {
    fn sum(tree: &Tree) -> u32 {
        u32::from(tree.value) + tree.below.iter().map(sum).sum::<u32>()
    }
    let look = |look: &Look| look.color.len() + usize::from(look.size);
    let thing = |thing: &Thing| {
        thing.name.len() + thing.count as usize + thing.look.as_ref().map_or(0, look)
    };
    let flat_size = |flat: &Flat| flat.id as usize + look(&flat.look);
    let kind = |kind: &Kind| match kind {
        Kind::Round { radius, depth } => radius + depth,
        Kind::Edged { side } => *side,
    };
    let things: usize = things
        .iter()
        .flatten()
        .chain(map.iter().flat_map(BTreeMap::values))
        .map(thing)
        .sum();
    let flat: usize = flat
        .iter()
        .chain(flats.iter().flatten())
        .map(flat_size)
        .sum();
    let kinds: u32 = kinds.iter().flatten().map(kind).sum();
    let lax = lax.map_or(0.0, |lax| lax.level);
    let pair = pair.map_or(0, |(n, a, b)| usize::from(n) + thing(&a) + thing(&b));
    format!(
        "{things} {flat} {kinds} {lax} {pair} {}",
        tree.as_ref().map_or(0, sum)
    )
}

fn executor() -> Executor {
    Executor::new(ToolRegistry::new().with(Take)).unwrap()
}

async fn called(executor: &Executor, arguments: &Value) -> ToolOutcome {
    let text = executor.call("take", arguments.to_string()).await;
    let tree = executor.call("take", arguments).await;
    assert_eq!(text.text(), tree.text());
    text
}

use ProblemKind::{Constraint, Missing, Repeated, Type, Unknown};

#[tokio::test]
async fn each_call_is_told_all_of_its_problems_and_no_others() {
    let executor = executor();
    for (arguments, expected) in [
        (
            json!({"things": [{"name": 1, "count": -1}, {"count": "x", "look": {"size": 0}}]}),
            vec![
                (Type, "/things/0/count"),
                (Type, "/things/0/name"),
                (Type, "/things/1/count"),
                (Constraint, "/things/1/look/size"),
                (Missing, "/things/1/look/color"),
                (Missing, "/things/1/name"),
            ],
        ),
        // Another name is one, whatever else is wrong.
        (
            json!({"things": [{"title": "a", "count": "x"}, {"label": "a"}, {"tilte": "a", "count": 1}]}),
            vec![
                (Type, "/things/0/count"),
                (Missing, "/things/1/count"),
                (Unknown, "/things/2/tilte"),
                (Missing, "/things/2/name"),
            ],
        ),
        (
            json!({"things": [{"title": 1, "count": "x"}, {"title": "a", "label": "b", "count": 1}]}),
            vec![
                (Type, "/things/0/count"),
                (Type, "/things/0/title"),
                (Repeated, "/things/1/name"),
            ],
        ),
        (
            json!({"things": [{"title": "a", "label": "b", "count": 1}]}),
            vec![(Repeated, "/things/0/name")],
        ),
        (
            json!({"flat": {"id": "x", "colour": "red", "size": 1}}),
            vec![(Type, "/flat/id")],
        ),
        (
            json!({"flats": [{"id": 1, "colour": "red", "size": 1}, {"id": 1, "colour": "red", "size": 10, "siez": 1}]}),
            vec![(Constraint, "/flats/1/size"), (Unknown, "/flats/1/siez")],
        ),
        (
            json!({"kinds": [{"kind": "round", "r": 1, "depth": "x"}, {"kind": "round", "r": 1, "x": 1}]}),
            vec![
                (Type, "/kinds/0/depth"),
                (Unknown, "/kinds/1/x"),
                (Missing, "/kinds/1/depth"),
            ],
        ),
        (
            json!({"kinds": [{"kind": "square", "side": "x"}, {"kind": "edged", "side": "y"}]}),
            // The name of a branch may be another name too.
            vec![(Type, "/kinds/0"), (Type, "/kinds/1/side")],
        ),
        // A form that a type takes is not refused for what its schema says of it; a constraint that
        // only the schema has is enforced.
        (
            json!({"lax": {"level": 11.5, "_exact": 1}}),
            vec![(Constraint, "/lax/level")],
        ),
        (
            json!({"lax": {"level": 9.5, "_note": 1, "_exact": "x"}}),
            vec![(Type, "/lax/_exact")],
        ),
        (
            json!({"lax": {"level": 9.5, "_note": 1, "_exact": 1, "x": 1}}),
            vec![(Unknown, "/lax/x")],
        ),
        (
            json!({"pair": [1, {"name": "a", "count": 1}, {"title": "a", "count": "x", "y": 1}]}),
            vec![(Type, "/pair/2/count"), (Unknown, "/pair/2/y")],
        ),
        (
            json!({"pair": ["x", {"name": 1, "count": 1}, {"title": "a", "count": "x"}]}),
            vec![
                (Type, "/pair/0"),
                (Type, "/pair/1/name"),
                (Type, "/pair/2/count"),
            ],
        ),
        (
            json!({"tree": {"value": 1, "below": [{"value": 256}, {"value": 1, "below": [{}, {"value": "x"}]}]}}),
            vec![
                (Type, "/tree/below/0/value"),
                (Missing, "/tree/below/1/below/0/value"),
                (Type, "/tree/below/1/below/1/value"),
            ],
        ),
        (
            json!({"map": {"a~b": {"name": 1, "count": 1}, "c/d": {"name": "x", "count": -1}}}),
            vec![(Type, "/map/a~0b/name"), (Type, "/map/c~1d/count")],
        ),
    ] {
        let outcome = called(&executor, &arguments).await;
        let mut told = places(&outcome);
        let mut expected: Vec<_> = expected.iter().map(|(k, at)| place(*k, at)).collect();
        let by_place = |(_, at): &(ProblemKind, String)| at.clone();
        told.sort_by_key(by_place);
        expected.sort_by_key(by_place);
        assert_eq!(told, expected, "{arguments}\n{}", outcome.text());
    }
}

#[tokio::test]
async fn no_more_is_told_than_is_read_and_the_rest_is_counted() {
    let executor = executor();
    let things = vec![json!({"name": 1, "count": 1}); 100];
    let outcome = called(&executor, &json!({"things": things})).await;
    let error = outcome.error().unwrap();
    let invalid = error.invalid_arguments().unwrap();
    assert_eq!((invalid.problems().len(), invalid.omitted()), (20, 80));
    assert!(
        outcome
            .text()
            .contains("\n- and 80 more\nValid arguments: ")
    );
    let unknown: serde_json::Map<String, Value> =
        (0..50).map(|n| (format!("zz{n}"), json!(n))).collect();
    let outcome = called(&executor, &Value::Object(unknown)).await;
    assert!(
        outcome.text().contains("\n- and 30 more\n"),
        "{}",
        outcome.text()
    );
}

#[tokio::test]
async fn expected_and_found_are_data() {
    let executor = executor();
    let arguments = json!({
        "things": [{"name": [1, 2], "count": 1}],
        "flat": {"id": 1, "color": "red", "size": 99},
        "map": {"a": {"name": "x".repeat(100)}},
        "zzz": 1,
    });
    let told = problems(&called(&executor, &arguments).await);
    let parts: Vec<_> = told.iter().map(|p| (p.expected(), p.found())).collect();
    assert_eq!(
        parts,
        [
            (Some("an integer from 1 to 9"), Some("99")),
            (Some("an integer of at least 0"), None),
            (Some("text"), Some("a list of 2")),
            (None, None),
        ]
    );
}

/// A call that is right, with other names in many places.
fn good() -> Value {
    json!({
        "things": [
            {"title": "a", "count": 1, "look": {"colour": "red", "size": 1}},
            {"name": "b", "count": 2},
        ],
        "flat": {"id": 1, "colour": "red", "size": 2},
        "flats": [{"id": 1, "color": "red", "size": 3}, {"id": 2, "colour": "blue", "size": 4}],
        "kinds": [{"kind": "round", "r": 1, "depth": 2}, {"kind": "edged", "side": 3}],
        "pair": [1, {"label": "a", "count": 1}, {"name": "a", "count": 1}],
        "tree": {"value": 1, "below": [{"value": 2}, {"value": 3, "below": [{"value": 4}]}]},
        "map": {"a/b": {"title": "a", "count": 1}, "c": {"name": "c", "count": 1}},
    })
}

/// The mistakes that can be made in the arguments, each independent of the others: the place, the wrong value (`None`
/// removes the value), and the place where the mistake is reported.
fn wrong() -> Vec<(&'static str, Option<Value>, ProblemKind, &'static str)> {
    let at = |at, value: Value, kind| (at, Some(value), kind, at);
    let gone = |at| (at, None, Missing, at);
    vec![
        at("/things/0/title", json!(1), Type),
        at("/things/0/count", json!("x"), Type),
        at("/things/0/look/size", json!(10), Constraint),
        (
            "/things/0/look/colour",
            None,
            Missing,
            "/things/0/look/color",
        ),
        at("/things/0/look/sort", json!(1), Unknown),
        at("/things/1/tilte", json!("b"), Unknown),
        gone("/things/1/name"),
        at("/things/2", json!("x"), Type),
        at("/flat/id", json!([]), Type),
        at("/flat/size", json!("x"), Type),
        at("/flat/x", json!(1), Unknown),
        at("/flats/0/color", json!(5), Type),
        gone("/flats/0/id"),
        at("/flats/1/size", json!(99), Constraint),
        at("/flats/1/y", json!({}), Unknown),
        at("/kinds/0/depth", json!(-1), Constraint),
        at("/kinds/0/x", json!(null), Unknown),
        gone("/kinds/1/side"),
        at("/kinds/1/r", json!(1), Unknown),
        at("/kinds/2", json!({"kind": "rond", "r": 1}), Type),
        at("/pair/0", json!(256), Type),
        gone("/pair/1/count"),
        at("/pair/2/name", json!(true), Type),
        at("/pair/2/z", json!(1), Unknown),
        at("/tree/below/0/value", json!("x"), Type),
        at("/tree/below/1/below/0/below", json!(7), Type),
        gone("/tree/value"),
        at("/map/a~1b/count", json!(1.5), Type),
        gone("/map/c/name"),
        at("/map/c/q", json!(1), Unknown),
    ]
}

fn change(arguments: &mut Value, at: &str, value: Option<Value>) {
    let (parent, key) = at.rsplit_once('/').unwrap();
    match arguments.pointer_mut(parent).unwrap() {
        Value::Object(members) => match value {
            Some(value) => drop(members.insert(key.to_owned(), value)),
            None => drop(members.remove(key).unwrap()),
        },
        Value::Array(items) => match (key.parse::<usize>().unwrap(), value) {
            (index, Some(value)) if index == items.len() => items.push(value),
            (index, Some(value)) => items[index] = value,
            (index, None) => drop(items.remove(index)),
        },
        other => panic!("{other}"),
    }
}

/// As numbers: any, and the same on each run.
fn numbers() -> impl Iterator<Item = u64> {
    let next = |state: &u64| {
        Some(
            state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(99),
        )
    };
    std::iter::successors(Some(7_u64), next).map(|state| state >> 33)
}

#[tokio::test]
async fn whatever_is_wrong_together_is_told_together() {
    let executor = executor();
    assert!(executor.call("take", good()).await.is_success());
    let wrong = wrong();
    let mut numbers = numbers();
    for round in 0..400 {
        // The first rounds make a single mistake, the others several.
        let one_in = 2 + numbers.next().unwrap() % 8;
        let mut chosen = || numbers.next().unwrap().is_multiple_of(one_in);
        let some: Vec<_> = match wrong.get(round) {
            Some(one) => vec![one.clone()],
            None => wrong.iter().filter(|_| chosen()).cloned().collect(),
        };
        if some.is_empty() || some.len() > 20 {
            continue;
        }
        let mut arguments = good();
        for (at, value, ..) in &some {
            change(&mut arguments, at, value.clone());
        }
        let outcome = called(&executor, &arguments).await;
        let mut told: Vec<String> = places(&outcome).into_iter().map(|(_, at)| at).collect();
        // A wrong name of a branch is reported at the tag.
        let shown = |at: &&str| at.replace("/kinds/2", "/kinds/2/kind");
        let mut expected: Vec<String> = some.iter().map(|(.., at)| shown(at)).collect();
        told.sort();
        expected.sort();
        assert_eq!(told, expected, "{arguments}\n{}", outcome.text());
        if let [(.., kind, _)] = &some[..] {
            assert_eq!(places(&outcome)[0].0, *kind, "{arguments}");
        }
    }
}

/// Large calls with many faults: the whole is about as long as reading them.
#[tokio::test]
async fn many_problems_are_found_in_little_time() {
    let executor = executor();
    let long = "x".repeat(1 << 20);
    let mut deep = json!({"value": 1});
    for _ in 0..50 {
        deep = json!({"value": 256, "x": 1, "below": [deep, {}, {"y": 1}]});
    }
    for arguments in [
        json!({"things": vec![json!({"name": 1, "colour": {}}); 40_000]}),
        json!({"things": vec![json!({"title": 1, "count": 1}); 40_000]}),
        json!({"flats": vec![json!({"id": "x", "colour": "red", "size": 1, "y": 1}); 40_000]}),
        json!({"kinds": vec![json!({"kind": "square", "r": 1, "q": "x"}); 40_000]}),
        json!({"things": [{"title": long, "label": long, "count": "x", "zzz": long}]}),
        json!({"tree": deep}),
        json!({"map": {(long.as_str()): {"name": 1, "count": 2, "zzz": 1}}}),
        json!({"map": (0..40_000).map(|n| (format!("{n}"), json!({"name": 1}))).collect::<serde_json::Map<_, _>>()}),
        json!({"things": [(0..40_000).map(|n| (format!("k{n}"), json!("text"))).collect::<serde_json::Map<_, _>>()]}),
    ] {
        let start = Instant::now();
        let outcome = executor.call("take", &arguments).await;
        let took = start.elapsed();
        println!("{took:?} {}", outcome.text().len());
        assert!(outcome.result().is_error());
        assert!(outcome.text().len() < 8192, "{}", outcome.text().len());
        assert!(took < Duration::from_secs(60), "{took:?}");
    }
}
