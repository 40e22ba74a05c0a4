//! All places of a schema at which a schema stands, and what leads from one to another.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use crate::schema::refs::percent_decoded;
use crate::schema::walk::{Node, subschemas_at};
use crate::util::pointer::push_key;

/// The schemas in a schema, by the JSON pointers to them.
pub(super) struct Places<'s> {
    /// Outer ones first.
    pub(super) all: Vec<(String, &'s Value)>,
    numbers: HashMap<String, usize>,
    /// The schemas that an anchor or an `$id` names.
    named: HashMap<&'s str, usize>,
}

impl<'s> Places<'s> {
    /// Those that stand where a keyword holds schemas, and those that a reference leads to.
    pub(super) fn of(root: &'s Value) -> Self {
        let mut all: Vec<(String, &Value)> = Vec::new();
        let mut seen = HashSet::new();
        let mut left = vec![(String::new(), root)];
        while let Some((pointer, schema)) = left.pop() {
            if !seen.insert(pointer.clone()) {
                continue;
            }
            if let Value::Object(node) = schema {
                subschemas_at(node, &mut |path, inner| {
                    left.push((below(&pointer, path), inner));
                });
                if let Some(target) = pointer_of(node)
                    && let Some(inner) = root.pointer(&target)
                {
                    left.push((target, inner));
                }
            }
            all.push((pointer, schema));
        }
        all.sort_by_key(|(pointer, _)| pointer.len());
        let mut named = HashMap::new();
        for (number, (_, schema)) in all.iter().enumerate() {
            for keyword in ["$anchor", "$dynamicAnchor", "$id"] {
                let name = schema.get(keyword).and_then(Value::as_str);
                named.extend(name.map(|name| (name.trim_start_matches('#'), number)));
            }
        }
        let pointers = all.iter().map(|(pointer, _)| pointer.clone());
        Self {
            numbers: pointers.zip(0..).collect(),
            named,
            all,
        }
    }

    /// The place that a schema refers to, if it does and the place is one of these.
    pub(super) fn target(&self, node: &Node) -> Option<usize> {
        if let Some(pointer) = pointer_of(node) {
            return self.numbers.get(&pointer).copied();
        }
        let keywords = ["$ref", "$dynamicRef", "$recursiveRef"];
        let reference = keywords
            .iter()
            .find_map(|keyword| node.get(*keyword)?.as_str())?;
        let (document, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let name = if fragment.is_empty() {
            document
        } else {
            fragment
        };
        if name.is_empty() {
            return Some(0);
        }
        let by_end = || {
            let mut named = self.named.iter();
            named.find(|(id, _)| id.ends_with(name) || name.ends_with(**id))
        };
        let (_, number) = self.named.get_key_value(name).or_else(by_end)?;
        Some(*number)
    }

    /// The schemas directly in one: how each is reached, and its number.
    pub(super) fn inside(&self, number: usize, visit: &mut dyn FnMut(&[&str], usize)) {
        let Some((pointer, Value::Object(node))) = self.all.get(number) else {
            return;
        };
        subschemas_at(node, &mut |path, _| {
            if let Some(inner) = self.numbers.get(&below(pointer, path)) {
                visit(path, *inner);
            }
        });
    }
}

fn below(pointer: &str, path: &[&str]) -> String {
    let mut below = pointer.to_owned();
    for part in path {
        push_key(&mut below, part);
    }
    below
}

/// The JSON pointer that the reference of a schema is, where it is one into the same document.
pub(super) fn pointer_of(node: &Node) -> Option<String> {
    let reference = node.get("$ref")?.as_str()?.strip_prefix('#')?;
    let pointer = percent_decoded(reference)?;
    (pointer.is_empty() || pointer.starts_with('/')).then(|| pointer.into_owned())
}
