//! Each rung in both directions: what is repaired, and what must not be.

use serde_json::{Value, json};

use super::Repair;
use crate::ToolName;
use crate::arguments::raw::Arguments;
use crate::spec::ToolSpec;

mod containers;
mod keys;
mod limits;
mod random;
mod reports;
mod scalars;
mod unions;

/// A tool of this schema.
fn tool(schema: &Value) -> ToolSpec {
    let name = ToolName::new("tool").unwrap();
    ToolSpec::new(name, "A tool.").with_input_schema(schema.clone())
}

/// Returns what arguments become, and by which repairs; nothing if they stay. Whatever the case, the
/// repairs lead from what was sent to what came out, and the repair of that changes nothing.
#[track_caller]
fn repair(spec: &ToolSpec, sent: &Arguments<'_>) -> Option<(Value, Vec<Repair>)> {
    let repaired = spec.repair(sent)?;
    let ran = repaired.arguments().as_tree().unwrap();
    assert!(!repaired.repairs().is_empty());
    if !repaired.repairs().iter().any(Repair::is_secret) {
        let mut applied = sent.to_value().unwrap().into_owned();
        for repair in repaired.repairs() {
            assert!(repair.apply(&mut applied), "{repair} in {applied}");
        }
        assert_eq!(&applied, ran);
    }
    let again = spec.repair(repaired.arguments());
    assert!(again.is_none(), "{ran} became {again:?}");
    Some((ran.clone(), repaired.repairs().to_vec()))
}

fn of_one(property: &Value) -> Value {
    json!({
        "type": "object",
        "properties": {"v": property},
        "required": ["v"],
        "additionalProperties": false,
    })
}

/// A member of this schema becomes another value.
#[track_caller]
fn becomes(property: &Value, cases: &[(Value, Value)]) {
    for (sent, expected) in cases {
        let sent = json!({"v": sent});
        let repaired = repair(&tool(&of_one(property)), &Arguments::from(&sent));
        let ran = repaired.unwrap_or_else(|| panic!("{sent} stays")).0;
        assert_eq!(
            ran.to_string(),
            json!({"v": expected}).to_string(),
            "{sent}"
        );
    }
}

/// A member of this schema stays as it is.
#[track_caller]
fn stays(property: &Value, cases: &[Value]) {
    for sent in cases {
        let sent = json!({"v": sent});
        let repaired = repair(&tool(&of_one(property)), &Arguments::from(&sent));
        assert!(repaired.is_none(), "{sent} became {repaired:?}");
    }
}

/// Arguments become others.
#[track_caller]
fn all_become(schema: &Value, cases: &[(Value, Value)]) {
    for (sent, expected) in cases {
        let repaired = repair(&tool(schema), &Arguments::from(sent));
        let ran = repaired.unwrap_or_else(|| panic!("{sent} stays")).0;
        assert_eq!(ran.to_string(), expected.to_string(), "{sent}");
    }
}

/// Arguments stay as they are.
#[track_caller]
fn all_stay(schema: &Value, cases: &[Value]) {
    for sent in cases {
        let repaired = repair(&tool(schema), &Arguments::from(sent));
        assert!(repaired.is_none(), "{sent} became {repaired:?}");
    }
}
