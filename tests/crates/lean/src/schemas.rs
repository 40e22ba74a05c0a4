//! Without the feature `json-schema`: what the types keep needs nobody, and what nobody keeps is
//! refused. In a build with other packages, which have the feature, these tests have nothing to say.

use std::collections::{BTreeMap, HashSet};
use std::num::NonZeroU32;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use toolwright::executor::BuildProblem;
use toolwright::spec::Effect;
use toolwright::{Executor, ToolError, ToolName, ToolRegistry, ToolSpec, tool, tool_fn};

fn at_run_time(schema: Option<Value>) -> ToolRegistry {
    let spec = ToolSpec::new(ToolName::new("made").unwrap(), "Made at run time.");
    let spec = spec.with_effect(Effect::Pure);
    let spec = match schema {
        Some(schema) => spec.with_input_schema(schema),
        None => spec,
    };
    let tool = tool_fn(spec, async |_: Map<String, Value>, _| {
        Ok::<_, ToolError>("done")
    });
    ToolRegistry::new().with(tool)
}

/// Returns true if the program is built without a validator: alone, and not beside others.
fn is_lean() -> bool {
    Executor::new(at_run_time(Some(json!({"required": ["a"]})))).is_err()
}

/// Take all kinds.
#[tool(pure)]
#[expect(clippy::too_many_arguments, reason = "all kinds")]
fn kinds(
    set: HashSet<u8>,
    count: Option<NonZeroU32>,
    array: Option<[u8; 4]>,
    pair: Option<(u8, String)>,
    letter: Option<char>,
    path: Option<std::path::PathBuf>,
    map: Option<BTreeMap<u32, String>>,
    #[arg(range = 1..=5)] level: Option<u8>,
    any: Option<Value>,
) -> usize {
    let _ = (count, array, pair, letter, path, map, level, any);
    set.len()
}

/// A place to look.
#[derive(Deserialize, JsonSchema)]
struct Place {
    #[schemars(range(max = 50))]
    limit: u32,
    #[schemars(regex(pattern = "^a"))]
    name: Option<String>,
}

/// Look somewhere.
#[tool(pure)]
fn look(place: Place) -> u32 {
    let _ = place.name;
    place.limit
}

#[tokio::test]
async fn what_types_keep_and_what_is_judged_at_little_cost_need_no_validator() {
    let executor = Executor::new(ToolRegistry::new().with(Kinds)).unwrap();
    assert_eq!(
        executor.call("kinds", r#"{"set": [1, 2]}"#).await.text(),
        "2"
    );
    for wrong in [
        r#"{"set": [1, 1]}"#,
        r#"{"set": [], "count": 0}"#,
        r#"{"set": [], "letter": "ab"}"#,
        r#"{"set": [], "level": 6}"#,
    ] {
        assert!(!executor.call("kinds", wrong).await.is_success(), "{wrong}");
    }
    for nothing in [
        None,
        Some(json!({"type": "object", "properties": {"a": {}}})),
    ] {
        let executor = Executor::new(at_run_time(nothing)).unwrap();
        assert_eq!(executor.call("made", r#"{"a": 1}"#).await.text(), "done");
    }
}

#[test]
fn a_tool_that_would_need_a_validator_is_refused_by_name() {
    if !is_lean() {
        return;
    }
    let registry = ToolRegistry::new().with(Look).with(Kinds);
    registry.check().unwrap();
    let error = Executor::new(registry).unwrap_err();
    let [
        BuildProblem::SchemaNotEnforced {
            tool, unenforced, ..
        },
    ] = error.problems()
    else {
        panic!("{error}");
    };
    assert_eq!(tool, &"look");
    let mut told: Vec<_> = unenforced
        .iter()
        .map(|one| (one.keyword(), one.pointer()))
        .collect();
    told.sort_unstable();
    assert_eq!(
        told,
        [("maximum", "/place/limit"), ("pattern", "/place/name")]
    );
    let text = error.to_string();
    assert!(
        text.contains("`look` promises what nothing enforces"),
        "{text}"
    );
    assert!(text.contains("`pattern` at `/place/name`"), "{text}");
    assert!(text.contains("features = [\"json-schema\"]"), "{text}");
    assert!(text.contains("#[arg(..)]"), "{text}");
    // Without an executor no call is taken either.
    let arguments = r#"{"place": {"limit": 99}}"#.into();
    assert!(toolwright::Tool::parse(&Look, &arguments).is_err());

    let schema = json!({
        "type": "object",
        "properties": {"n": {"type": "integer"}, "of": {"items": {"minLength": 1}}},
        "required": ["n"],
    });
    let error = Executor::new(at_run_time(Some(schema)))
        .unwrap_err()
        .to_string();
    for part in [
        "`made`",
        "`required`",
        "`type` at `/n`",
        "`minLength` at `/of/*`",
    ] {
        assert!(error.contains(part), "{error}");
    }
}
