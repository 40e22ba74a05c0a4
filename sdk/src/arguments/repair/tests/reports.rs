//! The words of repairs.

use super::*;
use crate::arguments::repair::RepairKind;

#[track_caller]
fn repairs(spec: &ToolSpec, sent: Value) -> Vec<Repair> {
    repair(spec, &Arguments::from(sent)).unwrap().1
}

#[test]
fn repairs_are_data() {
    let spec = tool(&json!({
        "properties": {"a/b": {"type": "integer"}, "c": {"type": "boolean"}, "d": {"type": "array", "items": {"type": "string"}}},
        "additionalProperties": false,
    }));
    let all = repairs(&spec, json!({"A/B": "5", "c": null, "d": "x"}));
    let data = serde_json::to_value(&all).unwrap();
    assert_eq!(
        data,
        json!([
            {"pointer": "/A~1B", "kind": "value", "from": "5", "to": 5},
            {"pointer": "/A~1B", "kind": "key", "from": "A/B", "to": "a/b"},
            {"pointer": "/c", "kind": "removed", "from": null},
            {"pointer": "/d", "kind": "value", "from": "x", "to": ["x"]},
        ])
    );
    assert_eq!(serde_json::from_value::<Vec<Repair>>(data).unwrap(), all);
    let told: Vec<String> = all.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "`/A~1B`: \"5\" became 5",
            "`/A~1B` was renamed to `a/b`",
            "`/c`: null was left out",
            "`/d`: \"x\" became [\"x\"]",
        ]
    );
    assert_eq!(all[1].kind(), RepairKind::Key);
    assert_eq!((all[2].from(), all[2].to()), (Some(&Value::Null), None));
}

#[test]
fn one_line_of_a_log_is_one_line() {
    let spec = tool(
        &json!({"properties": {"v": {"type": "object", "additionalProperties": {"type": "integer"}}}}),
    );
    let long = format!("{{\"a\\nb\": \"5\", \"c\": \"{}\"}}", "\u{e9}".repeat(500));
    for repair in repairs(&spec, json!({"v": long})) {
        let line = repair.to_string();
        assert!(line.chars().count() < 200 && !line.contains('\n'), "{line}");
    }
}

#[test]
fn a_repair_applies_only_where_it_was_made() {
    let spec = tool(&of_one(&json!({"type": "integer"})));
    let [repair] = &repairs(&spec, json!({"v": "5"}))[..] else {
        panic!()
    };
    for other in [
        json!({"v": "6"}),
        json!({}),
        json!([]),
        json!({"v": {"v": "5"}}),
    ] {
        let mut arguments = other.clone();
        assert!(!repair.apply(&mut arguments));
        assert_eq!(arguments, other);
    }
}

/// The value of a secret, which no repair may hold.
const SECRET: &str = "123454321";

#[track_caller]
fn check_secret(spec: &ToolSpec, sent: Value, expected: &[&str]) {
    let all = repairs(spec, sent);
    let told: Vec<String> = all.iter().map(ToString::to_string).collect();
    assert_eq!(told, expected);
    let text = format!("{all:?} {} {told:?}", serde_json::to_string(&all).unwrap());
    assert!(!text.contains(SECRET), "{text}");
}

#[test]
fn secrets_are_in_no_repair() {
    let schema = json!({
        "type": "object",
        "properties": {
            "api_key": {"type": "integer"},
            "map": {"type": "object", "additionalProperties": {"type": "integer"}},
            "n": {"type": "integer"},
        },
        "additionalProperties": false,
    });
    let spec = tool(&schema).with_secret("api_key").with_secret("map");
    check_secret(
        &spec,
        json!({"api_key": SECRET, "n": "5"}),
        &["`/api_key`: a secret was repaired", "`/n`: \"5\" became 5"],
    );
    check_secret(
        &spec,
        json!({"apiKey": SECRET}),
        &[
            "`/apiKey`: a secret was repaired",
            "`/apiKey` was renamed to `api_key`",
        ],
    );
    check_secret(
        &spec,
        json!({"map": {SECRET: "5", "x": SECRET}}),
        &["`/map`: a secret was repaired"],
    );
    check_secret(
        &spec,
        json!({"map": format!("{{\"{SECRET}\": \"5\"}}")}),
        &["`/map`: a secret was repaired"],
    );
    check_secret(
        &spec,
        json!(format!("{{\"api_key\": \"{SECRET}\", \"n\": \"5\"}}")),
        &[
            "the arguments: a secret was repaired",
            "`/api_key`: a secret was repaired",
            "`/n`: \"5\" became 5",
        ],
    );
}

#[test]
fn what_is_for_writing_only_is_secret_at_any_depth() {
    let login = json!({
        "type": "object",
        "properties": {"user": {"type": "string"}, "pin": {"type": "integer", "writeOnly": true}, "code": {"$ref": "#/$defs/Code"}, "n": {"type": "integer"}},
        "additionalProperties": false,
    });
    let spec = tool(&json!({
        "properties": {
            "login": login,
            "logins": {"type": "array", "items": {"$ref": "#/properties/login"}},
            "either": {"anyOf": [{"$ref": "#/$defs/Code"}, {"type": "boolean"}]},
        },
        "$defs": {"Code": {"type": "integer", "writeOnly": true}},
    }));
    check_secret(
        &spec,
        json!({"login": {"pin": SECRET, "n": "5"}}),
        &[
            "`/login/n`: \"5\" became 5",
            "`/login/pin`: a secret was repaired",
        ],
    );
    check_secret(
        &spec,
        json!({"login": {"code": SECRET}}),
        &["`/login/code`: a secret was repaired"],
    );
    check_secret(
        &spec,
        json!({"login": format!("{{\"pin\": {SECRET}}}")}),
        &["`/login`: a secret was repaired"],
    );
    check_secret(
        &spec,
        json!({"logins": {"pin": SECRET}}),
        &[
            "`/logins`: a secret was repaired",
            "`/logins/0/pin`: a secret was repaired",
        ],
    );
    check_secret(
        &spec,
        json!({"either": SECRET}),
        &["`/either`: a secret was repaired"],
    );
}
