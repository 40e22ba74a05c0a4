//! Schemas that are large once copied, and schemas that are broken: no panic, and sound forms.

use super::super::{Dialect, convert};
use super::instances::Chance;
use super::rules::{converted, parse};
use super::{NARROW, all_forms, subjects};
use crate::json::{Json, Object};

/// Definitions that each hold the next one twice: 2^20 copies.
fn bomb(beside: &str) -> String {
    let definition = |n: usize| {
        let next = format!(r##"{{"$ref":"#/$defs/D{}"{beside}}}"##, n + 1);
        format!(r#""D{n}":{{"type":"object","properties":{{"a":{next},"b":{next}}}}}"#)
    };
    let definitions: Vec<String> = (0..20).map(definition).collect();
    format!(
        r##"{{"type":"object","properties":{{"p":{{"$ref":"#/$defs/D0"}}}},"$defs":{{{},"D20":{{"type":"string"}}}}}}"##,
        definitions.join(",")
    )
}

#[test]
fn copies_of_copies_end_soon() {
    for beside in ["", r#","description":"x""#] {
        let schema = bomb(beside);
        let problem = converted(&schema, Dialect::GeminiSubset).unwrap_err();
        assert!(problem.reason().contains("too large"), "{problem}");
        for (_, dialect) in all_forms() {
            let _ = converted(&schema, dialect);
        }
    }
}

/// A reference to the names of properties, one of which hides another reference, is followed without end by who does not count.
#[test]
fn references_around_what_is_no_schema_end() {
    let schema = r##"{"type":"object","properties":{"default":{"$ref":"#/properties"},"a":{"$ref":"#/properties/default"}}}"##;
    for (_, dialect) in all_forms() {
        let _ = converted(schema, dialect);
    }
}

const JUNK: [&str; 17] = [
    "null",
    "true",
    "false",
    "[]",
    "{}",
    "1",
    r#""string""#,
    r#"["string","null"]"#,
    r##"{"$ref":"#"}"##,
    r##"{"$ref":"#/properties"}"##,
    r#"{"type":"nothing"}"#,
    r#"[{"type":"null"},{"type":"string"}]"#,
    r#"{"not":{}}"#,
    r#"{"enum":[]}"#,
    r#"{"anyOf":[]}"#,
    r#"{"allOf":[{}]}"#,
    "-1e300",
];

#[test]
fn schemas_that_are_broken_at_some_place_never_panic_and_give_sound_forms() {
    let junk: Vec<Json> = JUNK.into_iter().map(parse).collect();
    let mut forms = 0;
    for (at, (name, own)) in subjects().into_iter().enumerate() {
        for seed in 0..40 {
            let mut broken = own.clone();
            let mut chance = Chance(u64::try_from(at * 1_000 + seed).unwrap());
            for _ in 0..=chance.below(3) {
                damage(&mut broken, &junk, &mut chance);
            }
            for (_, dialect) in all_forms() {
                let Ok(converted) = convert(&broken, dialect) else {
                    continue;
                };
                forms += 1;
                let arguments = r#"{"arguments":{"a":null},"a":null,"path":null,"b":[1,{}]}"#;
                let _ = converted.read_back.apply(arguments);
                if NARROW.iter().any(|(_, narrow)| *narrow == dialect) {
                    let context = format!("{name} {}", broken.to_text());
                    sound(&converted.schema, dialect, &context);
                }
            }
        }
    }
    assert!(forms > 1_000, "{forms}");
}

/// Replaces some part of a schema.
fn damage(schema: &mut Json, junk: &[Json], chance: &mut Chance) {
    let here = chance.below(6) == 0;
    match schema {
        Json::Object(object) if !here && !object.is_empty() => {
            let at = chance.below(object.len());
            if let Some((_, value)) = object.iter_mut().nth(at) {
                damage(value, junk, chance);
            }
        }
        Json::Array(items) if !here && !items.is_empty() => {
            let at = chance.below(items.len());
            damage(&mut items[at], junk, chance);
        }
        other => *other = junk[chance.below(junk.len())].clone(),
    }
}

const OPENAI: &str = "type description enum anyOf properties required additionalProperties items $ref $defs format pattern minLength \
    maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems";
const ANTHROPIC: &str = "type description enum anyOf properties required additionalProperties items $ref $defs format minItems";
const GEMINI: &str = "type description enum anyOf properties required propertyOrdering items nullable format pattern minLength \
    maxLength minimum maximum minItems maxItems minProperties maxProperties";

/// Holds a form against the rules that every schema of it keeps.
fn sound(schema: &Json, dialect: Dialect, context: &str) {
    let keywords = match dialect {
        Dialect::OpenAiStrict => OPENAI,
        Dialect::AnthropicStrict => ANTHROPIC,
        _ => GEMINI,
    };
    let object = schema
        .as_object()
        .unwrap_or_else(|| panic!("{context}: no schema"));
    for (keyword, _) in object.iter() {
        assert!(
            keywords.split_whitespace().any(|known| known == keyword),
            "{context}: {keyword}"
        );
    }
    let is_typed = ["type", "enum", "anyOf", "$ref"]
        .iter()
        .any(|keyword| object.contains(keyword));
    assert!(is_typed, "{context}: no type in {}", schema.to_text());
    assert!(!object.contains("$ref") || object.len() == 1, "{context}");
    let children = |keyword: &str| {
        let children = object.get(keyword).and_then(Json::as_object);
        children.into_iter().flat_map(Object::iter)
    };
    if let Some(properties) = object.get("properties").and_then(Json::as_object) {
        if dialect != Dialect::GeminiSubset {
            assert_eq!(
                object.get("additionalProperties"),
                Some(&Json::Bool(false)),
                "{context}"
            );
        }
        if dialect == Dialect::OpenAiStrict {
            let names: Vec<Json> = properties.iter().map(|(name, _)| name.into()).collect();
            assert_eq!(
                object.get("required"),
                Some(&Json::Array(names)),
                "{context}"
            );
        }
    }
    for (_, child) in children("properties").chain(children("$defs")) {
        sound(child, dialect, context);
    }
    let variants = object.get("anyOf").and_then(Json::as_array);
    assert!(
        variants.is_none_or(|variants| !variants.is_empty()),
        "{context}"
    );
    for child in variants.into_iter().flatten().chain(object.get("items")) {
        sound(child, dialect, context);
    }
}
