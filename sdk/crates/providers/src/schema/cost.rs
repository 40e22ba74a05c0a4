//! The counts of a schema that APIs limit.

use crate::json::{Json, Object};

/// The counts of a schema that APIs limit, per schema or per request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct SchemaCost {
    /// The properties that may be left out, as Anthropic counts them: references are not followed, definitions are not entered.
    pub(crate) optional: u32,
    /// The properties with an `anyOf` or a list of types, counted likewise.
    pub(crate) unions: u32,
    /// The properties of all objects of the document, definitions included.
    pub(crate) properties: u32,
    /// The objects with properties on the longest way from the root, or from a definition, down.
    pub(crate) depth: u32,
    /// The values of all `enum`s.
    pub(crate) enum_values: u32,
    /// The bytes of the names of properties and definitions and of the values of `enum`s.
    pub(crate) enum_text: u32,
    /// The bytes of the values of the one `enum` that is the largest of those with more than 250 texts.
    pub(crate) long_enum: u32,
}

/// The number of texts from which on `OpenAI` limits the length of one `enum`.
const LONG_ENUM: usize = 250;

impl SchemaCost {
    /// Counts a schema in the form of an API.
    pub(super) fn of(schema: &Json) -> Self {
        let mut cost = Self::default();
        cost.count(schema, 1, true);
        let definitions = schema.get("$defs").and_then(Json::as_object);
        for (name, definition) in definitions.into_iter().flat_map(Object::iter) {
            add(&mut cost.enum_text, name.len());
            cost.count(definition, 1, false);
        }
        cost
    }

    fn count(&mut self, schema: &Json, depth: u32, is_inline: bool) {
        let Some(schema) = schema.as_object() else {
            return;
        };
        let mut below = depth;
        if let Some(properties) = schema.get("properties").and_then(Json::as_object) {
            below = depth.saturating_add(1);
            self.depth = self.depth.max(depth);
            add(&mut self.properties, properties.len());
            let required = super::source::required(schema);
            for (name, property) in properties.iter() {
                add(&mut self.enum_text, name.len());
                if is_inline {
                    let lists_types = matches!(property.get("type"), Some(Json::Array(_)));
                    add(
                        &mut self.unions,
                        usize::from(lists_types || property.get("anyOf").is_some()),
                    );
                    add(&mut self.optional, usize::from(!required.contains(&name)));
                }
                self.count(property, below, is_inline);
            }
        }
        if let Some(values) = schema.get("enum").and_then(Json::as_array) {
            let text = values.iter().map(|value| match value {
                Json::String(text) => text.len(),
                other => other.to_text().len(),
            });
            let text = text.sum();
            add(&mut self.enum_values, values.len());
            add(&mut self.enum_text, text);
            if values.len() > LONG_ENUM {
                self.long_enum = self.long_enum.max(u32::try_from(text).unwrap_or(u32::MAX));
            }
        }
        if let Some(items) = schema.get("items") {
            self.count(items, below, is_inline);
        }
        for keyword in ["anyOf", "oneOf", "allOf", "prefixItems"] {
            for part in schema
                .get(keyword)
                .and_then(Json::as_array)
                .unwrap_or_default()
            {
                self.count(part, below, is_inline);
            }
        }
    }
}

fn add(count: &mut u32, more: usize) {
    *count = count.saturating_add(u32::try_from(more).unwrap_or(u32::MAX));
}
