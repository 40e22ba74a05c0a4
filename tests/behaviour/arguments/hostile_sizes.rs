//! Calls of a megabyte that are made to be slow to check. Work that grew with the square of their
//! size would not end here.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};
use toolwright::arguments::ProblemKind;
use toolwright::executor::Limits;
use toolwright::{Executor, ToolOutcome, ToolRegistry, tool, tool_type};

use crate::support::{place, places};

const MEGABYTE: usize = 1 << 20;

/// The look of a thing.
#[tool_type]
struct Look {
    #[arg(aliases("colour"))]
    color: Option<String>,
}

/// A thing, which serde reads from a copy because of the flattened part.
#[tool_type]
struct Thing {
    name: Option<String>,
    #[serde(flatten)]
    look: Look,
}

/// Keep things.
#[tool(register = false, pure)]
fn keep(
    things: Option<Vec<Thing>>,
    by_name: Option<BTreeMap<String, Vec<Thing>>>,
    maps: Option<BTreeMap<String, BTreeMap<String, u8>>>,
) -> usize {
    let text = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    let size = |thing: &Thing| text(&thing.name) + text(&thing.look.color);
    let things = things.iter().flatten().map(size).sum::<usize>();
    let named = by_name.iter().flatten().flat_map(|(_, things)| things);
    things + named.map(size).sum::<usize>() + maps.map_or(0, |maps| maps.len())
}

async fn kept(executor: &Executor, arguments: String) -> ToolOutcome {
    let outcome = executor.call("keep", arguments).await;
    assert!(outcome.text().len() < 8 * MEGABYTE);
    outcome
}

fn executor() -> Executor {
    let builder = Executor::builder(ToolRegistry::new().with(Keep));
    builder
        .limits(Limits::new().max_input_bytes(usize::MAX))
        .build()
        .unwrap()
}

fn unknown(at: &str) -> (ProblemKind, String) {
    place(ProblemKind::Unknown, at)
}

#[tokio::test]
async fn names_that_nobody_knows_cost_no_more_than_they_are_long() {
    let executor = executor();
    // A name in each of many objects, and many names in one.
    let many = vec![json!({"colr": 1}); MEGABYTE / 12];
    let outcome = kept(&executor, json!({"things": many}).to_string()).await;
    assert_eq!(places(&outcome)[0], unknown("/things/0/colr"));
    let names = (0..MEGABYTE / 12).map(|n| (format!("n{n}"), Value::Null));
    let many: serde_json::Map<String, Value> = names.collect();
    let outcome = kept(&executor, json!({"things": [many]}).to_string()).await;
    assert!(places(&outcome).contains(&unknown("/things/0/n1")));
    // With a value so large that it is not read again.
    let large = "x".repeat(9 * MEGABYTE);
    let arguments = json!({"things": [{"name": large, "colr": 1}]});
    let outcome = kept(&executor, arguments.to_string()).await;
    assert_eq!(places(&outcome), [unknown("/things/0/colr")]);
}

#[tokio::test]
async fn a_long_name_is_not_copied_for_each_thing_below_it() {
    let executor = executor();
    let key = "k".repeat(MEGABYTE / 2);
    for item in [json!({"colr": 1}), json!({"name": 1}), json!({})] {
        let items = vec![item; MEGABYTE / 24];
        let named = json!({"by_name": {(key.as_str()): items}}).to_string();
        kept(&executor, named).await;
    }
    let mut members = String::new();
    for n in 0..MEGABYTE / 16 {
        write!(members, "\"a\":{},", n % 9).unwrap();
    }
    let maps = format!("{{\"maps\":{{\"{key}\":{{{members}\"b\":1}}}}}}");
    let outcome = kept(&executor, maps).await;
    let at = format!("/maps/{key}/a");
    assert_eq!(places(&outcome), [place(ProblemKind::Repeated, &at)]);
}

#[tokio::test]
async fn an_alias_is_one_in_a_large_call_too() {
    let executor = executor();
    let large = "x".repeat(MEGABYTE);
    let arguments = json!({"things": [{"name": large, "colour": "red"}]});
    let outcome = kept(&executor, arguments.to_string()).await;
    assert_eq!(outcome.text(), (MEGABYTE + 3).to_string());
    let many = vec![json!({"colour": "red", "name": "x".repeat(100)}); 2000];
    let outcome = kept(&executor, json!({"things": many}).to_string()).await;
    assert_eq!(outcome.text(), (103 * 2000).to_string());
    // No number of them hides a name that is none.
    let mut some = vec![json!({"colour": "red"}); 40];
    some.push(json!({"colr": "red"}));
    let outcome = kept(&executor, json!({"things": some}).to_string()).await;
    assert_eq!(places(&outcome), [unknown("/things/40/colr")]);
}
