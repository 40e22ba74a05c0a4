//! References replaced by their targets, in a schema that stays as it is otherwise.

use super::merge::merged;
use super::source::{Recursion, Source};
use crate::json::{Json, Object};

/// The schemas and values that copies of targets may have together; with more of them the references stay.
const MAX_COPIED: usize = 20_000;

/// The values that may lie within each other. A reference that leads around in some other way than a schema's is deeper.
const MAX_DEPTH: usize = 128;

/// Keywords whose value is no schema.
const VALUES: [&str; 4] = ["enum", "const", "default", "examples"];

/// Replaces the references of a root whose target does not contain itself, and drops the definitions if none are left.
/// `None`: there are no references, or copies would be too many or too deep.
pub(super) fn inlined(root: &Object) -> Option<Object> {
    let schema = Json::Object(root.clone());
    let mut inliner = Inliner {
        source: Source { root: &schema },
        is_changed: false,
        left: MAX_COPIED,
        recursion: Recursion::default(),
        depth: 0,
    };
    let mut result = Object::new();
    for (keyword, value) in root.iter() {
        if matches!(keyword, "$defs" | "definitions") || VALUES.contains(&keyword) {
            result.insert(keyword, value.clone());
        } else {
            result.insert(keyword, inliner.value(value)?);
        }
    }
    if !inliner.is_changed {
        return None;
    }
    let mut bare = result.clone();
    for keyword in ["$defs", "definitions"] {
        bare.remove(keyword);
    }
    let refers = has_reference(&Json::Object(bare.clone()));
    Some(if refers { result } else { bare })
}

struct Inliner<'s> {
    source: Source<'s>,
    is_changed: bool,
    left: usize,
    recursion: Recursion,
    depth: usize,
}

impl Inliner<'_> {
    fn value(&mut self, value: &Json) -> Option<Json> {
        self.left = self.left.checked_sub(1)?;
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let copy = self.any_value(value);
        self.depth -= 1;
        copy
    }

    fn any_value(&mut self, value: &Json) -> Option<Json> {
        match value {
            Json::Object(object) => self.object(object),
            Json::Array(items) => {
                let items: Option<Vec<Json>> = items.iter().map(|item| self.value(item)).collect();
                items.map(Json::Array)
            }
            other => Some(other.clone()),
        }
    }

    fn object(&mut self, object: &Object) -> Option<Json> {
        if let Some(reference) = object.get("$ref").and_then(Json::as_str)
            && let Some((target, pointer)) = self.source.resolve(reference)
            && !self.recursion.is_at(self.source, &pointer)
        {
            let mut beside = object.clone();
            beside.remove("$ref");
            let whole = match target {
                target if beside.is_empty() => Some(target.clone()),
                Json::Object(target) => merged(&beside, target).map(Json::Object),
                _ => None,
            };
            if let Some(whole) = whole {
                self.is_changed = true;
                return self.value(&whole);
            }
        }
        let mut result = Object::new();
        for (keyword, value) in object.iter() {
            let value = if VALUES.contains(&keyword) && !matches!(value, Json::Object(_)) {
                value.clone()
            } else {
                self.value(value)?
            };
            result.insert(keyword, value);
        }
        Some(Json::Object(result))
    }
}

fn has_reference(value: &Json) -> bool {
    match value {
        Json::Object(object) => object.iter().any(|(keyword, value)| {
            (keyword == "$ref" && value.as_str().is_some()) || has_reference(value)
        }),
        Json::Array(items) => items.iter().any(has_reference),
        _ => false,
    }
}
