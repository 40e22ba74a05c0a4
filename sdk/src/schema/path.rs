//! From a place in a value to the schema that governs it.

use serde_json::{Map, Value};

use super::refs::resolved;
use super::walk::{subschemas, subschemas_mut};
use crate::util::pointer::unescaped;

/// The keyword by which `#[tool_type]` says the other names of a property. It is in no schema that
/// anybody sees.
pub(crate) const ALIASES: &str = "x-toolwright-aliases";

/// Returns true if a schema has other names of properties.
pub(crate) fn has_aliases(schema: &Value) -> bool {
    let Value::Object(node) = schema else {
        return false;
    };
    let mut any = node.contains_key(ALIASES);
    subschemas(node, &mut |_, inner| any = any || has_aliases(inner));
    any
}

/// Takes the other names of properties out of a schema.
pub(crate) fn take_aliases(schema: &mut Value) {
    if let Value::Object(node) = schema {
        node.remove(ALIASES);
        subschemas_mut(node, &mut |_, inner| take_aliases(inner));
    }
}

/// Returns the property of a name, or of another name of it, with the property's own name.
pub(crate) fn named<'s>(
    properties: &'s Map<String, Value>,
    key: &str,
) -> Option<(&'s str, &'s Value)> {
    let own = properties.get_key_value(key);
    let own = own.map(|(name, node)| (name.as_str(), node));
    own.or_else(|| aliased(properties, key))
}

/// Returns the property that a key is another name of, with the property's own name.
pub(crate) fn aliased<'s>(
    properties: &'s Map<String, Value>,
    key: &str,
) -> Option<(&'s str, &'s Value)> {
    let is_alias = |(_, node): &(&String, &Value)| {
        let aliases = node.get(ALIASES).and_then(Value::as_array);
        aliases.is_some_and(|all| all.iter().any(|alias| alias == key))
    };
    let found = properties.iter().find(is_alias);
    found.map(|(name, node)| (name.as_str(), node))
}

/// Returns the schema that governs the value at a JSON pointer into a value that `root` describes.
///
/// References are followed. Where a union leaves a choice, the branch is taken that alone knows the
/// rest of the way. `None` if nothing is said of the place, or nothing clear.
pub(crate) fn at<'s>(root: &'s Value, pointer: &str) -> Option<&'s Value> {
    let mut search = Search { root, effort: 4096 };
    let keys: Vec<String> = pointer.split('/').skip(1).map(unescaped).collect();
    search.find(root, &keys, 16)
}

struct Search<'s> {
    root: &'s Value,
    /// The number of schemas that it still looks at: an imported schema can be built to have no end.
    effort: usize,
}

impl<'s> Search<'s> {
    /// Goes through at most `unions` unions before the next step.
    fn find(&mut self, schema: &'s Value, keys: &[String], unions: usize) -> Option<&'s Value> {
        self.effort = self.effort.checked_sub(1)?;
        let schema = resolved(self.root, schema)?;
        let Some((key, rest)) = keys.split_first() else {
            return (*schema != Value::Bool(false)).then_some(schema);
        };
        let property = schema["properties"]
            .as_object()
            .and_then(|all| named(all, key));
        let part = || schema.get("prefixItems")?.get(key.parse::<usize>().ok()?);
        if let Some(inner) = property.map(|(_, inner)| inner).or_else(part) {
            return self.find(inner, rest, unions);
        }
        let mut found: Option<&Value> = None;
        for keyword in ["anyOf", "oneOf", "allOf"] {
            let branches = schema.get(keyword).and_then(Value::as_array);
            for branch in branches.into_iter().flatten() {
                let Some(inner) = self.find(branch, keys, unions.checked_sub(1)?) else {
                    continue;
                };
                if found.is_some_and(|other| other != inner) {
                    return None;
                }
                found = Some(inner);
            }
        }
        match found {
            Some(found) => Some(found),
            None => self.find(remaining(schema, key)?, rest, unions),
        }
    }
}

/// Returns what `schema` says of the parts that it does not name.
fn remaining<'s>(schema: &'s Value, key: &str) -> Option<&'s Value> {
    if let Ok(index) = key.parse::<u64>()
        && let Some(items) = schema.get("items")
    {
        let within = |length: &Value| length.as_u64().is_some_and(|length| index >= length);
        let is_beyond = schema.get("maxItems").is_some_and(within);
        return Some(items).filter(|items| !is_beyond && !items.is_array());
    }
    // Only a validator can decide which pattern a key matches.
    match schema.get("patternProperties") {
        Some(_) => None,
        None => schema.get("additionalProperties"),
    }
}
