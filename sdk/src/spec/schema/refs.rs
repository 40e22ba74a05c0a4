//! References between schemas: from wherever they stand to one table with plain names.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::walk::{Node, subschemas, subschemas_mut};

/// What a reference of a portable schema starts with.
const PREFIX: &str = "#/$defs/";

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

/// What a reference can name at some place: the definitions that stand around it.
struct Scope<'s> {
    id: usize,
    definitions: &'s Node,
    outer: Option<&'s Scope<'s>>,
}

/// Collects what schemas refer to into one table, under names that need no escaping.
///
/// A type whose schema was written by hand may bring definitions of its own, anywhere.
#[derive(Default)]
pub(super) struct Linker {
    scopes: usize,
    names: BTreeMap<(usize, String), String>,
    table: BTreeMap<String, Value>,
}

impl Linker {
    /// Collects what `schemas`, drawn by one generator, refer to.
    pub(super) fn link<'v>(
        &mut self,
        schemas: impl IntoIterator<Item = &'v mut Value>,
        definitions: &Node,
    ) {
        let scope = Scope {
            id: self.next_scope(),
            definitions,
            outer: None,
        };
        for schema in schemas {
            self.follow(schema, &scope);
        }
    }

    /// Whether nothing has been referred to.
    pub(super) fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// What was collected so far.
    pub(super) fn definitions(&self) -> Definitions {
        Definitions::new(self.table.clone())
    }

    fn next_scope(&mut self) -> usize {
        self.scopes += 1;
        self.scopes
    }

    fn follow(&mut self, schema: &mut Value, scope: &Scope<'_>) {
        let Value::Object(node) = schema else { return };
        let mut own = Node::new();
        for keyword in ["definitions", "$defs"] {
            if let Some(Value::Object(map)) = node.remove(keyword) {
                own.extend(map);
            }
        }
        if own.is_empty() {
            self.follow_in(node, scope);
        } else {
            let inner = Scope {
                id: self.next_scope(),
                definitions: &own,
                outer: Some(scope),
            };
            self.follow_in(node, &inner);
        }
    }

    fn follow_in(&mut self, node: &mut Node, scope: &Scope<'_>) {
        // One that leads nowhere would make a provider refuse the whole tool: the type checks.
        if let Some(Value::String(target)) = node.remove("$ref")
            && let Some(name) = self.name_of(&target, scope)
        {
            node.insert("$ref".to_owned(), reference(&name));
        }
        for keyword in [
            "$dynamicRef",
            "$recursiveRef",
            "$anchor",
            "$dynamicAnchor",
            "$recursiveAnchor",
            "$vocabulary",
        ] {
            node.remove(keyword);
        }
        subschemas_mut(node, &mut |_, inner| self.follow(inner, scope));
    }

    fn name_of(&mut self, target: &str, from: &Scope<'_>) -> Option<String> {
        let encoded = target
            .strip_prefix(PREFIX)
            .or_else(|| target.strip_prefix("#/definitions/"))?;
        let wanted = percent_decoded(encoded)?
            .replace("~1", "/")
            .replace("~0", "~");
        let mut scope = from;
        while !scope.definitions.contains_key(&wanted) {
            scope = scope.outer?;
        }
        let key = (scope.id, wanted);
        if let Some(name) = self.names.get(&key) {
            return Some(name.clone());
        }
        let mut schema = scope.definitions.get(&key.1)?.clone();
        let name = free_name(&key.1, |name| self.table.contains_key(name));
        self.names.insert(key, name.clone());
        // Holds the name while the schema, which may lead back here, is followed.
        self.table.insert(name.clone(), Value::Null);
        self.follow(&mut schema, scope);
        self.table.insert(name.clone(), schema);
        Some(name)
    }
}

/// A name for `wanted` that is not taken, of characters that stand for themselves in a reference.
fn free_name(wanted: &str, taken: impl Fn(&str) -> bool) -> String {
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
pub(super) struct Definitions {
    table: BTreeMap<String, Value>,
    kept: BTreeSet<String>,
}

impl Definitions {
    fn new(table: BTreeMap<String, Value>) -> Self {
        let mut this = Self {
            table,
            kept: BTreeSet::new(),
        };
        this.kept = this
            .table
            .iter()
            .filter(|(name, schema)| this.reachable(schema).contains(*name))
            .map(|(name, _)| name.clone())
            .collect();
        let mut sizes = BTreeMap::new();
        let large: Vec<String> = this
            .table
            .keys()
            .filter(|name| this.size(name, &mut sizes) > INLINE_LIMIT)
            .cloned()
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

    /// How many schemas a definition is once those that it refers to are inlined. Only to be
    /// asked once the recursive ones are known.
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

    /// Whether a reference to `name` stays: the type is recursive, or too large to repeat.
    pub(super) fn is_kept(&self, name: &str) -> bool {
        self.kept.contains(name)
    }

    /// Whether `schema` leads to a reference that stays.
    pub(super) fn lead_to_kept(&self, schema: &Value) -> bool {
        self.reachable(schema).iter().any(|name| self.is_kept(name))
    }

    /// The schema of `name`.
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.table.get(name)
    }

    /// Adds a schema made from that of `name`, to be referred to by the returned name.
    pub(super) fn add_variant(&mut self, name: &str, schema: Node) -> String {
        let variant = free_name(name, |name| self.table.contains_key(name));
        self.table.insert(variant.clone(), Value::Object(schema));
        self.kept.insert(variant.clone());
        variant
    }
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
pub(super) fn resolved<'s>(root: &'s Value, schema: &'s Value) -> Option<&'s Value> {
    let mut current = schema;
    for _ in 0..16 {
        let Some(target) = current.get("$ref").and_then(Value::as_str) else {
            return Some(current);
        };
        current = root.pointer(&percent_decoded(target.strip_prefix('#')?)?)?;
    }
    None
}

fn percent_decoded(text: &str) -> Option<Cow<'_, str>> {
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
