use serde_json::{Value, json};

use super::*;

fn refused(value: &Value, node: &Value) -> Option<ViolationKind<'static>> {
    super::refused(value, node, &mut 1_000_000)
}

/// Asserts for each value whether it fits a schema.
#[track_caller]
fn check(node: &Value, fitting: &[Value], misfits: &[Value]) {
    for value in fitting {
        assert_eq!(refused(value, node), None, "{value} under {node}");
    }
    for value in misfits {
        assert!(refused(value, node).is_some(), "{value} under {node}");
    }
}

#[test]
fn integral_floats_are_integers_up_to_two_to_the_53() {
    let fitting = [
        json!(5.0),
        json!(-0.0),
        json!(9_007_199_254_740_991.0),
        json!(-9_007_199_254_740_991.0),
        json!(u64::MAX),
        json!(i64::MIN),
    ];
    let misfits = [
        json!(5.5),
        // As which 2^53 + 1 would have been read too.
        json!(9_007_199_254_740_992.0),
        json!(1e300),
        json!("5"),
        json!(true),
    ];
    check(&json!({"type": "integer"}), &fitting, &misfits);
    check(&json!({"type": ["integer", "null"]}), &fitting, &misfits);
    check(
        &json!({"type": "number"}),
        &[json!(5.5), json!(1e300)],
        &[json!("5")],
    );
}

#[test]
fn integers_are_compared_as_integers() {
    check(
        &json!({"maximum": u64::MAX - 1}),
        &[json!(u64::MAX - 1), json!(i64::MIN), json!(0.5)],
        &[json!(u64::MAX), json!(1.9e19)],
    );
    check(
        &json!({"minimum": 9_007_199_254_740_993_u64}),
        &[
            json!(9_007_199_254_740_993_u64),
            json!(9_007_199_254_740_994.0),
        ],
        &[
            json!(9_007_199_254_740_992_u64),
            json!(9_007_199_254_740_992.0),
        ],
    );
    check(
        &json!({"minimum": i64::MIN, "exclusiveMaximum": i64::MAX}),
        &[json!(i64::MIN), json!(i64::MAX - 1)],
        &[json!(i64::MAX), json!(u64::MAX), json!(-9.3e18)],
    );
    // 2^63 as a float is one above the greatest `i64`.
    check(
        &json!({"maximum": 9.223_372_036_854_776e18}),
        &[json!(i64::MAX), json!(i64::MAX as u64 + 1)],
        &[json!(i64::MAX as u64 + 2)],
    );
    check(
        &json!({"exclusiveMinimum": -0.5, "exclusiveMaximum": 0.5}),
        &[json!(0), json!(-0.0), json!(0.25)],
        &[json!(-0.5), json!(0.5), json!(1), json!(-1)],
    );
    check(
        &json!({"minimum": -1.5}),
        &[json!(-1), json!(-1.5)],
        &[json!(-2), json!(-1.75)],
    );
}

#[test]
fn multiples_are_of_the_decimals_that_are_written() {
    check(
        &json!({"multipleOf": 0.1}),
        &[
            json!(0.3),
            json!(0),
            json!(7),
            json!(-1.1),
            json!(1e300),
            json!(u64::MAX),
        ],
        &[json!(0.35), json!(1e-300)],
    );
    check(
        &json!({"multipleOf": 3}),
        &[json!(9_007_199_254_740_993_u64), json!(-3), json!(6.0)],
        &[json!(9_007_199_254_740_994_u64), json!(1.5)],
    );
    check(
        &json!({"multipleOf": 2.5}),
        &[json!(5), json!(7.5), json!(1e5)],
        &[json!(6)],
    );
    check(
        &json!({"multipleOf": 1e300}),
        &[json!(0), json!(2e300)],
        &[json!(1)],
    );
    check(
        &json!({"multipleOf": 1e-9}),
        &[json!(1), json!(0.000_000_003)],
        &[json!(1e-10)],
    );
    // No valid keyword.
    check(&json!({"multipleOf": 0}), &[json!(1), json!(1.5)], &[]);
    check(&json!({"multipleOf": -2.5}), &[json!(1)], &[]);
}

#[test]
fn equality_is_that_of_json() {
    let node = json!({"enum": [1, "a", [1.0, {"x": 1, "y": 2}], null, u64::MAX]});
    check(
        &node,
        &[
            json!(1.0),
            json!("a"),
            json!([1, {"y": 2.0, "x": 1}]),
            Value::Null,
            json!(u64::MAX),
        ],
        &[
            json!(true),
            json!("A"),
            json!([1]),
            json!(1.5),
            json!(u64::MAX - 1),
            json!(1.844_674_407_370_955_2e19),
        ],
    );
    check(
        &json!({"const": null}),
        &[Value::Null],
        &[json!(0), json!({})],
    );
    check(
        &json!({"const": {"a": 1}}),
        &[json!({"a": 1.0})],
        &[json!({"a": 1, "b": 1})],
    );
}

#[test]
fn items_are_unique_by_the_same_equality() {
    let node = json!({"uniqueItems": true});
    check(
        &node,
        &[
            json!([]),
            json!([1, "1", true, null, [1], {"a": 1}, 1.5, -1.5]),
            json!([0, false]),
        ],
        &[
            json!([1, 1.0]),
            json!([0.0, -0.0]),
            json!([{"a": 1, "b": [2]}, {"b": [2.0], "a": 1}]),
            json!([1.844_674_407_370_955_2e19, 1.844_674_407_370_955_2e19]),
        ],
    );
    check(&json!({"uniqueItems": false}), &[json!([1, 1])], &[]);
    let many: Value = (0..200_000).collect();
    assert_eq!(refused(&many, &node), None);
    let large: Vec<f64> = (1..50_000_u32).map(|n| f64::from(n) * 1e40).collect();
    assert_eq!(refused(&json!(large), &node), None);
    // A float beyond 2^53 has the hash of the integer that it is equal to.
    let pair = json!([18_014_398_509_481_984_u64, 18_014_398_509_481_984.0]);
    assert!(refused(&pair, &node).is_some());
}

#[test]
fn sizes_may_be_written_as_floats() {
    check(
        &json!({"minProperties": 1, "maxProperties": 2.0}),
        &[json!({"a": 1})],
        &[json!({}), json!({"a": 1, "b": 1, "c": 1})],
    );
    check(
        &json!({"minLength": 2, "maxLength": 2}),
        &[json!("\u{1f980}\u{e9}"), json!(1)],
        &[json!("\u{e9}"), json!("abc")],
    );
    check(
        &json!({"minItems": 1, "maxItems": -1}),
        &[],
        &[json!([]), json!([1])],
    );
}

#[test]
fn a_pattern_that_cannot_be_read_refuses_nothing() {
    check(&json!({"pattern": "^(?!a)"}), &[json!("a")], &[]);
    check(
        &json!({"pattern": "^a"}),
        &[json!("ab"), json!(5)],
        &[json!("ba")],
    );
}

#[test]
fn a_schema_may_be_a_boolean() {
    check(&json!(true), &[Value::Null, json!([])], &[]);
    check(&json!(false), &[], &[Value::Null, json!([])]);
}

#[test]
fn deep_values_are_compared_without_end() {
    let deep = |levels: usize| (0..levels).fold(json!(1), |inner, _| json!([inner]));
    assert!(
        refused(
            &json!([deep(100), deep(100)]),
            &json!({"uniqueItems": true})
        )
        .is_some()
    );
    assert_eq!(
        refused(&deep(400), &json!({"enum": [deep(400)]})),
        Some(ViolationKind::NotListed)
    );
}
