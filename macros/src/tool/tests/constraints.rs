//! Mistakes in what `#[arg(..)]` allows, fills in and shows.

use super::{accepted, refused};
use crate::testing::holds;

#[track_caller]
fn parameters(list: &str, at: &str, says: &str) {
    refused(
        &format!("/// D\n#[tool]\nasync fn f_({list}) {{}}"),
        at,
        says,
    );
}

#[track_caller]
fn key(keys: &str, at: &str, says: &str) {
    parameters(&format!("#[arg({keys})] a: u8"), at, says);
}

#[test]
fn ranges() {
    key("range = ..", "..", "`range = ..` allows everything");
    key(
        "range = 5",
        "5",
        "`range` takes a range: write `range = 1..=100`",
    );
    key("range = 5..=1", "5..=1", "write `range = 1..=5`");
    key("range = 5..5", "5..5", "write `range = 5..=5`");
    key("range = -1..=-2", "-1..=-2", "write `range = -2..=-1`");
    key("range = (1.5..0.5)", "1.5..0.5", "write `range = 0.5..1.5`");
    key("length = 1..LIMIT", "LIMIT", "write `1..=LIMIT`");
    key("length = ..0", "..0", "write `length = ..=0`");
    key("length = 3..=2", "3..=2", "write `length = 2..=3`");
    accepted(
        "/// D\n#[tool] fn f_(#[arg(range = LOW..=HIGH)] a: u8, #[arg(range = ..=5)] b: u8) {}",
    );
    accepted(
        "/// D\n#[tool] fn f_(#[arg(range = 1..=1)] a: u8, #[arg(length = ..=LIMIT)] b: String) {}",
    );
}

#[test]
fn multiples() {
    key(
        "multiple_of",
        "multiple_of",
        "`multiple_of` takes a number above zero, as a literal: write `multiple_of = 5`",
    );
    key("multiple_of(5)", "multiple_of", "takes a number above zero");
    key("multiple_of = STEP", "STEP", "takes a number above zero");
    key("multiple_of = \"5\"", "\"5\"", "takes a number above zero");
    key("multiple_of = true", "true", "takes a number above zero");
    for (step, fixed) in [
        ("0", "one such as `multiple_of = 5`"),
        ("-0", "one such as `multiple_of = 5`"),
        ("0.0", "one such as `multiple_of = 0.5`"),
        ("-0.0", "one such as `multiple_of = 0.5`"),
        ("-5", "`multiple_of = 5`"),
        ("-0.5", "`multiple_of = 0.5`"),
    ] {
        let message = format!("`multiple_of = {step}` is not above zero: write {fixed}");
        key(&format!("multiple_of = {step}"), step, &message);
    }
    for (range, step) in [
        ("1..=6", "7"),
        ("1..7", "7"),
        ("-4..=-1", "5"),
        ("6..10", "5"),
        ("9223372036854775801..=9223372036854775806", "10"),
    ] {
        let message = format!(
            "no multiple of `{step}` is in `range = {range}`: widen the range, or remove one of the two"
        );
        key(
            &format!("range = {range}, multiple_of = {step}"),
            step,
            &message,
        );
        key(
            &format!("multiple_of = {step}, range = {range}"),
            step,
            &message,
        );
    }
    // The mistake is reported once.
    key("range = 6..=1, multiple_of = 7", "6..=1", "is empty");
    key(
        "range = 1..=6, multiple_of = 7, default = 3",
        "7",
        "no multiple of",
    );
    key("range = 1..=6, multiple_of = -7", "-7", "is not above zero");
    for good in [
        "range = 1..=7, multiple_of = 7",
        "range = -1..=0, multiple_of = 7",
        "range = 1.., multiple_of = 7",
        "range = ..7, multiple_of = 7",
        "range = LOW..=6, multiple_of = 7",
        "range = 0.1..0.2, multiple_of = 0.5",
        "multiple_of = 1e-3, default = 0.001",
        "multiple_of = (5u8), default = 10",
    ] {
        accepted(&format!("/// D\n#[tool] fn f_(#[arg({good})] a: u8) {{}}"));
    }
    let tokens =
        accepted("/// D\n#[tool] fn f_(#[arg(multiple_of = 0.5, range = 0.0..)] a: f32) {}");
    holds(&tokens, ".multiple_of(&[0.5])");
}

#[test]
fn unique_items() {
    key(
        "unique_items = true",
        "true",
        "`unique_items` stands alone: write `unique_items`, or remove it",
    );
    key("unique_items(1)", "unique_items", "stands alone");
    key(
        "unique",
        "unique",
        "has no key `unique`: write `unique_items`",
    );
    key(
        "step = 5",
        "step",
        "has no key `step`: write `multiple_of = 5`",
    );
    let tokens = accepted("/// D\n#[tool] fn f_(#[arg(unique_items, length = 1..)] a: Vec<u8>) {}");
    holds(&tokens, ".unique_items()");
}

#[test]
fn patterns_and_formats() {
    key(
        "pattern = \"[\"",
        "\"[\"",
        "`[` is not a regular expression: found unclosed character class",
    );
    key(
        "pattern = \"(?=a)\"",
        "\"(?=a)\"",
        "look-around is not supported",
    );
    key(
        "format = \"dat\"",
        "\"dat\"",
        "no format `dat`: did you mean `date`?\nthe formats are `date`, `date-time`",
    );
    key(
        "format = \"xyz\"",
        "\"xyz\"",
        "there is no format `xyz`\nthe formats are",
    );
}

#[test]
fn one_of() {
    key("one_of()", "one_of", "`one_of()` is empty");
    key(
        "one_of(\"a\", \"a\")",
        "\"a\"",
        "`\"a\"` is in `one_of` twice",
    );
    key("one_of(1, 0x1)", "0x1", "is in `one_of` twice");
    key(
        "one_of(1, \"a\")",
        "\"a\"",
        "is a string, and `one_of` began with an integer",
    );
    key("one_of(1, 2.5)", "2.5", "is a number with a point");
    key("one_of(true)", "true", "lists strings or numbers");
    key("one_of(A)", "A", "`one_of` takes a list of literals");
    accepted(
        "/// D\n#[tool] fn f_(#[arg(one_of(1, -1))] a: i8, #[arg(one_of(0.5, -0.5))] b: f32) {}",
    );
}

#[test]
fn defaults() {
    parameters(
        "#[arg(default)] a: Option<u8>",
        "default",
        "remove `default`, or the `Option`",
    );
    parameters(
        "#[arg(default = 1)] a: std::option::Option<u8>",
        "default",
        "remove `default`, or the `Option`",
    );
    key(
        "default = 0, range = 1..",
        "0",
        "the default `0` is not allowed: `range` begins at `1`",
    );
    key("default = 5, range = 1..5", "5", "`range` ends before `5`");
    key("default = 6, range = 1..=5", "6", "`range` ends at `5`");
    key(
        "default = \"c\", one_of(\"a\", \"b\")",
        "\"c\"",
        "`one_of` does not list it",
    );
    accepted(
        "/// D\n#[tool] fn f_(#[arg(default = X, range = 1..)] a: u8, #[arg(default = 5, range = ..=5)] b: u8) {}",
    );
}

/// A value is held against every constraint that is known here.
#[test]
fn values_and_constraints() {
    for what in ["default", "example"] {
        for (constraint, value, says) in [
            ("range = 1..", "0", "`range` begins at `1`"),
            ("range = ..=-1", "0", "`range` ends at `-1`"),
            ("range = 0.5..1.5", "1.5", "`range` ends before `1.5`"),
            ("one_of(1, 2)", "3", "`one_of` does not list it"),
            ("length = 2..", "\"ü\"", "`length` begins at `2`"),
            ("length = ..=1", "\"ab\"", "`length` ends at `1`"),
            ("pattern = \"^a\"", "\"b\"", "`pattern` does not match it"),
            ("multiple_of = 5", "-7", "it is no multiple of `5`"),
            ("multiple_of = 0.25", "0.3", "it is no multiple of `0.25`"),
            ("multiple_of = 10.0", "1e23", "it is no multiple of `10.0`"),
        ] {
            let message = format!("the {what} `{value}` is not allowed: {says}");
            key(&format!("{constraint}, {what} = {value}"), value, &message);
            key(&format!("{what} = {value}, {constraint}"), value, &message);
        }
    }
    // A constraint that is wrong itself is the one mistake.
    key("default = 9, range = 5..1", "5..1", "allows nothing");
    key(
        "default = \"b\", pattern = \"[\"",
        "\"[\"",
        "is not a regular expression",
    );
    accepted(
        "/// D\n#[tool] fn f_(#[arg(default = 5, range = 1..=LAST, example = FIRST)] a: u8) {}",
    );
}

#[test]
fn examples() {
    key(
        "example",
        "example",
        "`example` takes a value: write `example = \"notes.txt\"`",
    );
    key("example(1)", "example", "`example` takes a value");
    key(
        "example = 1, example = 2",
        "example",
        "`example` is given twice",
    );
    let tokens = accepted(
        "/// D\n#[tool] fn f_(#[arg(example = \"b\")] a: A, #[arg(example = vec![1])] b: Option<B>) {}",
    );
    holds(&tokens, "|| __tw::default_from_text(\"b\")");
    holds(&tokens, "|| vec![1]");
}

#[test]
fn secrets() {
    let tokens = accepted(
        "/// D\n#[tool] fn f_(#[arg(secret, name = \"b\", length = 1..)] a: String, c: u8) {}",
    );
    holds(&tokens, "__tw::Part::Secrets(&[\"b\"])");
    holds(&tokens, "(\"b\", \"\", &[__tw::ArgFlag::Secret])");
    key("secret = true", "true", "`secret` stands alone");
    key("secret(1)", "secret", "`secret` stands alone");
    key(
        "secret, example = 1",
        "example",
        "`example` would show a value of `a`, which is `secret`",
    );
    parameters(
        "#[arg(secret)] a: &Files",
        "arg",
        "`a` comes from the app by reference",
    );
}

#[test]
fn flatten() {
    let tokens = accepted("/// D\n#[tool] fn f_(#[arg(flatten)] a: All, w: &Workspace) {}");
    holds(&tokens, "__tw::flat::<All>()");
    key("flatten = true", "true", "`flatten` stands alone");
    for other in [
        "name = \"b\"",
        "aliases(\"b\")",
        "default",
        "range = 1..",
        "multiple_of = 5",
        "length = 1..",
        "unique_items",
        "pattern = \"a\"",
        "format = \"date\"",
        "one_of(1)",
        "example = 1",
        "secret",
    ] {
        let word: String = other
            .chars()
            .take_while(|c| c.is_alphabetic() || *c == '_')
            .collect();
        key(
            &format!("flatten, {other}"),
            &word,
            "is about one argument, and with `flatten` there are as many as `a` has fields: keep one of the two",
        );
    }
    parameters(
        "#[arg(flatten)] a: All, b: u8",
        "flatten",
        "`a` cannot be all the arguments of `f_`, which takes 2: remove `flatten`, or take `a` alone",
    );
    parameters(
        "#[arg(flatten)] a: All, #[arg(flatten)] b: All",
        "flatten",
        "which takes 2",
    );
    parameters(
        "#[arg(flatten)] a: &All",
        "arg",
        "`a` comes from the app by reference",
    );
}

#[test]
fn listed_values_that_another_constraint_refuses() {
    for (keys, at, says) in [
        (
            "range = 1..=10, one_of(5, 20, 30)",
            "20",
            "lists `20`, `30`, and another constraint refuses what it lists: `range` ends at `10`",
        ),
        ("range = 3.., one_of(-1, 5)", "-1", "`range` begins at `3`"),
        (
            "multiple_of = 5, one_of(5, 6)",
            "6",
            "it is no multiple of `5`",
        ),
    ] {
        refused(
            &format!("/// D\n#[tool] fn f_(#[arg({keys})] a: i64) {{}}"),
            at,
            says,
        );
    }
    for (keys, at, says) in [
        (
            "length = 5.., one_of(\"asc\")",
            "\"asc\"",
            "`length` begins at `5`",
        ),
        (
            "pattern = \"^[a-z]$\", one_of(\"a\", \"bb\")",
            "\"bb\"",
            "`pattern` does not match it",
        ),
    ] {
        refused(
            &format!("/// D\n#[tool] fn f_(#[arg({keys})] a: String) {{}}"),
            at,
            says,
        );
    }
}
