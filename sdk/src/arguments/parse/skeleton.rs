//! Values with little more in them than one place, to see what a type does with that place.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::branches::{only_text, required};
use crate::schema::{self, PathPart};
use crate::util::pointer::push_key;

/// How many members of an object are looked at for a tag, and how long a tag may be.
const SIBLINGS: usize = 64;
/// How deep the objects are that are made up.
const DEPTH: usize = 4;

/// What stands beside the way to a place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Beside {
    /// Short texts, because one may be a tag.
    Tags,
    /// What else the schema requires too, made up: a part that serde reads from a copy is read
    /// after all that is not.
    Required,
    /// What all branches of a union require, and of the object itself no texts: for a tag.
    Common,
}

/// What skeletons are made of.
pub(super) struct Skeletons<'t, 's> {
    /// The argument that the value is of, if it is not the whole object.
    pub(super) name: Option<&'t str>,
    pub(super) value: &'s Value,
    pub(super) root: &'s Value,
    /// Where the schema finds faults: nothing of that is beside the way.
    pub(super) faulty: BTreeSet<String>,
}

impl Skeletons<'_, '_> {
    /// The value with nothing in it but what leads to a place, and the place as it is there. The
    /// parts of a tuple that come before stay.
    pub(super) fn to(&self, place: &str, there: &Value, beside: Beside) -> Option<(Value, String)> {
        let keys: Vec<String> = place.split('/').skip(1).map(unescaped).collect();
        let mut path: Vec<PathPart<'_>> = self.name.map(PathPart::Key).into_iter().collect();
        let (mut at, mut shown) = (String::new(), String::new());
        let mut steps: Vec<Value> = Vec::new();
        let mut value = self.value;
        for (depth, key) in keys.iter().enumerate() {
            let last = depth + 1 == keys.len();
            match value {
                Value::Object(members) => {
                    let mut step = match (last, beside) {
                        (true, Beside::Common) => Map::new(),
                        _ => self.tags(members, key, &at),
                    };
                    if beside != Beside::Tags
                        && let Some(node) = schema::at(self.root, &path)
                    {
                        self.fill(&mut step, key, node, DEPTH);
                    }
                    steps.push(Value::Object(step));
                    push_key(&mut shown, key);
                    path.push(PathPart::Key(key));
                }
                Value::Array(items) => {
                    let index: usize = key.parse().ok()?;
                    let before = self.before(items.get(..index)?, &path, &at);
                    push_key(&mut shown, &before.len().to_string());
                    steps.push(Value::Array(before));
                    path.push(PathPart::Index(index));
                }
                _ => return None,
            }
            push_key(&mut at, key);
            if !last {
                value = match value {
                    Value::Object(members) => members.get(key)?,
                    other => other.get(key.parse::<usize>().ok()?)?,
                };
            }
        }
        let mut whole = there.clone();
        for (mut step, key) in steps.into_iter().zip(&keys).rev() {
            match &mut step {
                Value::Object(members) => drop(members.insert(key.clone(), whole)),
                Value::Array(items) => items.push(whole),
                _ => {}
            }
            whole = step;
        }
        Some((whole, shown))
    }

    /// The parts of a tuple that come before one; made up, where they are at fault. None of a list.
    fn before(&self, items: &[Value], path: &[PathPart<'_>], at: &str) -> Vec<Value> {
        if items.is_empty() {
            return Vec::new();
        }
        let parts = match schema::at(self.root, path) {
            Some(node) => match node["prefixItems"].as_array() {
                Some(parts) => &parts[..],
                None => return Vec::new(),
            },
            None => &[],
        };
        let part = |(index, item): (usize, &Value)| {
            let place = below(at, &index.to_string());
            match parts.get(index) {
                Some(part) if self.is_faulty(&place) => self.sample(part, DEPTH),
                _ => item.clone(),
            }
        };
        items.iter().enumerate().map(part).collect()
    }

    /// Whether there is a fault at a place or in it.
    fn is_faulty(&self, place: &str) -> bool {
        let inside = format!("{place}/");
        let next = self.faulty.range(inside.clone()..).next();
        self.faulty.contains(place) || next.is_some_and(|next| next.starts_with(&inside))
    }

    /// The members of an object that may be a tag.
    fn tags(&self, members: &Map<String, Value>, but: &str, place: &str) -> Map<String, Value> {
        let is_short = |value: &Value| value.as_str().is_some_and(|text| text.len() <= SIBLINGS);
        members
            .iter()
            .take(SIBLINGS)
            .filter(|(key, value)| {
                *key != but && is_short(value) && !self.faulty.contains(&below(place, key))
            })
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect()
    }

    /// Adds what a schema requires of an object and is not there, but for one name.
    fn fill(&self, members: &mut Map<String, Value>, but: &str, node: &Value, depth: usize) {
        let branches = ["anyOf", "oneOf"]
            .into_iter()
            .filter_map(|k| node[k].as_array());
        let branches = branches
            .flatten()
            .filter_map(|b| schema::resolved(self.root, b));
        let is_meant = |branch: &&Value| {
            let differs = |(key, value): (&String, &Value)| {
                only_text(branch, key).is_some_and(|only| value.as_str() != Some(only))
            };
            branch["properties"].is_object() && !members.iter().any(differs)
        };
        let meant: Vec<&Value> = branches.filter(is_meant).take(SIBLINGS).collect();
        let objects = [&[node], &meant[..]].concat();
        let one = objects
            .iter()
            .find(|object| object["properties"].is_object());
        for key in one.into_iter().flat_map(|object| required(object)) {
            let by_all = meant
                .iter()
                .all(|branch| required(branch).any(|own| own == key));
            if by_all
                && key != but
                && !members.contains_key(key)
                && let Some(node) = one.and_then(|object| object["properties"].get(key))
            {
                members.insert(key.to_owned(), self.sample(node, depth));
            }
        }
    }

    /// A value that a schema allows, if that is easy to say.
    pub(super) fn sample(&self, node: &Value, depth: usize) -> Value {
        let node = schema::resolved(self.root, node).unwrap_or(node);
        if let Some(value) = node.get("default").or_else(|| node["enum"].get(0)) {
            return value.clone();
        }
        let kind = match &node["type"] {
            Value::Array(kinds) => kinds.first().and_then(Value::as_str),
            kind => kind.as_str(),
        };
        match kind {
            Some("string") => {
                let least = node["minLength"].as_u64().unwrap_or_default();
                Value::from("a".repeat(usize::try_from(least.min(64)).unwrap_or_default()))
            }
            Some("integer" | "number") => match node.get("minimum").or(node.get("maximum")) {
                Some(end) => end.clone(),
                None => Value::from(0),
            },
            Some("boolean") => Value::Bool(false),
            Some("array") => Value::Array(Vec::new()),
            Some("object") => {
                let mut members = Map::new();
                if let Some(depth) = depth.checked_sub(1) {
                    self.fill(&mut members, "", node, depth);
                }
                Value::Object(members)
            }
            _ => match node["anyOf"].get(0) {
                Some(first) if depth > 0 => self.sample(first, depth - 1),
                _ => Value::Null,
            },
        }
    }
}

/// A value of each type: what is read alike whichever of them stands there is not read at all.
pub(super) fn of_each_type() -> [Value; 6] {
    [
        Value::Null,
        Value::Bool(false),
        Value::from(0),
        Value::from(""),
        Value::Array(Vec::new()),
        Value::Object(Map::new()),
    ]
}

pub(super) fn below(place: &str, key: &str) -> String {
    let mut pointer = place.to_owned();
    push_key(&mut pointer, key);
    pointer
}

/// A key of a JSON pointer as it is in the object.
pub(super) fn unescaped(key: &str) -> String {
    key.replace("~1", "/").replace("~0", "~")
}
