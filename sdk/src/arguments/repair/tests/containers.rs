//! JSON in a string, a single value for a list, and `null` for what is not required.

use super::*;
use crate::arguments::repair::RepairKind;

#[test]
fn json_in_a_string() {
    let list = json!({"type": "array", "items": {"type": "integer"}});
    becomes(
        &list,
        &[
            (json!("[1, 2]"), json!([1, 2])),
            (json!(" [] "), json!([])),
            (json!("[\"1\", 2]"), json!([1, 2])),
        ],
    );
    let object = json!({
        "type": "object",
        "properties": {"maxAge": {"type": "integer"}, "o": {"type": "object"}},
        "additionalProperties": false,
    });
    becomes(
        &object,
        &[
            (json!("{}"), json!({})),
            (
                json!("{\"max_age\": \"5\", \"o\": \"{\\\"x\\\": 1}\"}"),
                json!({"maxAge": 5, "o": {"x": 1}}),
            ),
        ],
    );
    stays(
        &object,
        &[
            json!("[]"),
            json!("{\"maxAge\": 1, \"maxAge\": 2}"),
            json!("{\"maxAge\": 1, \"max\\u0041ge\": 2}"),
            json!("{\"o\": {\"x\": [{\"y\": 1, \"y\": 1}]}}"),
            json!("{'maxAge': 1}"),
            json!("{\"maxAge\": 1"),
            json!("{} {}"),
            json!("null"),
            json!("\"{}\""),
            json!(""),
        ],
    );
    stays(
        &list,
        &[
            json!("[1,,]"),
            json!("[,]"),
            json!("[1"),
            json!("1, 2"),
            json!("{}"),
            json!("[18446744073709551616]"),
        ],
    );
    becomes(
        &list,
        &[(json!("[1.5, 18446744073709551615]"), json!([1.5, u64::MAX]))],
    );
    stays(
        &json!({"type": "array", "items": {"type": "number"}}),
        &[json!("[0.1000000000000000055]")],
    );
    stays(&json!({"type": ["array", "string"]}), &[json!("[1]")]);
}

#[test]
fn a_code_fence_and_a_last_comma_in_a_string_are_no_part_of_json() {
    let list = json!({"type": "array", "items": {"type": "integer"}});
    becomes(
        &list,
        &[
            (json!("[1,]"), json!([1])),
            (json!("```json\n[1, 2,]\n```"), json!([1, 2])),
        ],
    );
    let text = json!({"type": ["string", "array"], "items": {}});
    stays(&text, &[json!("[1,]"), json!("```json\n[1]\n```")]);
}

#[test]
fn a_code_fence_and_a_last_comma_are_no_part_of_arguments() {
    let spec = tool(&of_one(&json!({"type": ["integer", "string"]})));
    for (text, expected, signs) in [
        ("```json\n{\"v\": 5}\n```", json!({"v": 5}), &["```"][..]),
        (" {\"v\": 5 , } ", json!({"v": 5}), &[","]),
        ("```{\"v\": \",}\",}```", json!({"v": ",}"}), &["```", ","]),
    ] {
        let repaired = spec.repair(&Arguments::from(text)).unwrap();
        assert_eq!(repaired.arguments().as_tree(), Some(&expected), "{text}");
        let told = repaired.repairs().iter();
        let told: Vec<_> = told
            .map(|r| (r.kind(), r.from().and_then(Value::as_str)))
            .collect();
        let signs: Vec<_> = signs
            .iter()
            .map(|sign| (RepairKind::Syntax, Some(*sign)))
            .collect();
        assert_eq!(told, signs, "{text}");
        assert!(!repaired.repairs()[0].apply(&mut json!(text)));
        let line = repaired.repairs()[0].to_string();
        assert!(
            line.starts_with("the arguments were read without `"),
            "{line}"
        );
    }
    for text in [
        "```json\n[1]\n```",
        "{\"v\": 5,,}",
        "{\"v\": 5, \"v\": 6,}",
        "{\"v\": 12345678901234567890123,}",
        "Sure: ```json\n{\"v\": 5}\n```",
        "{\"v\": 5,",
    ] {
        assert!(spec.repair(&Arguments::from(text)).is_none(), "{text}");
    }
}

#[test]
fn json_in_a_string_may_be_the_arguments_as_a_whole() {
    let schema = of_one(&json!({"type": "integer"}));
    all_become(
        &schema,
        &[
            (json!("{\"v\": 5}"), json!({"v": 5})),
            (json!("{\"v\": \"5\"}"), json!({"v": 5})),
        ],
    );
    all_stay(
        &schema,
        &[
            json!("[5]"),
            json!("5"),
            json!([{"v": 5}]),
            json!(5),
            json!("v=5"),
        ],
    );
    let spec = tool(&schema);
    let (ran, _) = repair(&spec, &Arguments::from(r#""{\"v\": 5}""#)).unwrap();
    assert_eq!(ran, json!({"v": 5}));
}

#[test]
fn json_in_a_string_nests_no_deeper_than_arguments_do() {
    let list = json!({"type": "array"});
    let deep = |levels: usize| json!(format!("{}{}", "[".repeat(levels), "]".repeat(levels)));
    assert!(
        repair(
            &tool(&of_one(&list)),
            &Arguments::from(json!({"v": deep(126)}))
        )
        .is_some()
    );
    stays(&list, &[deep(127), deep(5_000)]);
}

#[test]
fn a_single_value_for_a_list() {
    let texts = json!({"type": "array", "items": {"type": "string"}});
    becomes(
        &texts,
        &[
            (json!("x"), json!(["x"])),
            (json!(""), json!([""])),
            (json!("{}"), json!(["{}"])),
        ],
    );
    stays(
        &texts,
        &[
            json!(5),
            json!(null),
            json!("[x]"),
            json!(" [\"x\""),
            json!({"x": 1}),
        ],
    );
    becomes(&texts, &[(json!("[\"x\"]"), json!(["x"]))]);
    // They may be two values each.
    stays(&texts, &[json!("x, y"), json!("x;y"), json!("x\ny")]);
    becomes(
        &json!({"type": "array", "items": {"enum": ["x, y", "z"]}}),
        &[(json!("X, y"), json!(["x, y"]))],
    );
    let integers =
        json!({"type": "array", "items": {"type": "integer", "maximum": 9}, "maxItems": 3});
    becomes(
        &integers,
        &[
            (json!(5), json!([5])),
            (json!("5"), json!([5])),
            (json!(["5"]), json!([5])),
        ],
    );
    stays(
        &integers,
        &[
            json!(10),
            json!("10"),
            json!("x"),
            json!(true),
            json!(null),
            json!("5, 6"),
        ],
    );
    stays(
        &json!({"type": "array", "items": {"type": "integer"}, "minItems": 2}),
        &[json!(5)],
    );
    stays(&json!({"type": "array"}), &[json!(5)]);
    stays(
        &json!({"type": "array", "prefixItems": [{"type": "integer"}], "items": {"type": "integer"}}),
        &[json!(5)],
    );
    let objects = json!({"type": "array", "items": {
        "type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": false,
    }});
    becomes(
        &objects,
        &[
            (json!({"a": 1}), json!([{"a": 1}])),
            (json!({"A": "1"}), json!([{"a": 1}])),
            (json!("{\"a\": 1}"), json!([{"a": 1}])),
        ],
    );
    stays(&objects, &[json!({}), json!({"b": 1}), json!("{\"b\": 1}")]);
}

#[test]
fn a_list_of_lists_may_be_meant_in_two_ways() {
    let lists = json!({"type": "array", "items": {"type": "array", "items": {"type": "integer"}}});
    stays(
        &lists,
        &[json!([1, 2]), json!(1), json!("1"), json!([[1], 2])],
    );
    becomes(
        &lists,
        &[
            (json!([["1"]]), json!([[1]])),
            (json!("[[1]]"), json!([[1]])),
            (json!(["[1]"]), json!([[1]])),
        ],
    );
    let tuple = json!({"type": "array", "prefixItems": [{"type": "string"}, {"type": "array", "items": {"type": "integer"}}]});
    becomes(&tuple, &[(json!(["a", 5]), json!(["a", [5]]))]);
}

#[test]
fn null_for_what_is_not_required() {
    let schema = json!({
        "type": "object",
        "properties": {
            "need": {"type": "integer"},
            "may": {"type": "integer"},
            "nullable": {"type": ["integer", "null"]},
            "either": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            "any": {},
            "list": {"type": "array", "items": {"type": "integer"}},
            "inner": {"$ref": "#/$defs/Inner"},
        },
        "required": ["need"],
        "additionalProperties": false,
        "$defs": {"Inner": {
            "type": "object", "properties": {"x": {"type": "integer"}}, "additionalProperties": {"type": "integer"},
        }},
    });
    all_become(
        &schema,
        &[
            (json!({"need": 1, "may": null}), json!({"need": 1})),
            (
                json!({"need": 1, "list": null, "inner": null}),
                json!({"need": 1}),
            ),
            (
                json!({"need": 1, "inner": {"x": null}}),
                json!({"need": 1, "inner": {}}),
            ),
            (
                json!({"need": "1", "nullable": null, "either": null, "any": null}),
                json!({"need": 1, "nullable": null, "either": null, "any": null}),
            ),
        ],
    );
    all_stay(
        &schema,
        &[
            json!({"need": null}),
            json!({"need": 1, "may": "null"}),
            json!({"need": 1, "other": null}),
            json!({"need": 1, "list": [null]}),
            json!({"need": 1, "inner": {"y": null}}),
        ],
    );
}
