//! From schemars' form of a schema to the portable one.

use std::collections::BTreeMap;

use serde_json::Value;

use super::array::{complete_items, spell_items};
use super::distribute::objects_beside;
use super::merge::both_or_never;
use super::narrow::share_out;
use super::number::clean_numbers;
use super::union::{fold_texts, merge_all_of, simplify, spell_union};
use super::unkept::{ENFORCED, MISTAKES};
use super::value::{name_type, say_exclusions, shorten_default, spell_const, strip_null};
use crate::schema::path::ALIASES;
use crate::schema::refs::{Definitions, reference, referred};
use crate::schema::walk::{
    Node, is_about_objects, is_annotation, never, sort, split_annotations, subschemas_mut,
};

/// The use of a schema.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SchemaPurpose {
    /// The model writes the value: closed objects, and `null` only where it has a meaning.
    Input,
    /// The tool writes it: what serde may write is what the schema says.
    Output,
}

/// The facts about a schema's place that change its form.
#[derive(Clone, Copy, Default)]
pub(super) struct SchemaSite {
    /// The value can be left out.
    pub(super) optional: bool,
    /// Another schema describes the same value, so that neither can be closed.
    pub(super) shared: bool,
}

/// Makes schemas portable, one after the other, and keeps the definitions that they share.
pub(super) struct Portable {
    definitions: Definitions,
    purpose: SchemaPurpose,
    made: BTreeMap<String, Value>,
    variants: BTreeMap<String, String>,
}

impl Portable {
    /// For schemas that refer to `definitions`.
    pub(super) fn new(definitions: Definitions, purpose: SchemaPurpose) -> Self {
        Self {
            definitions,
            purpose,
            made: BTreeMap::new(),
            variants: BTreeMap::new(),
        }
    }

    /// The use of the schemas.
    pub(super) fn purpose(&self) -> SchemaPurpose {
        self.purpose
    }

    /// The schema of one argument; `description` comes before that of its type.
    pub(super) fn property(
        &mut self,
        schema: Value,
        description: Option<&str>,
        place: SchemaSite,
    ) -> Node {
        let mut node = into_node(schema);
        if let Some(text) = description {
            node.insert("description".to_owned(), Value::String(text.to_owned()));
        }
        self.node(node, place)
    }

    /// A schema that is to stand at the root, and so is not a mere reference.
    pub(super) fn root(&mut self, schema: Value) -> Node {
        let mut node = into_node(schema);
        // A type that refers only to itself (`struct T(Box<T>)`) would be followed without end.
        for _ in 0..16 {
            let Some(Value::Object(target)) =
                referred(&node).and_then(|name| self.definitions.get(name))
            else {
                break;
            };
            let target = target.clone();
            node.remove("$ref");
            node = both_or_never(node, target);
        }
        self.node(node, SchemaSite::default())
    }

    /// Adds the definitions that the schemas refer to.
    pub(super) fn finish(self, mut root: Node) -> Value {
        if !self.made.is_empty() {
            root.insert("$defs".to_owned(), self.made.into_iter().collect());
        }
        Value::Object(root)
    }

    /// The portable form of `schema`.
    pub(super) fn schema(&mut self, schema: Value, place: SchemaSite) -> Value {
        Value::Object(self.node(into_node(schema), place))
    }

    fn node(&mut self, mut node: Node, place: SchemaSite) -> Node {
        sort(&mut node);
        self.settle(&mut node, place);
        share_out(&mut node);
        objects_beside(&mut node);
        fold_texts(&mut node);
        name_type(&mut node);
        say_exclusions(&mut node);
        shorten_default(&mut node);
        clean_numbers(&mut node);
        spell_items(&mut node);
        self.object(&mut node, place);
        self.inside(&mut node, place);
        complete_items(&mut node);
        self.clean_default(&mut node);
        node
    }

    /// Works on references, parts and unions until the schema has its final shape.
    fn settle(&mut self, node: &mut Node, place: SchemaSite) {
        let optional = place.optional && self.purpose == SchemaPurpose::Input;
        let spread = !place.shared && self.purpose == SchemaPurpose::Input;
        loop {
            self.open(node);
            if optional {
                strip_null(node);
            }
            if let Some(Value::Array(branches)) = node.get_mut("anyOf") {
                for branch in branches {
                    if let Value::Object(branch) = branch {
                        self.open(branch);
                        if spread {
                            self.distribute(branch);
                        }
                    }
                }
            }
            let changed = self.name_variant(node)
                || simplify(node, optional)
                || (spread && self.distribute(node));
            if !changed {
                return;
            }
        }
    }

    /// Follows the references of `node` that do not stay and merges its parts, so that its own
    /// keywords tell what it is.
    pub(super) fn open(&mut self, node: &mut Node) {
        loop {
            for keyword in ["$schema", "title", "$id", "$comment", ENFORCED, MISTAKES] {
                node.remove(keyword);
            }
            if self.purpose == SchemaPurpose::Output {
                node.remove(ALIASES);
            }
            spell_union(node);
            spell_const(node);
            if let Some(Value::Array(parts)) = node.get_mut("allOf") {
                for part in parts {
                    if let Value::Object(part) = part {
                        self.open(part);
                    }
                }
            }
            let target = referred(node)
                .filter(|name| !self.definitions.is_kept(name))
                .and_then(|name| self.definitions.get(name))
                .cloned();
            if let Some(target) = target {
                node.remove("$ref");
                *node = match target {
                    Value::Object(target) => both_or_never(std::mem::take(node), target),
                    Value::Bool(false) => never(),
                    _ => std::mem::take(node),
                };
            } else if !merge_all_of(node) {
                return;
            }
        }
    }

    /// A reference that stays, beside further demands, becomes one to a definition that has them
    /// all: many readers ignore what stands beside a reference. Says whether it did.
    fn name_variant(&mut self, node: &mut Node) -> bool {
        let Some(name) = referred(node).map(str::to_owned) else {
            return false;
        };
        let demands = |keyword: &String| !is_annotation(keyword) && keyword != "$ref";
        if !node.keys().any(demands) {
            return false;
        }
        let Some(Value::Object(target)) = self.definitions.get(&name).cloned() else {
            return false;
        };
        let (mut words, mut rest) = split_annotations(std::mem::take(node));
        rest.remove("$ref");
        sort(&mut rest);
        let key = format!("{name} {}", Value::Object(rest.clone()));
        let definitions = &mut self.definitions;
        let variant = self
            .variants
            .entry(key)
            .or_insert_with(|| definitions.add_variant(&name, both_or_never(rest, target)));
        words.insert("$ref".to_owned(), reference(variant));
        *node = words;
        true
    }

    /// Cleans the schemas inside of `node`, those in `properties` excepted.
    fn inside(&mut self, node: &mut Node, place: SchemaSite) {
        if let Some(name) = referred(node).map(str::to_owned) {
            self.define(&name);
        }
        let shared = place.shared || is_about_objects(node);
        subschemas_mut(node, &mut |keyword, schema| {
            let place = match keyword {
                "properties" => return,
                "additionalProperties" if *schema == Value::Bool(false) => return,
                "anyOf" => SchemaSite { shared, ..place },
                "allOf" | "not" | "if" | "then" | "else" | "dependentSchemas" => SchemaSite {
                    optional: false,
                    shared: true,
                },
                _ => SchemaSite::default(),
            };
            *schema = self.schema(schema.take(), place);
        });
    }

    fn define(&mut self, name: &str) {
        if self.made.contains_key(name) {
            return;
        }
        let Some(schema) = self.definitions.get(name).cloned() else {
            return;
        };
        // The entry reserves the name while the schema, which may lead back here, is made.
        self.made.insert(name.to_owned(), Value::Null);
        let schema = self.schema(schema, SchemaSite::default());
        self.made.insert(name.to_owned(), schema);
    }
}

fn into_node(schema: Value) -> Node {
    match schema {
        Value::Object(node) => node,
        Value::Bool(false) => never(),
        _ => Node::new(),
    }
}
