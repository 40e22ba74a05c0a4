//! A schema of a narrow form, before it is known whether its place also takes `null`.

use super::describe::joined;
use crate::json::{Json, Object};
use crate::schema::read_back::{Graph, Node, NodeId};
use crate::schema::rules::Rules;
use crate::schema::source::Kind;

/// A schema of a narrow form.
#[derive(Debug, Clone)]
pub(super) struct Form {
    /// The alternatives other than `null`, each a schema.
    pub(super) parts: Vec<Object>,
    /// `null` is an alternative too.
    pub(super) nullable: bool,
    /// The description, empty if there is none.
    pub(super) text: String,
    /// The way back of its values.
    pub(super) node: NodeId,
}

impl Form {
    pub(super) fn of(part: Object, node: NodeId) -> Self {
        Self {
            parts: vec![part],
            nullable: false,
            text: String::new(),
            node,
        }
    }

    /// The schema of `null` alone.
    pub(super) fn null(graph: &mut Graph) -> Self {
        Self {
            parts: Vec::new(),
            nullable: true,
            text: String::new(),
            node: graph.add(Node::Scalar(Kind::Null)),
        }
    }

    /// Makes a schema for the values of all. `None`: there are none.
    pub(super) fn union(mut forms: Vec<Self>, rules: &Rules, graph: &mut Graph) -> Option<Self> {
        if forms.len() < 2 {
            return forms.pop();
        }
        let nodes = forms.iter().map(|form| form.node).collect();
        let mut any_of = Self {
            parts: Vec::new(),
            nullable: false,
            text: String::new(),
            node: graph.add(Node::Union(nodes)),
        };
        for form in forms {
            // A description of several alternatives stays with them.
            let is_plain = form.text.is_empty() || form.parts.len() == 1;
            if is_plain
                && !(form.parts.len() == 1
                    && form.parts.iter().any(is_reference)
                    && !form.text.is_empty())
            {
                any_of.nullable |= form.nullable;
                for part in form.parts {
                    let part = described(part, &form.text);
                    if !any_of.parts.contains(&part) {
                        any_of.parts.push(part);
                    }
                }
            } else if let Json::Object(part) = form.into_json(rules) {
                any_of.parts.push(part);
            }
        }
        Some(any_of)
    }

    /// The schema.
    pub(super) fn into_json(mut self, rules: &Rules) -> Json {
        if self.parts.is_empty() {
            return Json::Object(described(null(), &self.text));
        }
        let null_beside = self.nullable && !rules.is_open_api;
        let is_single = self.parts.len() == 1 && !null_beside;
        let is_bare_reference = self.text.is_empty() || !self.parts.iter().any(is_reference);
        let mut object = if is_single && is_bare_reference {
            described(self.parts.pop().unwrap_or_default(), &self.text)
        } else {
            let mut parts: Vec<Json> = self.parts.into_iter().map(Json::Object).collect();
            if null_beside {
                parts.push(Json::Object(null()));
            }
            let mut any_of = Object::new();
            if !self.text.is_empty() {
                any_of.insert("description", self.text);
            }
            any_of.insert("anyOf", parts);
            any_of
        };
        if self.nullable && rules.is_open_api {
            object.insert("nullable", true);
        }
        Json::Object(object)
    }

    /// The schema, if it is that of an object.
    pub(super) fn into_object(self, rules: &Rules) -> Option<Object> {
        match self.into_json(rules) {
            Json::Object(object) if object.contains("properties") => Some(object),
            _ => None,
        }
    }
}

/// The schema of `null`.
fn null() -> Object {
    let mut object = Object::new();
    object.insert("type", "null");
    object
}

fn is_reference(part: &Object) -> bool {
    part.contains("$ref")
}

/// Puts a description before that of the schema, right after its type.
pub(super) fn described(schema: Object, text: &str) -> Object {
    if text.is_empty() {
        return schema;
    }
    let own = schema
        .get("description")
        .and_then(Json::as_str)
        .unwrap_or_default();
    let text = joined(text.to_owned(), own, "\n");
    let mut described = Object::new();
    if let Some(name) = schema.get("type") {
        described.insert("type", name.clone());
    }
    described.insert("description", text);
    for (keyword, value) in schema {
        if keyword != "type" && keyword != "description" {
            described.insert(keyword, value);
        }
    }
    described
}
