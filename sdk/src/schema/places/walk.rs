//! The schemas within an input schema.

use std::collections::{HashSet, VecDeque};

use serde_json::{Map, Value};

use super::place::{Path, ValueStep, fixed_value, properties};

/// The most levels of values, and of schemas about one value, that are looked at: an imported schema can be built to
/// have no end.
const DEPTH: usize = 64;

/// A schema within the input schema, and the value that it is about.
#[derive(Debug)]
pub(crate) struct SchemaLocation<'s> {
    pub(crate) path: Path<'s>,
    pub(crate) schema: &'s Value,
    pub(crate) role: Role,
    /// Other schemas that hold for the value together with this one.
    pub(crate) around: Vec<&'s Value>,
}

/// The relation of a schema to the one around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// It is the input schema.
    Root,
    /// As that of a property, an element or what a map holds.
    Inner,
    /// As one of the alternatives of a union.
    Branch,
    /// As one of several schemas that hold together.
    Part,
    /// By a reference.
    Target,
}

/// Every schema in `root` that is about a value among the arguments, by a shortest way to it. A
/// definition is there once, however often it is referred to.
pub(crate) fn places(root: &Value) -> Vec<SchemaLocation<'_>> {
    let mut seen = HashSet::from([std::ptr::from_ref(root)]);
    let mut found = Vec::new();
    let mut left = VecDeque::from([SchemaLocation {
        path: Path::default(),
        schema: root,
        role: Role::Root,
        around: Vec::new(),
    }]);
    while let Some(place) = left.pop_front() {
        if place.path.depth() > DEPTH || place.around.len() > DEPTH {
            continue;
        }
        inner(&place, &mut |path, schema| {
            let around = match path.last() {
                Some(ValueStep::Property { name, .. }) => around_property(&place, name).collect(),
                _ => Vec::new(),
            };
            left.push_back(SchemaLocation {
                path,
                schema,
                role: Role::Inner,
                around,
            });
        });
        same(&place, root, &mut |role, schema| {
            if role == Role::Target && !seen.insert(std::ptr::from_ref(schema)) {
                return;
            }
            let mut around = place.around.clone();
            around.push(place.schema);
            if role == Role::Part {
                let parts = listed(place.schema, "allOf").iter();
                around.extend(parts.filter(|part| !std::ptr::eq(*part, schema)));
            }
            left.push_back(SchemaLocation {
                path: place.path.clone(),
                schema,
                role,
                around,
            });
        });
        found.push(place);
    }
    found
}

/// The schemas of a property in those that apply together with the one that names it.
pub(crate) fn around_property<'s>(
    place: &SchemaLocation<'s>,
    name: &str,
) -> impl Iterator<Item = &'s Value> {
    let around = place.around.iter();
    around.filter_map(move |outer| properties(outer)?.get(name))
}

/// Visits the schemas of what is within the value.
fn inner<'s>(place: &SchemaLocation<'s>, visit: &mut dyn FnMut(Path<'s>, &'s Value)) {
    let schema = place.schema;
    if let Some(properties) = properties(schema) {
        for (name, property) in properties {
            let fixed = properties
                .iter()
                .filter(|(other, _)| *other != name)
                .filter_map(|(other, schema)| Some((other.as_str(), fixed_value(schema)?)))
                .collect();
            visit(
                place.path.with(ValueStep::Property { name, fixed }),
                property,
            );
        }
    }
    if let Some(entry) = schema.get("additionalProperties") {
        visit(place.path.with(ValueStep::Entry), entry);
    }
    for entry in held(schema, "patternProperties") {
        visit(place.path.with(ValueStep::Entry), entry);
    }
    for (index, element) in ["prefixItems", "items"]
        .iter()
        .flat_map(|keyword| listed(schema, keyword).iter().enumerate())
    {
        visit(place.path.with(ValueStep::Index(index)), element);
    }
    // Beside those of a tuple it says what may follow, which is usually nothing.
    let is_tuple = schema.get("prefixItems").is_some();
    if let Some(element) = schema.get("items")
        && !element.is_array()
        && !(is_tuple && says_nothing(element))
    {
        visit(place.path.with(ValueStep::Element), element);
    }
}

fn says_nothing(schema: &Value) -> bool {
    schema.is_boolean() || schema.as_object().is_some_and(Map::is_empty)
}

/// Visits the schemas that are about the same value.
fn same<'s>(place: &SchemaLocation<'s>, root: &'s Value, visit: &mut dyn FnMut(Role, &'s Value)) {
    for keyword in ["anyOf", "oneOf"] {
        for branch in listed(place.schema, keyword) {
            visit(Role::Branch, branch);
        }
    }
    for part in listed(place.schema, "allOf") {
        visit(Role::Part, part);
    }
    if let Some(target) = target(place.schema, root) {
        visit(Role::Target, target);
    }
}

/// The schemas in a list that a keyword holds.
pub(crate) fn listed<'s>(schema: &'s Value, keyword: &str) -> &'s [Value] {
    schema
        .get(keyword)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// The schemas that a keyword holds by name.
fn held<'s>(schema: &'s Value, keyword: &str) -> impl Iterator<Item = &'s Value> {
    let held = schema.get(keyword).and_then(Value::as_object);
    held.into_iter().flat_map(|held| held.values())
}

/// The schema that one refers to, if it does and that is in the input schema.
pub(crate) fn target<'s>(schema: &Value, root: &'s Value) -> Option<&'s Value> {
    root.pointer(schema.get("$ref")?.as_str()?.strip_prefix('#')?)
}
