//! A value that is valid under a form is valid under the tool's own schema once it is read back.

use serde_json::{Map, Value, json};

use super::super::{Dialect, Loss, convert};
use super::instances::{Chance, instance};
use super::{NARROW, subjects};
use crate::json::Json;

/// The instances of each schema in each form.
const ROUNDS: u64 = 60;

#[test]
fn s0_45_what_is_valid_under_a_form_is_valid_under_the_own_schema_when_read_back() {
    for (form, dialect) in NARROW {
        let (mut schemas, mut valid, mut all) = (0, 0, 0);
        for (name, own) in subjects() {
            let Ok(converted) = convert(&own, dialect) else {
                continue;
            };
            let shown = value(&converted.schema);
            let shown_judge = judge(&json_schema(&shown));
            let own_judge = judge(&without(value(&own), &converted.losses));
            let mut found = 0;
            for seed in 0..ROUNDS {
                let instance = instance(&shown, &shown, &mut Chance(seed * 7919), 0);
                all += 1;
                if !shown_judge.is_valid(&instance) {
                    continue;
                }
                found += 1;
                let text = instance.to_string();
                let back = converted.read_back.apply(&text);
                assert!(
                    !converted.read_back.is_empty() || back == text,
                    "{form} {name}"
                );
                let read: Value = serde_json::from_str(&back).unwrap();
                if let Err(problem) = own_judge.validate(&read) {
                    panic!("{form} {name}: {text}\nread back: {back}\n{problem}");
                }
                // The way there: own arguments have a form, and it leads back to them.
                let own_arguments: Json = serde_json::from_str(&back).unwrap();
                let Some(form_of) = converted.read_back.show(&own_arguments) else {
                    panic!("{form} {name}: {back} has no form");
                };
                assert!(
                    shown_judge.is_valid(&value(&form_of)),
                    "{form} {name}: {}",
                    form_of.to_text()
                );
                let text = form_of.to_text();
                let again: Value = serde_json::from_str(&converted.read_back.apply(&text)).unwrap();
                assert_eq!(again, read, "{form} {name}");
            }
            assert!(found > 0, "{form} {name}: no instance is valid");
            schemas += 1;
            valid += found;
        }
        println!("{form}: {schemas} schemas, {valid} of {all} instances");
        assert!(
            valid * 10 > all * 9,
            "{form}: {valid} of {all} instances are valid"
        );
    }
}

#[test]
fn arguments_that_are_cut_off_come_back_as_they_are() {
    for (form, dialect) in NARROW {
        for (name, own) in subjects() {
            let Ok(converted) = convert(&own, dialect) else {
                continue;
            };
            let shown = value(&converted.schema);
            let text = instance(&shown, &shown, &mut Chance(4), 0).to_string();
            for (end, _) in text.char_indices() {
                let cut = &text[..end];
                assert_eq!(converted.read_back.apply(cut), cut, "{form} {name}");
            }
        }
    }
}

#[test]
fn forms_are_the_same_each_time_and_keep_the_order_of_properties() {
    for (form, dialect) in super::all_forms() {
        for (name, own) in subjects() {
            let Ok(converted) = convert(&own, dialect) else {
                continue;
            };
            let again = convert(&own, dialect).unwrap();
            assert_eq!(
                converted.schema.to_text(),
                again.schema.to_text(),
                "{form} {name}"
            );
            assert_eq!(converted.losses, again.losses);
            assert_eq!(converted.cost, again.cost);
            let names = |schema: &Json| -> Option<Vec<String>> {
                let properties = schema.get("properties")?.as_object()?;
                Some(properties.iter().map(|(name, _)| name.to_owned()).collect())
            };
            let (Some(before), Some(after)) = (names(&own), names(&converted.schema)) else {
                continue;
            };
            if converted.read_back.is_empty() {
                assert_eq!(before, after, "{form} {name}");
            }
        }
    }
}

#[test]
fn a_general_form_is_the_own_schema_where_its_root_is_a_plain_object() {
    for api in crate::Api::ALL {
        for (name, own) in subjects() {
            let converted = convert(&own, Dialect::General(api)).unwrap();
            let root = converted.schema.as_object().unwrap();
            assert_eq!(root.get("type"), Some(&"object".into()), "{name}");
            for keyword in ["anyOf", "oneOf", "allOf", "$ref", "enum", "not", "$schema"] {
                assert!(!root.contains(keyword), "{api} {name}");
            }
            assert!(converted.losses.is_empty(), "{api} {name}");
            jsonschema::validator_for(&value(&converted.schema)).unwrap();
            let is_copy = api != crate::Api::Compatible || !own.to_text().contains("$ref");
            if converted.read_back.is_empty() && is_copy {
                let mut shown = value(&converted.schema);
                let mut own = value(&own);
                for schema in [&mut shown, &mut own] {
                    let schema = schema.as_object_mut().unwrap();
                    for keyword in ["$schema", "type"] {
                        schema.remove(keyword);
                    }
                    if schema.get("properties") == Some(&json!({})) {
                        schema.remove("properties");
                    }
                }
                assert_eq!(shown, own, "{api} {name}");
            }
        }
    }
}

/// A validator for which formats count too.
fn judge(schema: &Value) -> jsonschema::Validator {
    let options = jsonschema::options().should_validate_formats(true);
    options.build(schema).unwrap()
}

fn value(json: &Json) -> Value {
    serde_json::from_str(&json.to_text()).unwrap()
}

/// Gemini's form as JSON Schema; the others are that already.
fn json_schema(shown: &Value) -> Value {
    let Value::Object(shown) = shown else {
        return match shown {
            Value::Array(items) => items.iter().map(json_schema).collect(),
            other => other.clone(),
        };
    };
    let is_nullable = shown.get("nullable") == Some(&json!(true));
    let mut schema = Map::new();
    for (keyword, value) in shown {
        match (keyword.as_str(), value) {
            ("nullable" | "propertyOrdering", _) => {}
            ("type", Value::String(name)) => {
                schema.insert(keyword.clone(), json!(name.to_lowercase()));
            }
            ("properties", Value::Object(properties)) => {
                let properties = properties
                    .iter()
                    .map(|(name, part)| (name.clone(), json_schema(part)));
                schema.insert(keyword.clone(), Value::Object(properties.collect()));
            }
            ("items" | "anyOf" | "$defs", value) => {
                schema.insert(keyword.clone(), json_schema(value));
            }
            (_, value) => {
                schema.insert(keyword.clone(), value.clone());
            }
        }
    }
    // Gemini's form has no word for it.
    if schema.contains_key("properties") {
        schema.insert("additionalProperties".to_owned(), json!(false));
    }
    if is_nullable {
        return json!({"anyOf": [schema, {"type": "null"}]});
    }
    Value::Object(schema)
}

/// A schema without the keywords that were lost.
fn without(mut own: Value, losses: &[Loss]) -> Value {
    // Pointers lead through a `oneOf` under its own name, inner ones first.
    let mut losses: Vec<&Loss> = losses.iter().collect();
    losses.sort_by_key(|loss| std::cmp::Reverse(loss.pointer().len()));
    for loss in losses {
        let Some(Value::Object(schema)) = own.pointer_mut(loss.pointer()) else {
            continue;
        };
        let value = schema.remove(loss.keyword());
        match (loss.keyword(), value) {
            ("oneOf", Some(variants)) => {
                schema.insert("anyOf".to_owned(), variants);
            }
            ("if", _) => {
                schema.remove("then");
                schema.remove("else");
            }
            _ => {}
        }
    }
    own
}
