//! References: to a definition of the form, or replaced by their target.

use super::form::Form;
use super::{Narrow, Unrepresentable};
use crate::json::{Json, Object};
use crate::schema::merge::{ANNOTATIONS, merged};
use crate::schema::read_back::{Node, NodeId};
use crate::schema::rules::References;

/// A definition of the form.
#[derive(Debug)]
pub(super) struct Definition {
    /// The pointer to it in the tool's own schema.
    pointer: String,
    name: String,
    node: NodeId,
    /// `Null` until it is made.
    schema: Json,
}

impl Narrow<'_> {
    /// Converts a reference with what stands beside it.
    pub(super) fn reference(
        &mut self,
        schema: &Object,
        pointer: &str,
    ) -> Result<Form, Unrepresentable> {
        let reference = schema
            .get("$ref")
            .and_then(Json::as_str)
            .unwrap_or_default();
        let Some((target, target_pointer)) = self.source.resolve(reference) else {
            let problem = format!("`$ref` {reference:?} leads to nothing in this schema");
            return Err(self.none(pointer, &problem));
        };
        let is_beside =
            |keyword: &str| keyword != "$ref" && keyword != "$defs" && keyword != "definitions";
        let beside: Object = schema
            .iter()
            .filter(|(keyword, _)| is_beside(keyword))
            .map(|(keyword, value)| (keyword.to_owned(), value.clone()))
            .collect();
        let annotates = beside
            .iter()
            .all(|(keyword, _)| ANNOTATIONS.contains(&keyword));
        if self.recursion.is_at(self.source, &target_pointer) {
            if self.rules.references != References::Recursive {
                return Err(self.none(&target_pointer, "a schema that contains itself"));
            }
            if !annotates {
                return Err(self.none(
                    pointer,
                    "constraints beside a `$ref` to a schema that contains itself",
                ));
            }
            let mut form = self.definition(target, &target_pointer)?;
            form.text = self.text(&beside, pointer, "");
            return Ok(form);
        }
        if self.rules.references != References::Replaced && beside.is_empty() {
            return self.definition(target, &target_pointer);
        }
        if self.open.contains(&target_pointer) {
            return Err(self.none(&target_pointer, "a schema that contains itself"));
        }
        self.open.push(target_pointer.clone());
        let form = if annotates {
            self.node(target, &target_pointer).map(|mut form| {
                let own = self.text(&beside, pointer, "");
                if beside.contains("description") || form.text.is_empty() {
                    form.text = own;
                } else {
                    form.text = super::describe::joined(form.text, &own, " ");
                }
                form
            })
        } else {
            let whole = target
                .as_object()
                .and_then(|target| merged(&beside, target));
            match whole {
                Some(whole) => self.node(&Json::Object(whole), pointer),
                None => Err(self.none(
                    pointer,
                    "constraints beside a `$ref` that cannot be written with it as one",
                )),
            }
        };
        self.open.pop();
        form
    }

    /// A reference to a definition, which is made at the first one.
    fn definition(&mut self, target: &Json, pointer: &str) -> Result<Form, Unrepresentable> {
        let known = self
            .definitions
            .iter()
            .find(|definition| definition.pointer == pointer);
        let (name, node) = if let Some(known) = known {
            (known.name.clone(), known.node)
        } else {
            let name = self.definition_name(pointer);
            let node = self.graph.add(Node::Any);
            let at = self.definitions.len();
            self.definitions.push(Definition {
                pointer: pointer.to_owned(),
                name: name.clone(),
                node,
                schema: Json::Null,
            });
            let form = self.node(target, pointer)?;
            self.graph.set(node, Node::Union(vec![form.node]));
            let schema = form.into_json(self.rules);
            if let Some(definition) = self.definitions.get_mut(at) {
                definition.schema = schema;
            }
            (name, node)
        };
        let mut part = Object::new();
        part.insert("$ref", format!("#/$defs/{name}"));
        Ok(Form::of(part, node))
    }

    fn definition_name(&self, pointer: &str) -> String {
        let last = pointer.rsplit('/').next().unwrap_or_default();
        let last = last.replace("~1", "/").replace("~0", "~");
        let legal = |c: char| {
            if c.is_ascii_alphanumeric() || "_-.".contains(c) {
                c
            } else {
                '_'
            }
        };
        let mut stem: String = last.chars().map(legal).collect();
        if stem.is_empty() {
            "Arguments".clone_into(&mut stem);
        }
        let is_free = |name: &String| {
            !self
                .definitions
                .iter()
                .any(|definition| definition.name == *name)
        };
        let numbered = (2..).map(|number: usize| format!("{stem}_{number}"));
        std::iter::once(stem.clone())
            .chain(numbered)
            .find(is_free)
            .unwrap_or_default()
    }

    /// The definitions of the form, in the order of their first use.
    pub(super) fn shown_definitions(&mut self) -> Object {
        let definitions = self.definitions.drain(..);
        definitions
            .map(|definition| (definition.name, definition.schema))
            .collect()
    }
}
