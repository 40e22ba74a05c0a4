//! The keywords of one schema: those that stay, and the description that has the others.

use super::Narrow;
use super::describe::{between, condition, in_words, is_name, joined};
use crate::json::{Json, Object};
use crate::schema::source::Kind;

/// The constraints of each type.
fn about(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Null | Kind::Boolean => &[],
        Kind::Integer | Kind::Number => &[
            "format",
            "minimum",
            "exclusiveMinimum",
            "maximum",
            "exclusiveMaximum",
            "multipleOf",
        ],
        Kind::String => &["format", "pattern", "minLength", "maxLength"],
        Kind::Array => &[
            "minItems",
            "maxItems",
            "uniqueItems",
            "contains",
            "minContains",
            "maxContains",
            "unevaluatedItems",
        ],
        Kind::Object => &[
            "minProperties",
            "maxProperties",
            "propertyNames",
            "dependentRequired",
            "dependentSchemas",
            "dependencies",
        ],
    }
}

/// Keywords that stand for no loss: they say nothing to a model, or they are read elsewhere.
const SILENT: [&str; 31] = [
    "$ref",
    "$defs",
    "definitions",
    "$schema",
    "$id",
    "$anchor",
    "$comment",
    "$vocabulary",
    "id",
    "type",
    "enum",
    "const",
    "anyOf",
    "oneOf",
    "allOf",
    "properties",
    "required",
    "additionalProperties",
    "patternProperties",
    "unevaluatedProperties",
    "items",
    "prefixItems",
    "additionalItems",
    "readOnly",
    "writeOnly",
    "title",
    "description",
    "then",
    "else",
    "nullable",
    "x-order",
];

impl Narrow<'_> {
    /// Keeps the constraints of a type that the API enforces, and returns the others in words.
    pub(super) fn constraints(
        &mut self,
        schema: &Object,
        kind: Kind,
        pointer: &str,
        into: &mut Object,
    ) -> String {
        let mut lost: Vec<(&str, &Json)> = Vec::new();
        for keyword in about(kind) {
            let Some(value) = schema.get(keyword) else {
                continue;
            };
            if means_nothing(keyword, value) {
                continue;
            }
            if (self.rules.keeps)(kind, keyword, value) {
                into.insert(*keyword, value.clone());
            } else {
                lost.push((keyword, value));
            }
        }
        let mut words = String::new();
        for (keyword, value) in &lost {
            // The format of a number is the name of a type of some language.
            let is_text = !(*keyword == "format" && kind != Kind::String);
            let sentence = in_words(keyword, value).filter(|_| is_text);
            self.lose(pointer, keyword, sentence.is_some());
            let sentence = between(keyword, &lost).or(sentence).unwrap_or_default();
            words = joined(words, &sentence, " ");
        }
        words
    }

    /// The description of a schema: its own, and the keywords of no particular type in words. `words` are those
    /// of its types.
    pub(super) fn text(&mut self, schema: &Object, pointer: &str, words: &str) -> String {
        let own = schema
            .get("description")
            .and_then(Json::as_str)
            .unwrap_or_default();
        let mut text = String::new();
        // The title of the root names a type; the model knows the tool by its own name.
        let title = schema.get("title").and_then(Json::as_str);
        if let Some(title) = title.filter(|_| !pointer.is_empty()) {
            let name = pointer.rsplit('/').next().unwrap_or_default();
            let is_said =
                is_name(title, &name.replace("~1", "/").replace("~0", "~")) || is_name(title, own);
            let helps = own.is_empty();
            if !is_said {
                self.lose(pointer, "title", helps);
                if helps {
                    text.push_str(title);
                }
            }
        }
        text = joined(text, own, " ");
        text = joined(text, words, " ");
        let kinds = crate::schema::source::kinds(schema).unwrap_or_default();
        for (keyword, value) in schema.iter() {
            let is_done = kinds.iter().any(|kind| about(*kind).contains(&keyword));
            if is_done || SILENT.contains(&keyword) || keyword.starts_with("x-") {
                continue;
            }
            // Absence is what `null` would say.
            let is_absence = keyword == "default" && *value == Json::Null;
            if is_absence || (keyword == "deprecated" && *value == Json::Bool(false)) {
                continue;
            }
            let sentence = if keyword == "if" {
                condition(schema)
            } else {
                in_words(keyword, value)
            };
            // A constraint of another type than these says nothing.
            let is_idle = Kind::ALL.iter().any(|kind| about(*kind).contains(&keyword));
            let sentence = sentence.filter(|_| !is_idle);
            self.lose(pointer, keyword, sentence.is_some());
            text = joined(text, &sentence.unwrap_or_default(), " ");
        }
        text
    }
}

/// Returns true if a constraint allows everything.
fn means_nothing(keyword: &str, value: &Json) -> bool {
    match keyword {
        "minLength" | "minItems" | "minProperties" => {
            matches!(value, Json::Number(number) if number.as_u64() == Some(0))
        }
        "uniqueItems" => *value == Json::Bool(false),
        "propertyNames" => names_are_texts(value),
        _ => false,
    }
}

/// Returns true if a schema of names allows every name.
pub(super) fn names_are_texts(schema: &Json) -> bool {
    match schema {
        Json::Bool(any) => *any,
        Json::Object(schema) => schema
            .iter()
            .all(|(keyword, value)| keyword == "type" && value.as_str() == Some("string")),
        _ => false,
    }
}
