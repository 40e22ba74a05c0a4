//! Arguments with random slips, and what becomes of them in every form. `TOOLWRIGHT_CASES` sets how
//! many.

use serde_json::{Map, Value, json};
use toolwright::arguments::{Arguments, InvalidArguments};
use toolwright::{Executor, Tool, ToolOutcome, ToolSpec};

use super::{Plan, executor, strict};
use crate::support::HandMade;

fn cases() -> u64 {
    let set = std::env::var("TOOLWRIGHT_CASES").ok();
    set.and_then(|count| count.parse().ok()).unwrap_or(500)
}

/// Random numbers that are the same on every run (`SplitMix64`).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(end.max(1)).unwrap()).unwrap()
    }

    fn of<'v, T>(&mut self, values: &'v [T]) -> &'v T {
        &values[self.below(values.len())]
    }
}

fn valid(random: &mut Random) -> Value {
    let step = json!({"what": "Pack", "durationMinutes": 30, "subSteps": [{"what": "Fold"}]});
    let all = json!({
        "title": "5",
        "priority": random.of(&["low", "very_high"]),
        "steps": [step, {"what": "[1]"}],
        "when": random.of(&[json!({"kind": "now"}), json!({"kind": "at", "hour": 7}), json!({"kind": "every", "days": [1, 2]})]),
        "budget": random.of(&[json!(0.1), json!(3), json!(1e23), json!(-0.0)]),
        "number": random.of(&[json!(i64::MIN), json!(0), json!(9_007_199_254_740_993_i64)]),
        "is_public": true,
        "weights": {"a/b": 1, "~": -1, "": 0},
        "labels": ["home", "true"],
    });
    let Value::Object(all) = all else { return all };
    let keep = |(key, _): &(String, Value)| key == "title" || random.below(3) > 0;
    Value::Object(all.into_iter().filter(keep).collect())
}

fn junk(random: &mut Random) -> Value {
    random
        .of(&[
            Value::Null,
            json!(true),
            json!(1.5),
            json!(u64::MAX),
            json!(-1),
            json!(""),
            json!("5"),
            json!(" TRUE "),
            json!("[]"),
            json!("{\"what\": \"x\", \"WHAT\": 5}"),
            json!("[{\"kind\": \"At\"}"),
            json!("\u{0}\u{d7ff}"),
            json!([]),
            json!([[1]]),
            json!({}),
            json!({"kind": "Now", "what": "x"}),
            json!("0.1000000000000000055511151231257827"),
            json!("18446744073709551616"),
            json!("Very-High"),
        ])
        .clone()
}

fn respell(key: &str, random: &mut Random) -> String {
    let spaced: Vec<String> = key
        .chars()
        .flat_map(|c| {
            if c.is_uppercase() {
                vec!['_', c.to_ascii_lowercase()]
            } else {
                vec![c]
            }
        })
        .collect::<String>()
        .split('_')
        .map(str::to_owned)
        .collect();
    match random.below(6) {
        0 => spaced.join("_"),
        1 => spaced.join("-"),
        2 => spaced.join(" ").to_uppercase(),
        3 => spaced.concat(),
        4 => format!("{key}x"),
        _ => key.to_uppercase(),
    }
}

/// Changes something somewhere in a value.
fn mutate(value: &mut Value, random: &mut Random) {
    let inner = match value {
        Value::Array(items) => items.len(),
        Value::Object(members) => members.len(),
        _ => 0,
    };
    if inner > 0 && random.below(4) > 0 {
        let at = random.below(inner);
        match value {
            Value::Array(items) => mutate(&mut items[at], random),
            Value::Object(members) => member(members, at, random),
            _ => {}
        }
        return;
    }
    let changed = match (&*value, random.below(5)) {
        (Value::String(text), 0) => json!(text.to_uppercase()),
        (Value::Array(items), 0) if items.len() == 1 => items[0].clone(),
        (value, 0..=2) => json!(value.to_string()),
        (value, 3) => json!([value]),
        _ => junk(random),
    };
    *value = changed;
}

fn member(members: &mut Map<String, Value>, at: usize, random: &mut Random) {
    let Some(key) = members.keys().nth(at).cloned() else {
        return;
    };
    match random.below(8) {
        0 => {
            members.remove(&key);
        }
        1 | 2 => {
            if let Some(value) = members.remove(&key) {
                members.insert(respell(&key, random), value);
            }
        }
        3 => {
            members.insert(respell(&key, random), junk(random));
        }
        4 => {
            members.insert(key, Value::Null);
        }
        _ => {
            if let Some(value) = members.get_mut(&key) {
                mutate(value, random);
            }
        }
    }
}

/// Checks one call, and says whether it was repaired.
async fn check(
    lenient: &Executor,
    strict: &Executor,
    spec: &ToolSpec,
    sent: &Arguments<'_>,
) -> bool {
    let name = spec.name().as_str();
    let shown = || {
        sent.to_value()
            .map_or_else(|_| String::new(), |value| value.to_string())
    };
    let (by_lenient, by_strict) = (
        lenient.call(name, sent.clone()).await,
        strict.call(name, sent.clone()).await,
    );
    let repairs = by_lenient.result().repairs();
    if by_strict.is_success() {
        assert!(repairs.is_empty(), "{} was repaired: {repairs:?}", shown());
        assert_eq!(by_lenient.text(), by_strict.text(), "{}", shown());
        return false;
    }
    assert!(
        by_lenient.is_success() <= !repairs.is_empty(),
        "{}",
        shown()
    );
    if repairs.is_empty() {
        return false;
    }
    let mut ran = sent.to_value().unwrap().into_owned();
    for repair in repairs {
        assert!(repair.apply(&mut ran), "{repair} of {} in {ran}", shown());
    }
    // The tool got the repaired arguments, and they need no more repairs.
    let again = strict.call(name, &ran).await;
    assert_eq!(end(&again), end(&by_lenient), "{} became {ran}", shown());
    assert!(
        spec.repair(&Arguments::from(&ran)).is_none(),
        "{} became {ran}",
        shown()
    );
    by_lenient.is_success()
}

fn end(outcome: &ToolOutcome) -> (bool, String) {
    (outcome.is_success(), outcome.text())
}

async fn check_all(tools: impl Fn() -> (Executor, Executor, ToolSpec), seed: u64) -> u64 {
    let (lenient, strict, spec) = tools();
    let mut random = Random(seed);
    let mut repaired = 0;
    for _ in 0..cases() {
        let mut sent = valid(&mut random);
        for _ in 0..random.below(4) {
            mutate(&mut sent, &mut random);
        }
        let text = sent.to_string();
        let by_tree = check(&lenient, &strict, &spec, &Arguments::from(&sent)).await;
        let by_text = check(&lenient, &strict, &spec, &Arguments::from(&text)).await;
        assert_eq!(by_tree, by_text, "{text}");
        repaired += u64::from(by_tree);
        // Broken text is refused, and nothing panics.
        let cut = (0..=random.below(text.len()))
            .rev()
            .find(|end| text.is_char_boundary(*end));
        let cut = &text[..cut.unwrap_or(0)];
        let outcome = lenient.call(spec.name().as_str(), cut).await;
        assert!(cut.is_empty() || outcome.result().is_error(), "{cut}");
    }
    repaired
}

#[tokio::test]
async fn random_slips_are_repaired_as_told_or_refused() {
    let typed = || (executor(Plan), strict(Plan), Plan.spec().clone());
    assert!(check_all(typed, 1).await > cases() / 20);

    let by_hand = || {
        let tool = HandMade::new("plan")
            .spec(|spec| spec.with_input_schema(Plan.spec().input_schema().clone()));
        // A parse that a typed tool lends, so that it is as strict.
        let tool = tool
            .parse(|arguments| -> Result<(), InvalidArguments> { Plan.parse(arguments).map(drop) });
        (
            executor(tool.clone()),
            strict(tool.clone()),
            Tool::spec(&tool).clone(),
        )
    };
    assert!(check_all(by_hand, 2).await > cases() / 20);
}
