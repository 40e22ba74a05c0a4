//! From a place in a value to the schema that governs it.

use serde_json::Value;

use super::refs::resolved;

/// A step into a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PathPart<'a> {
    /// Into an object.
    Key(&'a str),
    /// Into an array.
    Index(usize),
}

/// The schema that governs the value at `path` in a value that `root` describes.
///
/// References are followed. Where a union leaves a choice, the branch is taken that alone knows
/// the rest of the path. `None` where nothing is said of the place, or nothing clear.
pub(crate) fn at<'s>(root: &'s Value, path: &[PathPart<'_>]) -> Option<&'s Value> {
    let mut search = Search { root, effort: 4096 };
    search.find(root, path, 16)
}

struct Search<'s> {
    root: &'s Value,
    /// The number of schemas that it still looks at: an imported schema can be built to have no end.
    effort: usize,
}

impl<'s> Search<'s> {
    /// Goes through at most `unions` unions before the next step.
    fn find(
        &mut self,
        schema: &'s Value,
        path: &[PathPart<'_>],
        unions: usize,
    ) -> Option<&'s Value> {
        self.effort = self.effort.checked_sub(1)?;
        let schema = resolved(self.root, schema)?;
        let Some((part, rest)) = path.split_first() else {
            return (*schema != Value::Bool(false)).then_some(schema);
        };
        if let Some(inner) = named(schema, *part) {
            return self.find(inner, rest, unions);
        }
        let mut found: Option<&Value> = None;
        for keyword in ["anyOf", "oneOf", "allOf"] {
            let branches = schema.get(keyword).and_then(Value::as_array);
            for branch in branches.into_iter().flatten() {
                let Some(inner) = self.find(branch, path, unions.checked_sub(1)?) else {
                    continue;
                };
                if found.is_some_and(|other| other != inner) {
                    return None;
                }
                found = Some(inner);
            }
        }
        if found.is_some() {
            return found;
        }
        self.find(remaining(schema, *part)?, rest, unions)
    }
}

/// The schema that `schema` gives to this part by name.
fn named<'s>(schema: &'s Value, part: PathPart<'_>) -> Option<&'s Value> {
    match part {
        PathPart::Key(key) => schema.get("properties")?.get(key),
        PathPart::Index(index) => schema.get("prefixItems")?.get(index),
    }
}

/// The schema that `schema` gives to the parts without a name.
fn remaining<'s>(schema: &'s Value, part: PathPart<'_>) -> Option<&'s Value> {
    match part {
        // Only a validator can decide which pattern a key matches.
        PathPart::Key(_) if schema.get("patternProperties").is_some() => None,
        PathPart::Key(_) => schema.get("additionalProperties"),
        PathPart::Index(index) => {
            let within = |length: &Value| length.as_u64().is_some_and(|n| index as u64 >= n);
            if schema.get("maxItems").is_some_and(within) {
                return None;
            }
            schema.get("items").filter(|items| !items.is_array())
        }
    }
}
