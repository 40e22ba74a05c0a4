//! Schemas that are made to harm, of tools made at run time.

use serde_json::{Map, Value, json};
use toolwright::permission::AllowAll;
use toolwright::{Executor, ToolContext, ToolError, ToolName, ToolRegistry, ToolSpec, tool_fn};

use super::{call_all, list, members, on_small_stack};

/// The tool of a schema, if it is taken.
fn executor(schema: Value) -> Option<Executor> {
    let spec = ToolSpec::new(ToolName::new("take").unwrap(), "Take.").with_input_schema(schema);
    let mut registry = ToolRegistry::new();
    let run = async |_: Value, _: ToolContext| Ok::<_, ToolError>("taken");
    if let Err(error) = registry.register(tool_fn(spec, run)) {
        assert!(error.to_string().len() < 1_000, "{error}");
        return None;
    }
    let builder = Executor::builder(registry).permission_checker(AllowAll);
    Some(builder.build().unwrap())
}

fn of_a(schema: &Value) -> Value {
    json!({"type": "object", "properties": {"a": schema}, "additionalProperties": false})
}

/// Definitions that each lead to the next in two ways.
fn doubled(keyword: &str, count: usize) -> Value {
    let mut defs = Map::new();
    for n in 0..count {
        let next = json!({"$ref": format!("#/$defs/d{}", n + 1)});
        defs.insert(format!("d{n}"), json!({keyword: [next, next]}));
    }
    defs.insert(format!("d{count}"), json!({"type": "integer"}));
    json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": defs})
}

#[test]
fn references_and_alternatives_without_end_are_refused_or_cheap() {
    on_small_stack(|| async {
        let mut chain = Map::new();
        for n in 0..3_000 {
            chain.insert(
                format!("d{n}"),
                json!({"$ref": format!("#/$defs/d{}", n + 1)}),
            );
        }
        chain.insert("d3000".to_owned(), json!({"type": "integer"}));
        let schemas = [
            json!({"$ref": "#"}),
            of_a(&json!({"$ref": "#/properties/a"})),
            json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": chain}),
            doubled("allOf", 40),
            doubled("anyOf", 40),
            doubled("oneOf", 40),
            doubled("allOf", 12),
            doubled("anyOf", 12),
            doubled("oneOf", 10),
            json!({"$dynamicAnchor": "n", "type": "object", "properties": {
                "a": {"$dynamicRef": "#n"}, "v": {"type": "integer"}}}),
        ];
        for schema in schemas {
            let Some(executor) = executor(schema) else {
                continue;
            };
            for arguments in [
                "{\"a\":\"1\"}".to_owned(),
                "{\"a\":\"x\"}".to_owned(),
                format!("{}{{\"v\":\"x\"}}{}", "{\"a\":".repeat(60), "}".repeat(60)),
                format!("{{\"a\":[{}1]}}", "\"x\",".repeat(500)),
            ] {
                call_all(std::slice::from_ref(&executor), &arguments).await;
            }
        }
    });
}

#[test]
fn patterns_that_go_back_without_end_are_cheap() {
    on_small_stack(|| async {
        for pattern in ["^(a+)+$", "^(?=(a+)+$).*b$", r"^(.*)*\1$", "(?<!a+)b"] {
            let text = format!("{}!", "a".repeat(300_000));
            for (schema, arguments) in [
                (json!({"pattern": pattern}), format!("{{\"a\":\"{text}\"}}")),
                (
                    json!({"items": {"type": "string", "pattern": pattern}}),
                    list("a", "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\""),
                ),
                (
                    json!({"propertyNames": {"pattern": pattern}}),
                    format!("{{\"a\":{{\"{text}\":1}}}}"),
                ),
                (
                    json!({"patternProperties": {pattern: {"type": "integer"}}, "additionalProperties": false}),
                    format!(
                        "{{\"a\":{}}}",
                        members(|n| format!("{}{n}!", "a".repeat(30)), "1", 10_000)
                    ),
                ),
            ] {
                let executor = executor(of_a(&schema)).unwrap();
                call_all(&[executor], &arguments).await;
            }
        }
    });
}

#[test]
fn schemas_of_any_size_are_told_in_a_few_lines() {
    on_small_stack(|| async {
        let names = (0..3_000).map(|n| format!("some_name_{n}"));
        let properties: Map<String, Value> = names
            .clone()
            .map(|name| (name, json!({"type": "integer"})))
            .collect();
        let required: Vec<String> = names.collect();
        let values: Vec<String> = (0..20_000).map(|n| format!("some value {n}")).collect();
        let long: Vec<String> = (0..100)
            .map(|n| format!("{n}{}", "x".repeat(5_000)))
            .collect();
        let name = "k".repeat(50_000);
        for (schema, arguments) in [
            (
                json!({"properties": properties, "required": required, "additionalProperties": false}),
                vec![
                    "{}".to_owned(),
                    members(|n| format!("someName{n}"), "\"1\"", 3_000),
                    members(|n| format!("sme_nme_{n}"), "1", 20_000),
                ],
            ),
            (
                of_a(&json!({"items": {"enum": values}})),
                vec![
                    list("a", "\"SOME VALUE 19999\""),
                    list("a", "\"nothing of all\""),
                ],
            ),
            (
                of_a(&json!({"enum": long})),
                vec!["{\"a\":5}".to_owned(), "{\"a\":\"y\"}".to_owned()],
            ),
            (
                of_a(&json!({"type": "string", "pattern": "a".repeat(50_000)})),
                vec!["{\"a\":\"x\"}".to_owned()],
            ),
            (
                json!({"properties": {&name: {"type": "integer"}}, "required": [&name], "additionalProperties": false}),
                vec![
                    "{}".to_owned(),
                    format!("{{\"{}\":1}}", &name[1..]),
                    format!("{{\"{name}\":\"x\"}}"),
                ],
            ),
            (
                of_a(&json!({"const": (0..50_000).collect::<Vec<u32>>()})),
                vec!["{\"a\":1}".to_owned()],
            ),
            (
                of_a(&json!({"type": "array", "minItems": 1_000_000_000})),
                vec!["{\"a\":[1]}".to_owned()],
            ),
        ] {
            let executor = [executor(schema).unwrap()];
            for arguments in arguments {
                call_all(&executor, &arguments).await;
            }
        }
    });
}
