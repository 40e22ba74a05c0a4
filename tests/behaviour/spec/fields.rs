//! The tool's description of itself: the spec, its hints, its schema and its names.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use toolwright::spec::ToolAnnotations;
use toolwright::{Executor, Tool, ToolName, ToolRegistry, ToolSpec, tool};

use crate::support::HandMade;

/// Drop a table.
#[tool(
    name = "db.drop_table",
    destructive,
    needs_approval,
    open_world = false,
    metadata(team = "storage", tier = 2, beta = true)
)]
fn drop_table(
    /// The table.
    table: String,
) -> String {
    table
}

#[test]
fn s0_04_a_spec_survives_serialisation() {
    let by_hand = ToolSpec::new(ToolName::new("web.search").unwrap(), "Search the web.")
        .with_input_schema(json!({"type": "object", "properties": {"q": {"type": "string"}}}))
        .with_annotations(
            ToolAnnotations::new()
                .with_open_world(true)
                .with_streaming(true),
        )
        .with_metadata("team", "search")
        .with_metadata("limits", json!({"per_minute": 30}));
    for spec in [&by_hand, DropTable.spec()] {
        let text = serde_json::to_string(spec).unwrap();
        let back: ToolSpec = serde_json::from_str(&text).unwrap();
        assert_eq!(back.name(), spec.name());
        assert_eq!(back.description(), spec.description());
        assert_eq!(back.input_schema(), spec.input_schema());
        assert_eq!(back.annotations(), spec.annotations());
        assert_eq!(back.metadata(), spec.metadata());
        assert_eq!(back.effect(), spec.effect());
    }

    let text = serde_json::to_value(DropTable.spec()).unwrap();
    assert_eq!(
        text,
        json!({
            "name": "db.drop_table",
            "description": "Drop a table.",
            "input_schema": {
                "type": "object",
                "properties": {"table": {"type": "string", "description": "The table."}},
                "required": ["table"],
                "additionalProperties": false,
            },
            "effect": "at_most_once",
            "annotations": {"destructive": true, "open_world": false, "needs_approval": true},
            "metadata": {"team": "storage", "tier": 2, "beta": true},
        })
    );
}

type Get = fn(&ToolAnnotations) -> bool;
type Set = fn(ToolAnnotations, bool) -> ToolAnnotations;

#[test]
fn s0_05_each_hint_is_set_alone() {
    let hints: [(Set, Get); 6] = [
        (
            ToolAnnotations::with_read_only,
            ToolAnnotations::is_read_only,
        ),
        (
            ToolAnnotations::with_destructive,
            ToolAnnotations::is_destructive,
        ),
        (
            ToolAnnotations::with_idempotent,
            ToolAnnotations::is_idempotent,
        ),
        (
            ToolAnnotations::with_needs_approval,
            ToolAnnotations::wants_approval,
        ),
        (
            ToolAnnotations::with_streaming,
            ToolAnnotations::supports_streaming,
        ),
        (
            ToolAnnotations::with_open_world,
            ToolAnnotations::is_open_world,
        ),
    ];
    for (chosen, (set, _)) in hints.iter().enumerate() {
        let set = set(ToolAnnotations::new(), true);
        let spec = HandMade::new("hinted").spec(|spec| {
            spec.with_effect(toolwright::spec::Effect::AtMostOnce)
                .with_annotations(set)
        });
        let seen = Tool::spec(&spec).annotations();
        for (other, (_, get)) in hints.iter().enumerate() {
            assert_eq!(
                get(&seen),
                other == chosen,
                "{chosen} was set, {other} was read"
            );
        }
    }
}

#[tokio::test]
async fn s0_44_names_have_namespaces_and_a_wire_form() {
    let names = ["fs.read_file", "mcp.github.search", "mcp.github_search"];
    let mut registry = ToolRegistry::new();
    for name in names {
        let answer = move |_: &_, _: &_| Ok(name.into());
        registry.register(HandMade::new(name).run(answer)).unwrap();
    }
    let executor = Executor::new(registry).unwrap();
    let mut wires = BTreeSet::new();
    let tools = executor.tools();
    for name in names {
        let wire = tools.wire_name(name).unwrap();
        let safe = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        assert!(wire.len() <= 64 && wire.chars().all(safe), "{wire}");
        assert_eq!(executor.call(name, "").await.text(), name);
        let by_wire = executor.call(wire, "").await;
        assert_eq!(by_wire.text(), name);
        assert_eq!(
            by_wire.result().tool(),
            name,
            "the result has the canonical name"
        );
        wires.insert(wire);
    }
    assert_eq!(wires.len(), names.len(), "{wires:?}");
    assert!(wires.contains("fs_read_file"), "{wires:?}");
}

/// Whatever a validator takes, the parts that providers dislike included.
fn unusual_schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Query",
        "type": "object",
        "properties": {
            "shape": {"enum": ["circle", 7, null, {"sides": [3, 4]}]},
            "tree": {"$ref": "#/$defs/node"},
            "points": {
                "type": "array",
                "prefixItems": [{"type": "number"}, {"type": "number", "exclusiveMinimum": 0.5}],
                "items": {"type": "array", "items": {"type": "integer", "maximum": 9_007_199_254_740_993_u64}},
                "minItems": 2.0,
            },
            "place": {
                "type": "object",
                "properties": {"at": {"type": "object", "properties": {"lat": {"const": 1.50}}}},
                "patternProperties": {"^x-": true},
                "if": {"required": ["at"]},
                "then": {"not": {"required": ["x-no"]}},
            },
        },
        "allOf": [{"required": ["tree"]}, true],
        "$defs": {
            "node": {
                "type": "object",
                "properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/node"}}},
            },
        },
        "x-vendor": {"keep": ["me", {"": false}]},
    })
}

#[test]
fn s0_45_a_schema_given_by_hand_is_kept_as_it_is() {
    let tool = HandMade::new("shapes").spec(|spec| spec.with_input_schema(unusual_schema()));
    let text = serde_json::to_string(Tool::spec(&tool)).unwrap();
    let back: ToolSpec = serde_json::from_str(&text).unwrap();
    assert_eq!(*back.input_schema(), unusual_schema());
    assert_eq!(serde_json::to_string(&back).unwrap(), text);

    let snapshot = ToolRegistry::new().with(tool).freeze().unwrap();
    let listing: Value = serde_json::from_str(&snapshot.to_json().unwrap()).unwrap();
    assert_eq!(listing[0]["input_schema"], unusual_schema());
}
