//! Constraints of the schema that the types of a tool do not keep are enforced too.

use std::collections::{BTreeSet, HashSet};
use std::num::NonZeroU32;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use toolwright::arguments::ProblemKind;
use toolwright::{Executor, Tool, ToolRegistry, tool, tool_type};

use super::{executor, refused};
use crate::support::{place, places};

/// Take some things.
#[tool(pure, register = false)]
fn take(
    #[arg(aliases("list"))] ids: HashSet<u32>,
    few: Option<BTreeSet<String>>,
    first: Option<char>,
    count: Option<NonZeroU32>,
) -> usize {
    let _ = (few, first, count);
    ids.len()
}

#[tokio::test]
async fn a_set_has_nothing_twice() {
    let executor = executor(Take);
    let told = refused(&executor, "take", json!({"ids": [1, 2, 1]})).await;
    assert_eq!(places(&told), [place(ProblemKind::Constraint, "/ids")]);
    assert!(
        told.text().contains("must not have the same value twice"),
        "{}",
        told.text()
    );
    assert!(told.text().contains("Valid arguments: `ids` (required)"));
    // Also by another name.
    let told = refused(&executor, "take", json!({"list": [1, 1]})).await;
    assert_eq!(places(&told), [place(ProblemKind::Constraint, "/ids")]);
    let told = refused(&executor, "take", json!({"ids": [1, 1], "few": 5})).await;
    assert_eq!(places(&told).len(), 2);
    for fine in [
        json!({"ids": [1, 2]}),
        json!({"list": [1, 2], "few": null, "first": "é", "count": 1}),
    ] {
        assert_eq!(executor.call("take", fine).await.text(), "2");
    }
}

/// The place to look at.
#[derive(Deserialize, JsonSchema)]
struct Place {
    #[schemars(range(min = 2, max = 50))]
    limit: u32,
    #[schemars(regex(pattern = "^[a-z]+$"))]
    name: Option<String>,
    #[schemars(inner(length(max = 3)))]
    tags: Vec<String>,
}

/// Look somewhere.
#[tool(pure, register = false)]
fn look(place: Place, #[arg(secret)] key: Option<Keyed>) -> String {
    let _ = (place.limit, place.tags, key.map(|key| key.key));
    place.name.unwrap_or_default()
}

/// A key.
#[derive(Deserialize, JsonSchema)]
struct Keyed {
    #[schemars(length(min = 20))]
    key: String,
}

#[tokio::test]
async fn what_schemars_adds_is_enforced_by_a_validator() {
    let executor = executor(Look);
    let sent = json!({"place": {"limit": 99, "name": "A1", "tags": ["a", "long"]}});
    let told = refused(&executor, "look", sent).await;
    let mut found = places(&told);
    found.sort_by(|a, b| a.1.cmp(&b.1));
    let expected = ["/place/limit", "/place/name", "/place/tags/1"];
    assert_eq!(found, expected.map(|at| place(ProblemKind::Constraint, at)));
    assert!(
        told.text()
            .contains("expected an integer from 2 to 50, found 99"),
        "{}",
        told.text()
    );
    let fine = json!({"place": {"limit": 5, "name": "ab", "tags": ["a"]}});
    assert_eq!(executor.call("look", fine).await.text(), "ab");
    let fine = json!({"place": {"limit": 5, "name": null, "tags": []}, "key": null});
    assert_eq!(executor.call("look", fine).await.text(), "");

    let sent = json!({"place": {"limit": 5, "tags": []}, "key": {"key": "hunter2"}});
    let told = refused(&executor, "look", sent).await;
    assert_eq!(places(&told), [place(ProblemKind::Constraint, "/key")]);
    assert!(!told.text().contains("hunter2"), "{}", told.text());
}

/// A page.
#[tool_type]
struct Page {
    /// Its number.
    #[arg(range = 1..=50)]
    number: u32,
    /// Its name.
    #[arg(pattern = "^[a-z]+$", length = 2..=3)]
    name: Option<String>,
}

/// Turn to a page.
#[tool(pure, register = false)]
fn turn(page: Page) -> u32 {
    let _ = page.name;
    page.number
}

#[test]
fn a_field_that_enforces_itself_shows_nothing_of_it() {
    let shown = Turn.spec().input_schema().to_string();
    assert!(!shown.contains("toolwright"), "{shown}");
    assert!(shown.contains("\"maximum\":50"), "{shown}");
    Executor::new(ToolRegistry::new().with(Turn)).unwrap();
}

/// Anything that a broken schema says.
struct Strange;

impl JsonSchema for Strange {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Strange".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "string", "pattern": "("})
    }
}

impl<'de> Deserialize<'de> for Strange {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|_| Self)
    }
}

/// Take something odd.
#[tool(pure, register = false)]
fn odd(it: Strange) {
    let Strange = it;
}

#[test]
fn a_type_with_a_broken_schema_keeps_an_executor_from_being_built() {
    let registry = ToolRegistry::new().with(Odd);
    let error = Executor::new(registry).unwrap_err().to_string();
    assert!(
        error.contains("the input schema of the tool `odd` is broken: at `/properties/it/pattern`"),
        "{error}"
    );
}
