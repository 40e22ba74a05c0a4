//! References, and the definitions that they lead to.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::walk::{Node, subschemas};

/// The start of a reference of a portable schema.
pub(super) const PREFIX: &str = "#/$defs/";

/// A definition with more schemas than this in it stays a reference.
const INLINE_LIMIT: usize = 256;

/// The reference to a definition.
pub(super) fn reference(name: &str) -> Value {
    Value::String(format!("{PREFIX}{name}"))
}

/// The definition that `node` refers to.
pub(super) fn referred(node: &Node) -> Option<&str> {
    node.get("$ref")?.as_str()?.strip_prefix(PREFIX)
}

/// Calls `found` with each name that `schema` refers to, once for each time.
fn references(schema: &Value, found: &mut dyn FnMut(&str)) {
    let Value::Object(node) = schema else { return };
    if let Some(name) = referred(node) {
        found(name);
    }
    subschemas(node, &mut |_, inner| references(inner, found));
}

/// A name for `wanted` that is not taken, of characters that stand for themselves in a reference.
pub(super) fn free_name(wanted: &str, taken: impl Fn(&str) -> bool) -> String {
    let plain: String = wanted
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.') {
                c
            } else {
                '_'
            }
        })
        .collect();
    let mut name = plain.clone();
    let mut number = 2;
    while taken(&name) {
        name = format!("{plain}{number}");
        number += 1;
    }
    name
}

/// The definitions that linked schemas refer to.
#[derive(Clone)]
pub(super) struct Definitions {
    table: BTreeMap<String, Value>,
    kept: BTreeSet<String>,
}

impl Definitions {
    /// Those of `table`, for use from `schemas`.
    pub(super) fn new(table: BTreeMap<String, Value>, schemas: &[Value]) -> Self {
        let mut ends = BTreeSet::new();
        let mut seen = BTreeSet::new();
        for schema in schemas {
            find_ends(schema, &table, &mut Vec::new(), &mut seen, &mut ends);
        }
        let mut this = Self { table, kept: ends };
        let mut sizes = BTreeMap::new();
        let large: Vec<String> = seen
            .into_iter()
            .filter(|name| this.size(name, &mut sizes) > INLINE_LIMIT)
            .collect();
        this.kept.extend(large);
        this
    }

    fn reachable(&self, from: &Value) -> BTreeSet<String> {
        let mut seen = BTreeSet::new();
        let mut left = vec![from];
        while let Some(schema) = left.pop() {
            references(schema, &mut |name| {
                if !seen.contains(name) {
                    seen.insert(name.to_owned());
                    left.extend(self.table.get(name));
                }
            });
        }
        seen
    }

    /// The number of schemas in a definition once those that it refers to are inlined. Call it only once the ends of
    /// recursion are known.
    fn size(&self, name: &str, known: &mut BTreeMap<String, usize>) -> usize {
        if let Some(size) = known.get(name) {
            return *size;
        }
        let Some(schema) = self.table.get(name) else {
            return 1;
        };
        let mut size = count(schema);
        references(schema, &mut |inner| {
            if !self.kept.contains(inner) {
                let inner = self.size(inner, known);
                size = size.saturating_add(if inner > INLINE_LIMIT { 1 } else { inner });
            }
        });
        known.insert(name.to_owned(), size);
        size
    }

    /// Returns true if a reference to `name` stays: a recursion ends there, or it is too large to repeat.
    pub(super) fn is_kept(&self, name: &str) -> bool {
        self.kept.contains(name)
    }

    /// Returns true if `schema` leads to a reference that stays.
    pub(super) fn lead_to_kept(&self, schema: &Value) -> bool {
        self.reachable(schema).iter().any(|name| self.is_kept(name))
    }

    /// The schema of `name`.
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.table.get(name)
    }

    /// The name and schema of `name`.
    pub(super) fn entry(&self, name: &str) -> Option<(&str, &Value)> {
        let (name, schema) = self.table.get_key_value(name)?;
        Some((name, schema))
    }

    /// All of them, as the value of a `$defs`.
    pub(super) fn to_value(&self) -> Value {
        let all = self.table.iter();
        all.map(|(name, schema)| (name.clone(), schema.clone()))
            .collect()
    }

    /// Adds a schema made from that of `name`, to be referred to by the returned name.
    pub(super) fn add_variant(&mut self, name: &str, schema: Node) -> String {
        let variant = free_name(name, |name| self.table.contains_key(name));
        self.table.insert(variant.clone(), Value::Object(schema));
        self.kept.insert(variant.clone());
        variant
    }
}

/// Finds the definitions at which following references from `schema` closes a circle: references
/// to these stay, and no others have to.
fn find_ends(
    schema: &Value,
    table: &BTreeMap<String, Value>,
    open: &mut Vec<String>,
    seen: &mut BTreeSet<String>,
    ends: &mut BTreeSet<String>,
) {
    references(schema, &mut |name| {
        if open.iter().any(|one| one == name) {
            ends.insert(name.to_owned());
        } else if seen.insert(name.to_owned())
            && let Some(inner) = table.get(name)
        {
            open.push(name.to_owned());
            find_ends(inner, table, open, seen, ends);
            open.pop();
        }
    });
}

fn count(schema: &Value) -> usize {
    let mut total = 1_usize;
    if let Value::Object(node) = schema {
        subschemas(node, &mut |_, inner| {
            total = total.saturating_add(count(inner));
        });
    }
    total
}

/// The schema that governs, with references followed.
pub(crate) fn resolved<'s>(root: &'s Value, schema: &'s Value) -> Option<&'s Value> {
    let mut current = schema;
    // A bound, because references of a schema from outside may lead in a circle.
    for _ in 0..16 {
        let Some(reference) = current.get("$ref").and_then(Value::as_str) else {
            return Some(current);
        };
        current = target(root, reference)?;
    }
    None
}

/// The target of a reference by JSON pointer.
pub(super) fn target<'s>(root: &'s Value, reference: &str) -> Option<&'s Value> {
    root.pointer(&percent_decoded(reference.strip_prefix('#')?)?)
}

/// `text` without escapes by percent signs; `None` if one is broken.
pub(super) fn percent_decoded(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('%') {
        return Some(Cow::Borrowed(text));
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut parts = text.split('%');
    bytes.extend_from_slice(parts.next()?.as_bytes());
    for part in parts {
        bytes.push(u8::from_str_radix(part.get(..2)?, 16).ok()?);
        bytes.extend_from_slice(part.get(2..)?.as_bytes());
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}
