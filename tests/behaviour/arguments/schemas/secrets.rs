//! Values that the schema of a tool made at run time marks as secret show nowhere, however they are marked and
//! whatever is wrong with them.

use serde_json::{Value, json};
use toolwright::arguments::Arguments;
use toolwright::{Executor, ToolOutcome, tool, tool_type};

use super::{echo, executor, spec};

/// No part of it may be told, as a value or as a name.
const SECRET: &str = "hunter2";

/// Schemas of a secret that is a text of at least 20 characters, or an object of integers.
fn marked() -> Vec<Value> {
    let own = json!({
        "type": ["string", "object"], "minLength": 20,
        "additionalProperties": {"type": "integer"},
    });
    let with_mark = |mut node: Value| {
        node["writeOnly"] = json!(true);
        node
    };
    vec![
        with_mark(own.clone()),
        json!({"$ref": "#/$defs/secret"}),
        with_mark(json!({"$ref": "#/$defs/plain"})),
        json!({"allOf": [{"$ref": "#/$defs/secret"}]}),
        json!({"minLength": 20, "type": "string", "allOf": [{"writeOnly": true}]}),
        json!({"anyOf": [with_mark(own.clone()), {"type": "null"}]}),
        json!({"oneOf": [with_mark(own.clone()), {"type": "string", "pattern": "^x"}]}),
    ]
}

fn wrong() -> Vec<Value> {
    let secret = SECRET;
    vec![
        json!(secret),
        json!({secret: "x"}),
        json!({"a": secret}),
        json!([secret]),
        json!(format!("{{\"a\": \"{secret}\"}}")),
    ]
}

fn schema(secret: &Value) -> Value {
    let plain = json!({
        "type": ["string", "object"], "minLength": 20,
        "additionalProperties": {"type": "integer"},
    });
    let mut marked = plain.clone();
    marked["writeOnly"] = json!(true);
    json!({
        "type": "object",
        "properties": {
            "top": secret,
            "deep": {"type": "object", "properties": {"key": secret}, "additionalProperties": false},
            "list": {"type": "array", "items": secret, "uniqueItems": true},
            "map": {"type": "object", "patternProperties": {"^x": secret}},
            "any": {"anyOf": [
                {"type": "object", "properties": {"key": secret}, "required": ["key"]},
                {"type": "null"},
            ]},
        },
        "additionalProperties": false,
        "$defs": {"secret": marked, "plain": plain},
    })
}

/// All that can be told of a call.
fn told(outcome: &ToolOutcome) -> String {
    let json = outcome.result().to_json().unwrap();
    format!("{}\n{outcome:?}\n{json}", outcome.text())
}

async fn keeps(executor: &Executor, arguments: &str) {
    for arguments in [
        Arguments::from(arguments),
        serde_json::from_str::<Value>(arguments).unwrap().into(),
    ] {
        let text = arguments.as_text().map(str::to_owned);
        let outcome = executor.call("echo", arguments).await;
        // The output of a call that ran is up to the tool.
        let told = if outcome.is_success() {
            format!("{:?}", outcome.result().repairs())
        } else {
            told(&outcome)
        };
        assert!(!told.contains(SECRET), "{text:?}\n{told}");
    }
}

#[tokio::test]
async fn a_secret_is_in_no_report_however_it_is_marked() {
    for mark in marked() {
        let executor = executor(echo(schema(&mark)));
        for value in wrong() {
            for arguments in [
                json!({"top": value}),
                json!({"deep": {"key": value, "oops": 1}}),
                json!({"list": [value]}),
                json!({"list": [value, value]}),
                json!({"list": [SECRET.repeat(3), SECRET.repeat(3)]}),
                json!({"map": {"xy": value}}),
                json!({"any": {"key": value}}),
            ] {
                keeps(&executor, &arguments.to_string()).await;
            }
        }
    }
}

#[tokio::test]
async fn a_name_that_a_secret_has_twice_is_not_told() {
    let twice = format!(r#"{{"{SECRET}": 1, "{SECRET}": 2}}"#);
    for mark in marked() {
        let executor = executor(echo(schema(&mark)));
        for (arguments, place) in [
            (format!(r#"{{"top": {twice}}}"#), "/top"),
            (format!(r#"{{"deep": {{"key": {twice}}}}}"#), "/deep/key"),
            (
                format!(r#"{{"deep": {{"key": {twice}}}, "deep": 1}}"#),
                "/deep/key",
            ),
            (format!(r#"{{"list": [{{}}, {twice}]}}"#), "/list/1"),
            (format!(r#"{{"map": {{"xy": {twice}}}}}"#), "/map/xy"),
            (format!(r#"{{"any": {{"key": {twice}}}}}"#), "/any/key"),
        ] {
            let outcome = executor.call("echo", arguments.as_str()).await;
            let told = told(&outcome);
            assert!(!told.contains(SECRET), "{arguments}\n{told}");
            let problem = format!("`{place}`: has a name more than once, and is secret");
            assert!(outcome.text().contains(&problem), "{told}");

            let spec = spec("echo", schema(&mark));
            let canonical = Arguments::from(&arguments).canonical(&spec).unwrap_err();
            assert!(!format!("{canonical}{canonical:?}").contains(SECRET));
        }
    }
}

/// The target.
#[tool_type]
struct Target {
    host: String,
    #[schemars(extend("writeOnly" = true))]
    headers: Option<std::collections::BTreeMap<String, u8>>,
}

/// Give the target back.
#[tool(name = "echo", pure, register = false)]
fn connect(target: Target) -> usize {
    target.host.len() + target.headers.map_or(0, |headers| headers.len())
}

#[tokio::test]
async fn the_same_in_a_typed_tool() {
    let executor = executor(Connect);
    for arguments in [
        format!(r#"{{"target": {{"host": "a", "headers": {{"{SECRET}": 1, "{SECRET}": 2}}}}}}"#),
        format!(r#"{{"target": {{"host": "a", "headers": {{"{SECRET}": "x"}}}}}}"#),
        format!(r#"{{"target": {{"host": 1, "headers": {{"{SECRET}": null}}}}}}"#),
    ] {
        let outcome = executor.call("echo", arguments.as_str()).await;
        let told = told(&outcome);
        assert!(
            !outcome.is_success() && !told.contains(SECRET),
            "{arguments}\n{told}"
        );
        assert!(told.contains("`/target/headers`"), "{told}");
    }
}
