//! Tools made at run time are held to the schema that they show.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::Deserialize;
use serde_json::{Value, json};
use toolwright::arguments::ProblemKind;
use toolwright::content::ErrorKind;
use toolwright::executor::BuildProblem;
use toolwright::tools::from_bytes;
use toolwright::{Executor, Tool, ToolError, ToolRegistry, ToolSpec, tool, tool_fn};

use super::{Object, echo, executor, refused, spec};
use crate::support::{place, places};

#[tokio::test]
async fn a_report_names_each_place_and_what_would_be_right() {
    let executor = executor(echo(json!({
        "type": "object",
        "properties": {
            "to": {"type": "string", "format": "email"},
            "level": {"enum": ["low", "high"]},
            "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": true},
            "size": {"type": "integer", "minimum": 1, "not": {"multipleOf": 10}},
            "meta": {"type": "object", "minProperties": 1, "propertyNames": {"maxLength": 3}},
            "any": {"type": "array", "contains": {"type": "integer"}},
        },
        "required": ["to"],
        "dependentRequired": {"size": ["level"]},
        "additionalProperties": false,
    })));
    let sent = json!({
        "level": "hihg", "tags": ["a", "b", "a"], "size": 20, "meta": {}, "any": ["x"], "lvel": 1,
    });
    let told = refused(&executor, "echo", sent).await;
    let lines: Vec<String> = told.text().lines().map(str::to_owned).collect();
    let has = |line: &str| assert!(lines.iter().any(|l| l == line), "{line}\n{}", told.text());
    has("Invalid arguments:");
    has(
        "- `/level`: expected one of \"low\", \"high\", found the text \"hihg\"; did you mean `high`?",
    );
    has("- `/tags`: expected a list of different texts, found a list of 3 with \"a\" twice");
    has("- `/size`: must not be an integer, a multiple of 10");
    has("- `/meta`: expected an object of at least 1 members, found one of 0");
    has("- `/any`: must have an integer in it");
    has("- `/lvel`: there is no such argument");
    has("- `/to`: is required and missing: expected an email address");
    assert_eq!(
        lines.last().unwrap(),
        "Valid arguments: `to` (required), `any`, `level`, `meta`, `size`, `tags`."
    );
    assert_eq!(lines.len(), 9, "{}", told.text());

    let told = refused(&executor, "echo", json!({"to": "a@b", "size": 3})).await;
    assert_eq!(places(&told), [place(ProblemKind::Missing, "/level")]);
    let told = refused(
        &executor,
        "echo",
        json!({"to": "a@b", "meta": {"long name": 1}}),
    )
    .await;
    assert_eq!(
        places(&told),
        [place(ProblemKind::Constraint, "/meta/long name")]
    );
    let told = refused(
        &executor,
        "echo",
        json!({"to": "a@b", "size": 1e300, "level": "low"}),
    )
    .await;
    assert_eq!(places(&told), [place(ProblemKind::Constraint, "/size")]);
    let fine = json!({"to": "a@b", "size": 5.0, "level": "low", "any": ["x", 1], "meta": {"a": 1}});
    assert!(executor.call("echo", fine).await.is_success());
}

#[tokio::test]
async fn alternatives_are_told_in_words() {
    let executor = executor(echo(json!({
        "type": "object",
        "properties": {
            "id": {"type": "integer"}, "name": {"type": "string"},
            "at": {"oneOf": [{"type": "integer"}, {"type": "number", "minimum": 5}]},
        },
        "anyOf": [{"required": ["id"]}, {"required": ["name"]}],
    })));
    let told = refused(&executor, "echo", json!({"at": 1})).await;
    assert!(
        told.text().contains("`id`") && told.text().contains("required"),
        "{}",
        told.text()
    );
    let told = refused(&executor, "echo", json!({"id": 1, "at": 7})).await;
    assert_eq!(places(&told), [place(ProblemKind::Constraint, "/at")]);
    assert!(
        told.text().contains("fits more than one"),
        "{}",
        told.text()
    );
    assert!(
        executor
            .call("echo", json!({"id": 1, "at": 4}))
            .await
            .is_success()
    );
}

#[tokio::test]
async fn trap_drafts_defaults_and_references_of_a_schema_are_heeded() {
    let seven = executor(echo(json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "definitions": {"node": {
            "type": "object",
            "properties": {
                "value": {"type": "integer"},
                "children": {"type": "array", "items": {"$ref": "#/definitions/node"}},
            },
        }},
        "type": "object",
        "properties": {
            "tree": {"$ref": "#/definitions/node"},
            "pair": {"type": "array", "items": [{"type": "string"}, {"type": "integer"}]},
            "mode": {"type": "string", "enum": ["a", "b"], "default": null},
        },
    })));
    let tree = |value: Value| json!({"tree": {"children": [{"value": 1}, {"children": [{"value": value}]}]}});
    let told = refused(&seven, "echo", tree(json!("five"))).await;
    assert_eq!(
        places(&told),
        [place(
            ProblemKind::Type,
            "/tree/children/1/children/0/value"
        )]
    );
    let told = refused(&seven, "echo", json!({"pair": [1, 2], "mode": null})).await;
    assert_eq!(places(&told), [place(ProblemKind::Type, "/pair/0")]);
    for fine in [
        tree(json!(5)),
        json!({"pair": ["a", 1, true], "mode": null}),
    ] {
        assert_eq!(
            seven.call("echo", fine.clone()).await.text(),
            fine.to_string()
        );
    }
    let told = refused(&seven, "echo", json!({"mode": "c"})).await;
    assert!(
        told.text().contains("one of \"a\", \"b\""),
        "{}",
        told.text()
    );
}

#[tokio::test]
async fn a_secret_is_told_of_without_its_value() {
    let schema = json!({
        "type": "object",
        "properties": {
            "token": {"type": "string", "pattern": "^t-"},
            "login": {
                "type": "object",
                "properties": {"password": {"type": "string", "minLength": 9, "writeOnly": true}},
            },
        },
    });
    let tool = tool_fn(
        spec("login", schema).with_secret("token"),
        async |_: Object, _ctx| Ok::<_, ToolError>(()),
    );
    let executor = executor(tool);
    let sent = json!({"token": "hunter2", "login": {"password": "swordfi"}});
    let told = refused(&executor, "login", sent).await;
    assert!(!told.text().contains("hunter2") && !told.text().contains("swordfi"));
    assert!(
        told.text()
            .contains("`/token`: expected text matching `^t-`"),
        "{}",
        told.text()
    );
    assert!(
        told.text()
            .contains("`/login/password`: expected text of at least 9")
    );
    let sent = json!({"token": {"hunter2": 1}, "login": {"password": ["swordfi"]}});
    let told = refused(&executor, "login", sent).await;
    assert!(!told.text().contains("hunter2") && !told.text().contains("swordfi"));
}

/// The type that the tool reads its arguments into.
#[derive(Deserialize)]
struct Own {
    n: u8,
}

#[tokio::test]
async fn bytes_and_types_of_ones_own_are_read_after_the_schema() {
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer", "maximum": 5}}});
    let bytes = from_bytes(spec("bytes", schema.clone()), |input, _ctx| {
        Ok::<_, ToolError>(input.to_vec())
    });
    let own = tool_fn(spec("own", schema), async |own: Own, _ctx| {
        Ok::<_, ToolError>(own.n.to_string())
    });
    let executor = Executor::new(ToolRegistry::new().with(bytes).with(own)).unwrap();
    assert_eq!(
        executor.call("bytes", r#"{ "n": 5 }"#).await.text(),
        r#"{ "n": 5 }"#
    );
    assert_eq!(executor.call("own", r#"{ "n": 5 }"#).await.text(), "5");
    for tool in ["bytes", "own"] {
        let told = refused(&executor, tool, json!({"n": 6})).await;
        assert_eq!(places(&told), [place(ProblemKind::Constraint, "/n")]);
    }
    // A value that the schema allows and the type does not is refused all the same.
    refused(&executor, "own", json!({"n": -1})).await;
}

#[test]
fn s2_40_a_broken_schema_is_an_error_of_the_registration() {
    let broken = || echo(json!({"type": "object", "properties": {"n": {"type": "objct"}}}));
    let mut registry = ToolRegistry::new();
    let error = registry.register(broken()).unwrap_err();
    assert!(registry.is_empty());
    let [schema] = error.broken_schemas() else {
        panic!("one schema is broken");
    };
    assert_eq!(schema.tool(), &"echo");
    assert_eq!(schema.error().pointer(), "/properties/n/type");
    let text = error.to_string();
    assert!(text.contains("the tool `echo` (registered at "), "{text}");
    assert!(text.contains("run_time.rs"), "{text}");
    assert!(
        text.contains("at `/properties/n/type`: there is no such type"),
        "{text}"
    );
    assert!(error.source().is_some(), "the validator's own words");

    let registry = ToolRegistry::new().with(broken());
    assert_eq!(registry.check().unwrap_err().to_string().lines().count(), 1);
    let error = Executor::new(registry).unwrap_err();
    assert!(
        matches!(error.problems(), [BuildProblem::Registry(_)]),
        "{error}"
    );

    let remote = echo(json!({"properties": {"n": {"$ref": "https://example.org/n.json"}}}));
    let text = ToolRegistry::new()
        .with(remote)
        .check()
        .unwrap_err()
        .to_string();
    assert!(text.contains("at `/properties/n/$ref`"), "{text}");
    assert!(
        text.contains("`https://example.org/n.json` leads to another document"),
        "{text}"
    );
    let nowhere = echo(json!({"items": {"$ref": "#/$defs/n"}}));
    assert!(ToolRegistry::new().register(nowhere).is_err());
}

/// Adds two numbers.
#[tool(pure, register = false)]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// A definition as an MCP server lists it.
const MCP: &str = r#"{
    "name": "git_log",
    "description": "Shows the commit logs",
    "inputSchema": {
        "type": "object",
        "properties": {
            "repo_path": {"title": "Repo Path", "type": "string"},
            "max_count": {"default": 10, "title": "Max Count", "type": "integer"},
            "start_timestamp": {
                "anyOf": [{"type": "string"}, {"type": "null"}],
                "default": null,
                "description": "Start timestamp for filtering commits"
            }
        },
        "required": ["repo_path"],
        "title": "GitLog"
    }
}"#;

#[tokio::test]
async fn s3_14_a_typed_tool_and_opaque_json_go_through_one_pipeline() {
    let mcp: Value = serde_json::from_str(MCP).unwrap();
    let name = toolwright::ToolName::new(mcp["name"].as_str().unwrap().to_owned()).unwrap();
    let git = ToolSpec::new(name, mcp["description"].as_str().unwrap().to_owned())
        .with_input_schema(mcp["inputSchema"].clone())
        .with_effect(toolwright::spec::Effect::ReadOnly);
    let git = tool_fn(git, async |input: Value, _ctx| Ok::<_, ToolError>(input));
    let executor = Executor::new(ToolRegistry::new().with(Add).with(git)).unwrap();
    for (tool, good, bad, at) in [
        (
            "add",
            json!({"a": 1, "b": 2}),
            json!({"a": "x", "b": 2}),
            "/a",
        ),
        (
            "git_log",
            json!({"repo_path": ".", "start_timestamp": null}),
            json!({"repo_path": ".", "max_count": "x"}),
            "/max_count",
        ),
    ] {
        let done = executor.call(tool, good).await;
        assert!(done.is_success(), "{}", done.text());
        assert!(done.result().invocation_id().to_string().len() > 1);
        let told = refused(&executor, tool, bad).await;
        assert_eq!(told.error().unwrap().kind(), ErrorKind::InvalidArguments);
        assert_eq!(places(&told), [place(ProblemKind::Type, at)]);
        let told = refused(&executor, tool, json!({})).await;
        assert_eq!(places(&told)[0].0, ProblemKind::Missing);
    }
}

#[test]
fn s4_02_a_description_is_there_before_any_run_and_does_nothing() {
    let made = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&made);
    let tool = tool_fn(
        spec("count", json!({"type": "object"})),
        move |_: Object, _ctx| {
            count.fetch_add(1, Ordering::Relaxed);
            async { Ok::<_, ToolError>(()) }
        },
    );
    let first: *const ToolSpec = tool.spec();
    for _ in 0..1000 {
        assert!(std::ptr::eq(first, tool.spec()));
        assert_eq!(tool.spec().input_schema()["type"], "object");
    }
    assert_eq!(made.load(Ordering::Relaxed), 0);
}

#[test]
fn the_schema_of_a_clone_is_judged_once_and_one_that_is_set_later_anew() {
    let strict = spec("echo", json!({"type": "object", "required": ["a"]}));
    let loose = strict.clone().with_input_schema(json!({"type": "object"}));
    let with_example = strict.clone().with_example(json!({"a": 1}));
    let calls = |spec: ToolSpec| {
        tool_fn(spec, async |_: Object, _ctx| Ok::<_, ToolError>(()))
            .parse(&json!({}).into())
            .is_ok()
    };
    assert!(!calls(strict));
    assert!(calls(loose));
    assert!(!calls(with_example));
}
