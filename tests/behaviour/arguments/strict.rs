//! Values that serde accepts and a call does not get: wherever they stand, from text and from a tree.

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::{Value, json};
use toolwright::arguments::ProblemKind;
use toolwright::content::ErrorKind;
use toolwright::{Executor, Tool, ToolRegistry, tool, tool_type};

use crate::support::{place, places, ready_now};

/// The urgency.
#[tool_type]
#[derive(Debug, Clone, Copy)]
#[serde(rename_all = "snake_case")]
enum Urgency {
    Low,
    High,
}

/// An amount.
#[tool_type]
#[derive(Debug)]
struct Amount {
    count: u8,
    urgency: Option<Urgency>,
}

/// By a name.
#[tool_type]
#[derive(Debug)]
enum External {
    Amount(Amount),
    Fields { amount: Amount },
}

/// By a tag.
#[tool_type]
#[derive(Debug)]
#[serde(tag = "kind")]
enum Internal {
    Amount(Amount),
    Fields { amount: Amount },
}

/// By what is in it.
#[tool_type]
#[derive(Debug)]
#[serde(untagged)]
enum Untagged {
    Fields { amount: Amount },
}

/// With the parts of another.
#[tool_type]
#[derive(Debug)]
struct Flat {
    #[serde(flatten)]
    amount: Amount,
}

/// Take amounts in each place there is.
#[tool(register = false, pure)]
#[expect(clippy::too_many_arguments, reason = "so many places there are")]
fn take(
    top: Option<Amount>,
    list: Option<Vec<Amount>>,
    map: Option<BTreeMap<String, Amount>>,
    pair: Option<(u8, Amount)>,
    external: Option<External>,
    internal: Option<Internal>,
    untagged: Option<Untagged>,
    flat: Option<Flat>,
) -> String {
    format!("{top:?}{list:?}{map:?}{pair:?}{external:?}{internal:?}{untagged:?}{flat:?}")
}

/// Take numbers of all kinds.
#[tool(register = false, pure)]
fn count(
    small: Option<i8>,
    unsigned: Option<u64>,
    signed: Option<i64>,
    wide: Option<u128>,
    single: Option<f32>,
    double: Option<f64>,
    any: Option<Value>,
) -> String {
    format!("{small:?}{unsigned:?}{signed:?}{wide:?}{single:?}{double:?}{any:?}")
        .replace("None", "")
}

fn executor(tool: impl Tool) -> Executor {
    Executor::new(ToolRegistry::new().with(tool)).unwrap()
}

/// An amount in each place: the argument, and the pointer to it.
fn everywhere(amount: &Value) -> Vec<(Value, String)> {
    let mut tagged = json!({"kind": "Amount"});
    if let (Value::Object(tagged), Value::Object(amount)) = (&mut tagged, amount) {
        tagged.extend(amount.clone());
    }
    [
        (json!({"top": amount}), "/top"),
        (json!({"list": [{"count": 1}, amount]}), "/list/1"),
        (json!({"map": {"a/b": amount}}), "/map/a~1b"),
        (json!({"pair": [1, amount]}), "/pair/1"),
        (json!({"external": {"Amount": amount}}), "/external/Amount"),
        (
            json!({"external": {"Fields": {"amount": amount}}}),
            "/external/Fields/amount",
        ),
        (json!({"internal": tagged}), "/internal"),
        (
            json!({"internal": {"kind": "Fields", "amount": amount}}),
            "/internal/amount",
        ),
        (json!({"untagged": {"amount": amount}}), "/untagged/amount"),
        (json!({"flat": amount}), "/flat"),
    ]
    .map(|(arguments, pointer)| (arguments, pointer.to_owned()))
    .to_vec()
}

#[test]
fn what_a_schema_does_not_show_is_refused_everywhere() {
    use ProblemKind::{Constraint, Type, Unknown};
    let executor = executor(Take);
    for (amount, wrong) in [
        (json!({"count": 5}), None),
        (json!({"count": 5.0}), None),
        (json!({"count": 5, "urgency": "low"}), None),
        (json!({"count": 5, "urgency": null}), None),
        (
            json!({"count": 5, "urgency": {"low": null}}),
            Some((Type, "/urgency")),
        ),
        (
            json!({"count": 5, "urgency": {"low": {}}}),
            Some((Type, "/urgency")),
        ),
        (
            json!({"count": 5, "urgency": ["low"]}),
            Some((Type, "/urgency")),
        ),
        (
            json!({"count": 5, "urgncy": "low"}),
            Some((Unknown, "/urgncy")),
        ),
        (json!({"count": 5.5}), Some((Type, "/count"))),
        (json!({"count": 1e300}), Some((Type, "/count"))),
        (json!({"count": 256}), Some((Constraint, "/count"))),
        (json!({"count": -1}), Some((Constraint, "/count"))),
    ] {
        for (arguments, top) in everywhere(&amount) {
            let text = ready_now(executor.call("take", arguments.to_string()));
            let tree = ready_now(executor.call("take", &arguments));
            assert_eq!(
                text.is_success(),
                wrong.is_none(),
                "{arguments}: {}",
                text.text()
            );
            assert_eq!(tree.text(), text.text(), "{arguments}");
            let Some((kind, inside)) = wrong else {
                continue;
            };
            let at = format!("{top}{inside}");
            match &places(&text)[..] {
                [(found, pointer)] => {
                    assert_eq!(pointer, &at, "{arguments}: {}", text.text());
                    // Serde reports a number outside of a type's range as a wrong type.
                    assert!(
                        *found == kind || kind == Constraint,
                        "{arguments}: {found:?}"
                    );
                }
                several => panic!("{arguments}: {several:?}"),
            }
        }
    }
}

#[test]
fn a_list_for_an_object_is_refused_everywhere() {
    let executor = executor(Take);
    for (arguments, at) in everywhere(&json!([5, null])) {
        // There, the fields are the argument's own.
        if at == "/internal" {
            continue;
        }
        let text = ready_now(executor.call("take", arguments.to_string()));
        let tree = ready_now(executor.call("take", &arguments));
        assert_eq!(
            places(&text),
            [place(ProblemKind::Type, &at)],
            "{}",
            text.text()
        );
        assert_eq!(places(&tree), places(&text));
    }
}

/// A colour, with a schema by hand that says little.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
#[allow(dead_code, reason = "only shown")]
enum Colour {
    Name(Urgency),
    Parts { red: u8 },
}

impl JsonSchema for Colour {
    fn schema_name() -> Cow<'static, str> {
        "Colour".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"description": "A name or parts."})
    }
}

/// Parts that serde copies, and that may be objects.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "only shown")]
enum Loose {
    Parts {
        colour: Colour,
        #[serde(alias = "extras")]
        extra: Option<BTreeMap<String, Value>>,
        either: Option<Either>,
    },
    Any(Vec<Value>),
}

/// A unit or an object, by name.
#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code, reason = "only shown")]
enum Either {
    Nothing,
    Something(Option<u8>),
}

/// Take what is loose.
#[tool(register = false, pure)]
fn loosen(loose: Loose) -> String {
    format!("{loose:?}")
}

#[test]
fn an_object_is_refused_only_where_a_schema_has_none() {
    let executor = executor(Loosen);
    for (loose, good) in [
        (json!({"colour": "low"}), true),
        (json!({"colour": {"red": 1}}), true),
        (
            json!({"colour": {"red": 1.0}, "extra": null, "either": null}),
            true,
        ),
        (json!({"colour": "low", "extra": {"a": {"b": null}}}), true),
        // The schema decides about values that serde copies, and it does not show the names of plain derives.
        (json!({"colour": "low", "extras": {"low": null}}), false),
        (json!({"colour": "low", "either": "Nothing"}), true),
        (
            json!({"colour": "low", "either": {"Something": null}}),
            true,
        ),
        (json!({"colour": "low", "either": {"Nothing": null}}), false),
        (json!([{"low": null}, [{}]]), true),
    ] {
        let arguments = json!({"loose": loose});
        let outcome = ready_now(executor.call("loosen", arguments.to_string()));
        assert_eq!(outcome.is_success(), good, "{loose}: {}", outcome.text());
        let tree = ready_now(executor.call("loosen", arguments));
        assert_eq!(tree.text(), outcome.text());
    }
}

#[test]
fn numbers_are_exact_or_refused() {
    let executor = executor(Count);
    for (arguments, shown) in [
        (
            r#"{"unsigned": 18446744073709551615}"#,
            "Some(18446744073709551615)",
        ),
        (
            r#"{"signed": -9223372036854775808}"#,
            "Some(-9223372036854775808)",
        ),
        (
            r#"{"signed": 9223372036854775807}"#,
            "Some(9223372036854775807)",
        ),
        (r#"{"signed": -0.0}"#, "Some(0)"),
        (r#"{"small": -1.28e2}"#, "Some(-128)"),
        (r#"{"wide": 5.0}"#, "Some(5)"),
        (r#"{"single": 16777216}"#, "Some(16777216.0)"),
        (r#"{"double": 5}"#, "Some(5.0)"),
        (r#"{"any": 5.0}"#, "Some(Number(5.0))"),
        (
            r#"{"wide": 340282366920938463463374607431768211455}"#,
            "Some(340282366920938463463374607431768211455)",
        ),
    ] {
        let outcome = ready_now(executor.call("count", arguments));
        assert_eq!(outcome.text(), shown, "{arguments}");
    }
    for (arguments, expected) in [
        (r#"{"unsigned": 18446744073709551616}"#, "/unsigned"),
        (r#"{"signed": -9223372036854775809}"#, "/signed"),
        (r#"{"signed": 9223372036854775808}"#, "/signed"),
        (r#"{"signed": 9007199254740993.0}"#, "/signed"),
        (r#"{"small": 128.0}"#, "/small"),
        (r#"{"small": 0.5}"#, "/small"),
        (r#"{"wide": 0.5}"#, "/wide"),
        (r#"{"wide": -1}"#, "/wide"),
        (r#"{"single": 1e39}"#, "/single"),
    ] {
        let text = ready_now(executor.call("count", arguments));
        let pointers: Vec<String> = places(&text).into_iter().map(|(_, at)| at).collect();
        assert_eq!(pointers, [expected], "{}", text.text());
        let tree: Value = serde_json::from_str(arguments).unwrap();
        let tree = ready_now(executor.call("count", tree));
        assert_eq!(tree.text(), text.text());
    }
    let outcome = ready_now(executor.call("count", r#"{"double": 1e400}"#));
    assert_eq!(places(&outcome), [place(ProblemKind::Syntax, "")]);
    assert!(
        outcome.text().contains("a number is out of range"),
        "{}",
        outcome.text()
    );
}

#[test]
fn hostile_text_is_refused_and_not_more() {
    let executor = executor(Take);
    for deep in ["{\"list\":".repeat(100_000), "[".repeat(100_000)] {
        let outcome = ready_now(executor.call("take", &deep));
        assert_eq!(outcome.error().unwrap().kind(), ErrorKind::LimitExceeded);
        assert!(outcome.text().len() < 500, "{}", outcome.text());
    }
    let key = "k".repeat(1 << 19);
    for (text, kind) in [
        (
            r#"{"map": {"\ud800": {"count": 1}}}"#.to_owned(),
            ProblemKind::Syntax,
        ),
        (
            "{\"map\": {\"\0\": {\"count\": 1}}}".to_owned(),
            ProblemKind::Syntax,
        ),
        (format!("{{\"{key}\": 1}}"), ProblemKind::Unknown),
        (
            r#"{"top": {"count": 1}} {}"#.to_owned(),
            ProblemKind::Syntax,
        ),
    ] {
        let outcome = ready_now(executor.call("take", &text));
        let kinds: Vec<ProblemKind> = places(&outcome).into_iter().map(|(kind, _)| kind).collect();
        assert_eq!(kinds, [kind]);
        assert!(outcome.text().len() < 500, "{}", outcome.text());
    }
    let key = json!({"map": {key: {"count": 1}, "\0": {"count": 2}}});
    assert!(ready_now(executor.call("take", key.to_string())).is_success());
    let mut tree = json!({"count": 1});
    for _ in 0..120 {
        tree = json!({"urgency": tree});
    }
    let outcome = ready_now(executor.call("take", json!({"top": tree, "flat": tree})));
    assert!(
        !outcome.is_success() && outcome.text().len() < 2000,
        "{}",
        outcome.text()
    );
}
