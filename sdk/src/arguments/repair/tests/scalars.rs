//! Numbers and booleans in text, and texts of a list.

use super::*;

#[test]
fn an_integer_in_a_string() {
    let integer = json!({"type": "integer"});
    becomes(
        &integer,
        &[
            (json!("5"), json!(5)),
            (json!(" -5\n"), json!(-5)),
            (json!("5.0"), json!(5)),
            (json!("-0"), json!(0)),
            (json!("18446744073709551615"), json!(u64::MAX)),
            (json!("-9223372036854775808"), json!(i64::MIN)),
            (json!("9007199254740993"), json!(9_007_199_254_740_993_u64)),
            (
                json!("9007199254740993.000"),
                json!(9_007_199_254_740_993_u64),
            ),
        ],
    );
    stays(
        &integer,
        &[
            json!("18446744073709551616"),
            json!("-9223372036854775809"),
            json!("5.5"),
            json!("5."),
            json!(".0"),
            json!("+5"),
            json!("05"),
            json!("0x5"),
            json!("5e0"),
            json!("5e0.0"),
            json!("1,000"),
            json!("1_000"),
            json!("five"),
            json!("5 ".repeat(2)),
            json!(""),
            json!("-"),
            json!("\u{a0}5"),
            json!("\u{665}"),
            json!("true"),
            json!(true),
            json!(false),
            json!(5.5),
            json!(null),
            json!([5]),
            json!({"v": 5}),
        ],
    );
    // The rest to fix is said of the number.
    becomes(
        &json!({"type": "integer", "maximum": 3}),
        &[(json!("5"), json!(5))],
    );
    becomes(&json!({"enum": [1, 5]}), &[(json!("5"), json!(5))]);
    becomes(
        &json!({"type": ["integer", "null"]}),
        &[(json!("5"), json!(5))],
    );
}

#[test]
fn a_number_in_a_string_keeps_each_digit() {
    let number = json!({"type": "number"});
    becomes(
        &number,
        &[
            (json!("0.1"), json!(0.1)),
            (json!("-1.50"), json!(-1.5)),
            (json!("5"), json!(5)),
            (json!("5.0"), json!(5.0)),
            (json!("1e23"), json!(1e23)),
            (json!("2E-3"), json!(0.002)),
            (json!("18446744073709551615"), json!(u64::MAX)),
            (
                json!("0.30000000000000004"),
                json!(0.300_000_000_000_000_04),
            ),
        ],
    );
    stays(
        &number,
        &[
            json!("0.1000000000000000055511151231257827"),
            json!("18446744073709551616"),
            json!("12345678901234567890.5"),
            json!("1e400"),
            json!("1e-400"),
            json!("1e99999999999999999999"),
            json!("NaN"),
            json!("Infinity"),
            json!("1.5f"),
            json!("1,5"),
            json!(".5"),
            json!("01.5"),
            json!(true),
        ],
    );
}

#[test]
fn a_boolean_in_a_string() {
    let boolean = json!({"type": "boolean"});
    becomes(
        &boolean,
        &[
            (json!("true"), json!(true)),
            (json!("False"), json!(false)),
            (json!(" TRUE "), json!(true)),
        ],
    );
    stays(
        &boolean,
        &[
            json!("yes"),
            json!("1"),
            json!("on"),
            json!("t"),
            json!(""),
            json!(1),
            json!(0),
            json!(0.0),
            json!(null),
        ],
    );
}

#[test]
fn a_declared_string_is_never_changed() {
    for schema in [
        json!({"type": "string"}),
        json!({"type": ["string", "integer"]}),
        json!({"type": "string", "pattern": "^[0-9]+$", "maxLength": 1}),
        json!({}),
        json!({"description": "Anything."}),
        json!({"anyOf": [{"type": "integer", "maximum": 1}, {"type": "string"}]}),
        json!({"enum": ["auto", 5]}),
    ] {
        stays(
            &schema,
            &[
                json!("5"),
                json!("true"),
                json!("[1]"),
                json!(" x "),
                json!("{}"),
                json!("null"),
            ],
        );
    }
    stays(
        &json!({"type": "string"}),
        &[json!(5), json!(true), json!(null), json!(["x"]), json!({})],
    );
}

#[test]
fn the_letter_case_of_a_listed_text() {
    let units = json!({"type": "string", "enum": ["Celsius", "Fahrenheit", "\u{c4}ther"]});
    becomes(
        &units,
        &[
            (json!("celsius"), json!("Celsius")),
            (json!("FAHRENHEIT"), json!("Fahrenheit")),
            (json!("\u{e4}THER"), json!("\u{c4}ther")),
        ],
    );
    stays(
        &units,
        &[
            json!("Celsius"),
            json!("celsius "),
            json!("c"),
            json!("celsius_"),
            json!(""),
        ],
    );
    becomes(&json!({"const": "On"}), &[(json!("on"), json!("On"))]);
    let two = json!({"enum": ["a", "A", "b", "b"]});
    stays(&two, &[json!("a"), json!("A")]);
    becomes(&two, &[(json!("B"), json!("b"))]);
    stays(&json!({"enum": ["aB", "Ab"]}), &[json!("ab"), json!("AB")]);
}

#[test]
fn a_number_or_boolean_that_spells_a_listed_text() {
    becomes(
        &json!({"type": "string", "enum": ["5", "10", "true", "2.5"]}),
        &[
            (json!(5), json!("5")),
            (json!(true), json!("true")),
            (json!(2.5), json!("2.5")),
        ],
    );
    becomes(
        &json!({"enum": ["True", "False"]}),
        &[(json!(true), json!("True"))],
    );
    stays(&json!({"enum": ["True", "true"]}), &[json!(true)]);
    stays(
        &json!({"type": "string", "enum": ["5", "1.1", "1.10", "yes", "1", " true"]}),
        &[
            json!(5.0),
            json!(1.1),
            json!(6),
            json!(true),
            json!(false),
            json!(null),
            json!([5]),
        ],
    );
    stays(
        &json!({"type": ["string", "integer"], "enum": ["5", 6]}),
        &[json!(5)],
    );
    stays(&json!({"type": "string"}), &[json!(5)]);
}

#[test]
fn a_float_spells_a_listed_text_only_as_it_was_sent() {
    let spec = tool(&of_one(&json!({"enum": ["3.1", "3.2"]})));
    assert!(repair(&spec, &Arguments::from(r#"{"v": 3.10}"#)).is_none());
    assert!(repair(&spec, &Arguments::from(r#"{"v": 31e-1}"#)).is_none());
    let (ran, _) = repair(&spec, &Arguments::from(r#"{"v": 3.1}"#)).unwrap();
    assert_eq!(ran, json!({"v": "3.1"}));
    let spec = tool(
        &json!({"properties": {"o": {"type": "object", "properties": {"v": {"enum": ["3.1"]}}}}}),
    );
    // Nor does one in a text in the arguments; how it was sent is not to be seen a second time.
    let repaired = spec.repair(&Arguments::from(r#"{"o": "{\"v\": 3.10}"}"#));
    let ran = repaired
        .unwrap()
        .arguments()
        .to_value()
        .unwrap()
        .into_owned();
    assert_eq!(ran, json!({"o": {"v": 3.1}}));
}

#[test]
fn the_declared_default_is_never_touched() {
    stays(&json!({"type": "integer", "default": "5"}), &[json!("5")]);
    stays(
        &json!({"type": "array", "items": {"type": "string"}, "default": "none"}),
        &[json!("none")],
    );
    stays(&json!({"enum": ["A", "B"], "default": "a"}), &[json!("a")]);
    all_stay(
        &json!({"properties": {"v": {"type": "integer", "default": null}}}),
        &[json!({"v": null})],
    );
}
