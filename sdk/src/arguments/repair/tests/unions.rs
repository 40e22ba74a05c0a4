//! Several schemas for one value.

use super::*;

#[test]
fn one_thing_that_fits_is_taken() {
    let either = json!({"anyOf": [{"type": "integer"}, {"type": "boolean"}, {"type": "null"}]});
    becomes(
        &either,
        &[(json!("5"), json!(5)), (json!("true"), json!(true))],
    );
    stays(&either, &[json!("x"), json!("null"), json!(5), json!(null)]);
    becomes(
        &json!({"type": ["integer", "boolean"]}),
        &[(json!("5"), json!(5)), (json!("TRUE"), json!(true))],
    );
    becomes(
        &json!({"oneOf": [{"type": "integer", "maximum": 9}, {"type": "integer", "minimum": 100}]}),
        &[(json!("5"), json!(5)), (json!("100"), json!(100))],
    );
    stays(
        &json!({"oneOf": [{"type": "integer", "maximum": 9}, {"type": "integer", "minimum": 100}]}),
        &[json!("50")],
    );
    // Two ways to the same.
    becomes(
        &json!({"anyOf": [{"type": "integer"}, {"type": "number"}]}),
        &[(json!("5"), json!(5))],
    );
}

#[test]
fn of_two_different_things_neither_is_taken() {
    let one_or_many =
        json!({"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "integer"}}]});
    stays(&one_or_many, &[json!("5")]);
    becomes(
        &one_or_many,
        &[(json!("[5]"), json!([5])), (json!(["5"]), json!([5]))],
    );
    stays(
        &json!({"type": ["integer", "array"], "items": {"type": "integer"}}),
        &[json!("5")],
    );
    stays(
        &json!({"type": ["integer", "array"], "items": {"type": "string"}}),
        &[json!("5")],
    );
    becomes(
        &json!({"type": ["integer", "array"], "items": {"type": "string"}}),
        &[(json!("x"), json!(["x"]))],
    );
    stays(
        &json!({"anyOf": [{"enum": ["On"]}, {"enum": ["ON"]}]}),
        &[json!("on")],
    );
    stays(
        &json!({"type": ["object", "array"], "items": {"type": "string"}}),
        &[json!("{\"a\": 1}")],
    );
}

fn shapes() -> Value {
    let shape = |kind: &str, name: &str| {
        json!({
            "type": "object",
            "properties": {"kind": {"type": "string", "enum": [kind]}, name: {"type": "number"}, "of": {"$ref": "#/$defs/Shapes"}},
            "required": ["kind", name],
            "additionalProperties": false,
        })
    };
    json!({
        "type": "object",
        "properties": {"shape": {"$ref": "#/$defs/Shape"}},
        "required": ["shape"],
        "additionalProperties": false,
        "$defs": {
            "Shape": {"anyOf": [shape("circle", "radius"), shape("square", "side"), shape("ball", "radius"), shape("cube", "sideLength")]},
            "Shapes": {"type": "array", "items": {"$ref": "#/$defs/Shape"}},
        },
    })
}

#[test]
fn a_tag_tells_branches_apart() {
    all_become(
        &shapes(),
        &[
            (
                json!({"shape": {"kind": "circle", "radius": "1.5"}}),
                json!({"shape": {"kind": "circle", "radius": 1.5}}),
            ),
            (
                json!({"shape": {"Kind": "Ball", "RADIUS": "1"}}),
                json!({"shape": {"kind": "ball", "radius": 1}}),
            ),
            (
                json!({"shape": "{\"kind\": \"cube\", \"side_length\": 2}"}),
                json!({"shape": {"kind": "cube", "sideLength": 2}}),
            ),
            (
                json!({"shape": {"kind": "square", "side": 1, "of": {"kind": "circle", "radius": "2"}}}),
                json!({"shape": {"kind": "square", "side": 1, "of": [{"kind": "circle", "radius": 2}]}}),
            ),
            // The rest to fix is told of the branch that is meant.
            (
                json!({"shape": {"kind": "circle", "radius": "1", "colour": 1}}),
                json!({"shape": {"kind": "circle", "radius": 1, "colour": 1}}),
            ),
        ],
    );
    all_stay(
        &shapes(),
        &[
            json!({"shape": {"radius": "1"}}),
            json!({"shape": {"kind": "cone", "radius": "1"}}),
        ],
    );
}

#[test]
fn deep_unions_do_not_cost_the_product_of_their_branches() {
    let mut shape = json!({"kind": "circle", "radius": "1"});
    for _ in 0..20 {
        shape = json!({"kind": "square", "side": "1", "of": [shape]});
    }
    let begun = std::time::Instant::now();
    assert!(repair(&tool(&shapes()), &Arguments::from(json!({"shape": shape}))).is_some());
    assert!(begun.elapsed().as_secs() < 20);
}

#[test]
fn all_of_several_apply_one_after_the_other() {
    let schema = json!({"allOf": [{"$ref": "#/$defs/A"}, {"properties": {"b": {"type": "boolean"}}}],
        "properties": {"c": {"type": "integer"}},
        "$defs": {"A": {"properties": {"a": {"allOf": [{"type": "integer"}, {"minimum": 3}]}}}}});
    all_become(
        &schema,
        &[(
            json!({"a": "5", "b": "true", "c": "1"}),
            json!({"a": 5, "b": true, "c": 1}),
        )],
    );
}
