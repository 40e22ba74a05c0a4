//! The rules of each form, on schemas by hand.

use super::super::{Converted, Dialect, Unrepresentable, convert};
use super::NARROW;
use crate::api::Api;
use crate::json::Json;

pub(super) fn parse(text: &str) -> Json {
    serde_json::from_str(text).unwrap()
}

pub(super) fn converted(text: &str, dialect: Dialect) -> Result<Converted, Unrepresentable> {
    convert(&parse(text), dialect)
}

/// The form of one property, and what was lost.
fn property(schema: &str, dialect: Dialect) -> (String, Vec<String>) {
    let root = format!(r#"{{"type":"object","properties":{{"p":{schema}}},"required":["p"]}}"#);
    let converted = converted(&root, dialect).unwrap();
    let shown = converted
        .schema
        .get("properties")
        .and_then(|all| all.get("p"))
        .unwrap();
    let losses = converted.losses.iter().map(ToString::to_string).collect();
    (shown.to_text(), losses)
}

#[test]
fn constraints_that_an_api_does_not_take_are_said_in_plain_words() {
    let cases = [
        (
            r#"{"type":"integer","minimum":0,"maximum":10}"#,
            "From 0 to 10.",
        ),
        (
            r#"{"type":"integer","exclusiveMinimum":0,"multipleOf":5}"#,
            "More than 0. A multiple of 5.",
        ),
        (
            r#"{"type":"string","minLength":1}"#,
            "At least 1 character.",
        ),
        (
            r#"{"type":"string","minLength":8,"maxLength":8}"#,
            "Exactly 8 characters.",
        ),
        (
            r#"{"type":"string","pattern":"^a","description":"The a."}"#,
            r#"The a. Matches the regular expression \"^a\"."#,
        ),
        (
            r#"{"type":"string","format":"iban","default":"x"}"#,
            r#"Format: iban. Default: \"x\"."#,
        ),
        (
            r#"{"type":"string","not":{"const":"x"}}"#,
            r#"Does not match the JSON Schema {\"const\":\"x\"}."#,
        ),
        (
            r#"{"type":"string","examples":["a","b"],"deprecated":true}"#,
            r#"Examples: \"a\", \"b\". Deprecated."#,
        ),
        (
            r#"{"type":"array","items":{"type":"string"},"minItems":2,"maxItems":5,"uniqueItems":true}"#,
            "From 2 to 5 items. No item twice.",
        ),
    ];
    for (schema, words) in cases {
        let (shown, losses) = property(schema, Dialect::AnthropicStrict);
        assert!(
            shown.contains(&format!(r#""description":"{words}""#)),
            "{shown}"
        );
        assert!(
            losses
                .iter()
                .all(|loss| loss.ends_with("is in the description")),
            "{losses:?}"
        );
        assert!(!losses.is_empty());
    }
}

#[test]
fn each_api_keeps_the_constraints_that_it_enforces() {
    let schema = r#"{"type":"string","minLength":1,"pattern":"^a","format":"uuid"}"#;
    let openai = r#"{"type":"string","format":"uuid","pattern":"^a","minLength":1}"#;
    assert_eq!(property(schema, Dialect::OpenAiStrict).0, openai);
    let (anthropic, losses) = property(schema, Dialect::AnthropicStrict);
    assert!(anthropic.ends_with(r#""format":"uuid"}"#), "{anthropic}");
    assert_eq!(losses.len(), 2);
    let (gemini, losses) = property(schema, Dialect::GeminiSubset);
    assert_eq!(
        gemini,
        r#"{"type":"STRING","description":"Format: uuid.","pattern":"^a","minLength":1}"#
    );
    assert_eq!(losses, ["`/properties/p`: `format` is in the description"]);
}

#[test]
fn a_bound_of_a_64_bit_type_is_no_text_for_a_model() {
    let schema = r#"{"type":"integer","minimum":0,"maximum":18446744073709551615}"#;
    let (shown, losses) = property(schema, Dialect::AnthropicStrict);
    assert_eq!(shown, r#"{"type":"integer","description":"At least 0."}"#);
    assert_eq!(losses[1], "`/properties/p`: `maximum` is left out");
}

#[test]
fn refusals_name_the_place_and_the_reason() {
    let cases = [
        (
            r#"{"type":"object","properties":{"env":{"type":"object","additionalProperties":{"type":"string"}}}}"#,
            "`/properties/env`: a map (`additionalProperties` with a schema)",
        ),
        (
            r#"{"type":"object","properties":{"a/b":{}}}"#,
            "`/properties/a~1b`: a value of any type",
        ),
        (
            r##"{"type":"object","properties":{"a":{"$ref":"#/nowhere"}}}"##,
            "`/properties/a`: `$ref` \"#/nowhere\" leads to nothing",
        ),
        (
            r#"{"type":"object","properties":{"a":{"enum":[[1]]}}}"#,
            "`/properties/a`: an `enum` with an array or an object",
        ),
        (
            r#"{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"},"prefixItems":[{"type":"string"}]}}}"#,
            "`/properties/a`: a tuple of no fixed length",
        ),
        (
            r#"{"type":"object","patternProperties":{"^a":{"type":"string"}}}"#,
            "the root: a map (`patternProperties`)",
        ),
        (
            r#"{"type":"object","properties":{},"required":["a"]}"#,
            "the root: `required` names a property that is not described",
        ),
        (
            r#"{"type":"object","properties":{"a":{"allOf":[{"type":"string","pattern":"a"},{"pattern":"b"}]}}}"#,
            "`/properties/a`: `allOf`",
        ),
    ];
    for (schema, text) in cases {
        for (_, dialect) in NARROW {
            let problem = converted(schema, dialect).unwrap_err().to_string();
            assert!(problem.starts_with(text), "{problem}");
        }
        // The general form takes them.
        if !text.contains("leads") {
            assert!(
                converted(schema, Dialect::General(Api::OpenAiChat))
                    .unwrap()
                    .losses
                    .is_empty()
            );
        }
    }
}

#[test]
fn a_schema_beyond_the_limits_of_the_api_is_refused_with_the_source() {
    let values: Vec<String> = (0..1_001).map(|n| format!("\"{n}\"")).collect();
    let schema = format!(
        r#"{{"type":"object","properties":{{"p":{{"enum":[{}]}}}}}}"#,
        values.join(",")
    );
    let problem = converted(&schema, Dialect::OpenAiStrict)
        .unwrap_err()
        .to_string();
    assert!(
        problem.contains("1001 values of `enum`s, over the limit of 1000 (https://"),
        "{problem}"
    );
    assert!(converted(&schema, Dialect::AnthropicStrict).is_ok());
    let deep = format!(
        "{}{{\"type\":\"string\"}}{}",
        r#"{"type":"object","properties":{"p":"#.repeat(11),
        "}}".repeat(11)
    );
    let problem = converted(&deep, Dialect::OpenAiStrict)
        .unwrap_err()
        .to_string();
    assert!(
        problem.contains("11 objects within each other"),
        "{problem}"
    );
}

#[test]
fn the_costs_are_those_that_anthropic_counts() {
    let schema = r##"{"type":"object","properties":{"a":{"type":["string","null"]},"b":{"$ref":"#/$defs/B"},"c":{"type":"object","properties":{"d":{"type":"string"}}}},"required":["b"],"$defs":{"B":{"type":"object","properties":{"x":{"type":"string"}}}}}"##;
    let cost = converted(schema, Dialect::AnthropicStrict).unwrap().cost;
    assert_eq!(
        (cost.optional, cost.unions, cost.properties, cost.depth),
        (3, 1, 5, 2)
    );
}

#[test]
fn references_are_kept_copied_or_put_beside() {
    let schema = |p: &str| {
        format!(
            r##"{{"type":"object","properties":{{"p":{p}}},"required":["p"],"$defs":{{"D":{{"type":"object","properties":{{"x":{{"type":"integer"}}}},"required":["x"]}},"L":{{"type":"object","properties":{{"n":{{"$ref":"#/$defs/L"}}}}}}}}}}"##
        )
    };
    let shown = |p: &str, dialect| {
        let converted = converted(&schema(p), dialect).unwrap();
        converted
            .schema
            .get("properties")
            .and_then(|all| all.get("p"))
            .unwrap()
            .to_text()
    };
    let plain = r##"{"$ref":"#/$defs/D"}"##;
    let described = r##"{"$ref":"#/$defs/D","description":"Here."}"##;
    let recursive = r##"{"$ref":"#/$defs/L","description":"Here."}"##;
    let object =
        r#""properties":{"x":{"type":"integer"}},"required":["x"],"additionalProperties":false}"#;
    for dialect in [Dialect::OpenAiStrict, Dialect::AnthropicStrict] {
        assert_eq!(shown(plain, dialect), plain);
        assert_eq!(
            shown(described, dialect),
            format!(r#"{{"type":"object","description":"Here.",{object}"#)
        );
    }
    assert_eq!(
        shown(recursive, Dialect::OpenAiStrict),
        r##"{"description":"Here.","anyOf":[{"$ref":"#/$defs/L"}]}"##
    );
    let gemini = r#"{"type":"OBJECT","properties":{"x":{"type":"INTEGER"}},"required":["x"]}"#;
    assert_eq!(shown(plain, Dialect::GeminiSubset), gemini);
    let compatible = r#"{"description":"Here.","type":"object","properties":{"x":{"type":"integer"}},"required":["x"]}"#;
    assert_eq!(
        shown(described, Dialect::General(Api::Compatible)),
        compatible
    );
    assert_eq!(
        shown(recursive, Dialect::General(Api::Compatible)),
        recursive
    );
}

#[test]
fn a_title_is_said_where_it_says_more_than_the_name() {
    let schema = r#"{"type":"object","title":"readArguments","properties":{
        "max_lines":{"type":"integer","title":"Max Lines"},
        "at":{"type":"string","title":"The place"},
        "to":{"type":"string","title":"The end","description":"Where it ends."}},"required":["max_lines","at","to"]}"#;
    let converted = converted(schema, Dialect::OpenAiStrict).unwrap();
    let properties = converted.schema.get("properties").unwrap().to_text();
    let expected = r#"{"max_lines":{"type":"integer"},"at":{"type":"string","description":"The place"},"to":{"type":"string","description":"Where it ends."}}"#;
    assert_eq!(properties, expected);
    let losses: Vec<String> = converted.losses.iter().map(ToString::to_string).collect();
    let expected = [
        "`/properties/at`: `title` is in the description",
        "`/properties/to`: `title` is left out",
    ];
    assert_eq!(losses, expected);
    let loss = &converted.losses[0];
    assert_eq!(
        (loss.pointer(), loss.keyword(), loss.is_described()),
        ("/properties/at", "title", true)
    );
}
