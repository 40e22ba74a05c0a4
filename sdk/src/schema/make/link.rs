//! From references that lead anywhere to references into one table, with plain names.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::schema::refs::{Definitions, PREFIX, free_name, percent_decoded, reference};
use crate::schema::walk::{Node, subschemas_mut};

/// The names that a reference can use at some place: the definitions around it.
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

    /// Returns true if nothing has been referred to.
    pub(super) fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// The definitions so far, for use from `schemas`.
    pub(super) fn definitions(&self, schemas: &[Value]) -> Definitions {
        let mut table = self.table.clone();
        table.values_mut().for_each(Value::sort_all_objects);
        Definitions::new(table, schemas)
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
        // A reference without a target would make a provider refuse the whole tool; the type still checks the value.
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
        // The entry reserves the name while the schema, which may lead back here, is followed.
        self.table.insert(name.clone(), Value::Null);
        self.follow(&mut schema, scope);
        self.table.insert(name.clone(), schema);
        Some(name)
    }
}
