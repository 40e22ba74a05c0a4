//! Objects: properties, maps, and what is closed.

use serde_json::{Value, json};

use super::portable::{Portable, SchemaPurpose, SchemaSite};
use super::value::strip_null_from_default;
use crate::schema::walk::{Node, add_to_description, has_type, is_never, sort};

impl Portable {
    /// Cleans the keywords of an object, and the schemas in `properties`.
    pub(super) fn object(&mut self, node: &mut Node, place: SchemaSite) {
        let stands_alone = !place.shared
            && !["anyOf", "allOf", "$ref", "if", "dependentSchemas"]
                .iter()
                .any(|keyword| node.contains_key(*keyword));
        // `unevaluatedProperties` sees the properties of a schema's parts; without parts it means
        // `additionalProperties`.
        if let Some(rest) = node.remove("unevaluatedProperties")
            && stands_alone
        {
            node.entry("additionalProperties").or_insert(rest);
        }
        if node.get("additionalProperties") == Some(&Value::Bool(true)) {
            node.insert("additionalProperties".to_owned(), json!({}));
        }
        join_patterns(node);
        clean_required(node);

        if let Some(Value::Object(properties)) = node.remove("properties") {
            let cleaned = self.properties(properties, node.get("required"));
            node.insert("properties".to_owned(), Value::Object(cleaned));
            if stands_alone && self.purpose() == SchemaPurpose::Input {
                node.entry("type").or_insert_with(|| json!("object"));
                if has_type(node, "object") {
                    node.entry("additionalProperties").or_insert(json!(false));
                }
            }
        }
    }

    fn properties(&mut self, mut properties: Node, required: Option<&Value>) -> Node {
        let required = required.and_then(Value::as_array);
        let mut cleaned = Node::new();
        sort(&mut properties);
        for (name, schema) in properties {
            let required = required.is_some_and(|list| list.iter().any(|one| *one == name));
            let place = SchemaSite {
                optional: !required,
                shared: false,
            };
            let schema = self.schema(schema, place);
            if required || !is_never(&schema) {
                cleaned.insert(name, schema);
            }
        }
        cleaned
    }

    /// Takes `null` out of the default of an input where the schema no longer knows it.
    pub(super) fn clean_default(&self, node: &mut Node) {
        if self.purpose() == SchemaPurpose::Input
            && let Some(mut default) = node.remove("default")
        {
            strip_null_from_default(&mut default, node);
            node.insert("default".to_owned(), default);
        }
    }
}

fn clean_required(node: &mut Node) {
    let Some(Value::Array(list)) = node.get_mut("required") else {
        return;
    };
    let mut seen: Vec<Value> = Vec::with_capacity(list.len());
    for name in std::mem::take(list) {
        if !seen.contains(&name) {
            seen.push(name);
        }
    }
    if seen.is_empty() {
        node.remove("required");
    } else {
        *list = seen;
    }
}

/// A map with keys of a certain form becomes a map, the form a sentence.
fn join_patterns(node: &mut Node) {
    let Some(Value::Object(patterns)) = node.get_mut("patternProperties") else {
        return;
    };
    sort(patterns);
    let patterns = patterns.clone();
    let closed = node
        .get("additionalProperties")
        .is_none_or(|rest| *rest == Value::Bool(false));
    let mut schemas = patterns.values();
    let Some(first) = schemas.next() else {
        node.remove("patternProperties");
        return;
    };
    if !closed || !schemas.all(|other| other == first) {
        return;
    }
    let first = match first {
        Value::Bool(true) => json!({}),
        other => other.clone(),
    };
    let forms: Vec<String> = patterns
        .keys()
        .map(|pattern| match pattern.as_str() {
            r"^\d+$" => "is a whole number".to_owned(),
            r"^-?\d+$" => "is an integer".to_owned(),
            other => format!("matches `{other}`"),
        })
        .collect();
    let which = match node.get("properties") {
        Some(_) => "other key",
        None => "key",
    };
    let sentence = format!("Each {which} {}.", forms.join(" or "));
    node.remove("patternProperties");
    node.insert("additionalProperties".to_owned(), first);
    add_to_description(node, &sentence);
}
