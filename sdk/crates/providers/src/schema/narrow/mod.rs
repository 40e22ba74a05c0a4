//! The narrow forms: only keywords that the API enforces, everything else in descriptions.

mod choice;
mod describe;
mod form;
mod object;
mod parts;
mod reference;
mod union;

use super::cost::SchemaCost;
use super::merge::both;
use super::read_back::{Graph, Node};
use super::rules::Rules;
use super::source::{Kind, Recursion, Source, below, kinds};
use super::{Converted, Loss, Unrepresentable};
use crate::json::{Json, Object};
use form::Form;
pub(super) use object::legal_name;
use reference::Definition;

/// The schemas that a conversion looks at, copies included.
const MAX_NODES: usize = 20_000;

/// The schemas that may lie within each other.
const MAX_DEPTH: usize = 64;

/// The name of the property below which a root stands that is no plain object.
pub(super) const WRAPPER: &str = "arguments";

/// Brings a schema into a narrow form.
pub(super) fn convert(schema: &Json, rules: &'static Rules) -> Result<Converted, Unrepresentable> {
    let mut narrow = Narrow {
        rules,
        source: Source { root: schema },
        losses: Vec::new(),
        graph: Graph::default(),
        definitions: Vec::new(),
        open: Vec::new(),
        recursion: Recursion::default(),
        nodes: 0,
        depth: 0,
    };
    let form = narrow.root(schema)?;
    let node = form.node;
    let (mut root, node) = match form.into_object(rules) {
        Some(object) => (object, node),
        None => return Err(narrow.none("", "is no object")),
    };
    if !narrow.definitions.is_empty() {
        root.insert("$defs", narrow.shown_definitions());
    }
    let schema = Json::Object(root);
    let cost = SchemaCost::of(&schema);
    rules
        .api
        .limits()
        .check(&cost)
        .map_err(|reason| Unrepresentable::new("", reason))?;
    Ok(Converted {
        schema,
        losses: narrow.losses,
        read_back: narrow.graph.finish(node),
        cost,
    })
}

/// A conversion that is under way.
struct Narrow<'s> {
    rules: &'static Rules,
    source: Source<'s>,
    losses: Vec<Loss>,
    graph: Graph,
    /// The definitions that the form refers to, in the order of the first reference.
    definitions: Vec<Definition>,
    /// The pointers of the references that are being replaced by their target.
    open: Vec<String>,
    recursion: Recursion,
    nodes: usize,
    depth: usize,
}

impl Narrow<'_> {
    /// Converts the root: a plain object, or one whose only property is what the root was.
    fn root(&mut self, schema: &Json) -> Result<Form, Unrepresentable> {
        let empty = Json::Object(Object::new());
        let schema = if *schema == Json::Bool(true) {
            &empty
        } else {
            schema
        };
        let target = self.source.target(schema);
        let is_union = ["anyOf", "oneOf"]
            .iter()
            .any(|keyword| target.get(keyword).is_some());
        let object = target.as_object();
        let is_object = object.is_some_and(|target| match kinds(target) {
            Some(kinds) => kinds == [Kind::Object],
            None => target
                .iter()
                .all(|(keyword, _)| super::merge::ANNOTATIONS.contains(&keyword)),
        });
        if let (false, true, Some(target)) = (is_union, is_object, object) {
            // Siblings of the reference say no more than the root's own description.
            let pointer = match schema.get("$ref").and_then(Json::as_str) {
                Some(reference) => self
                    .source
                    .resolve(reference)
                    .map_or_else(String::new, |(_, pointer)| pointer),
                None => String::new(),
            };
            if target.contains("allOf") {
                return self.node(&Json::Object(target.clone()), &pointer);
            }
            return self.object_at_root(target, &pointer);
        }
        let form = self.settled(schema, "")?;
        let inner = form.node;
        let node = self.graph.add(Node::Wrapped(WRAPPER.to_owned(), inner));
        let mut properties = Object::new();
        properties.insert(WRAPPER, form.into_json(self.rules));
        Ok(Form::of(
            self.object_of(properties, vec![WRAPPER.into()], Object::new()),
            node,
        ))
    }

    /// Converts a schema.
    fn node(&mut self, schema: &Json, pointer: &str) -> Result<Form, Unrepresentable> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(self.none(
                pointer,
                "is too large once each reference is replaced by its target",
            ));
        }
        if self.depth >= MAX_DEPTH {
            return Err(self.none(pointer, "lies too deep"));
        }
        self.depth += 1;
        let form = self.any_node(schema, pointer);
        self.depth -= 1;
        form
    }

    fn any_node(&mut self, schema: &Json, pointer: &str) -> Result<Form, Unrepresentable> {
        let schema = match schema {
            Json::Object(schema) => schema,
            Json::Bool(false) => return Err(self.none(pointer, "allows no value")),
            Json::Bool(true) => return Err(self.free(pointer)),
            _ => return Err(self.none(pointer, "is no JSON Schema")),
        };
        if schema.contains("$ref") {
            return self.reference(schema, pointer);
        }
        if let Some(all) = schema.get("allOf").and_then(Json::as_array) {
            return self.all_of(schema, all, pointer);
        }
        if schema.contains("anyOf") || schema.contains("oneOf") {
            return self.union(schema, pointer);
        }
        let mut form = if schema.contains("enum") || schema.contains("const") {
            self.choice(schema, pointer)?
        } else {
            let Some(kinds) = kinds(schema) else {
                return Err(self.free(pointer));
            };
            self.of_kinds(schema, &kinds, pointer)?
        };
        form.text = self.text(schema, pointer, &form.text);
        Ok(form)
    }

    /// Converts a schema that names its types: one part for each of them.
    fn of_kinds(
        &mut self,
        schema: &Object,
        kinds: &[Kind],
        pointer: &str,
    ) -> Result<Form, Unrepresentable> {
        let mut forms = Vec::with_capacity(kinds.len());
        for kind in kinds {
            forms.push(match kind {
                Kind::Object => self.object(schema, pointer)?,
                Kind::Array => self.array(schema, pointer)?,
                Kind::Null => Form::null(&mut self.graph),
                kind => self.scalar(schema, *kind, pointer),
            });
        }
        let form = Form::union(forms, self.rules, &mut self.graph);
        form.ok_or_else(|| self.none(pointer, "allows no value"))
    }

    fn scalar(&mut self, schema: &Object, kind: Kind, pointer: &str) -> Form {
        let mut object = self.typed(kind);
        let notes = self.constraints(schema, kind, pointer, &mut object);
        let node = self.graph.add(Node::Scalar(kind));
        let mut form = Form::of(object, node);
        form.text = notes;
        form
    }

    /// Converts schemas that all describe the value: they become one.
    fn all_of(
        &mut self,
        schema: &Object,
        all: &[Json],
        pointer: &str,
    ) -> Result<Form, Unrepresentable> {
        let mut outer = schema.clone();
        outer.remove("allOf");
        let mut merged = Json::Object(outer);
        for part in all {
            // A part that only refers to itself stays a reference.
            let part = self.source.target(part);
            merged = both(&merged, part).ok_or_else(|| {
                self.none(pointer, "`allOf`: its schemas cannot be written as one")
            })?;
        }
        self.node(&merged, pointer)
    }

    /// A schema of one type, without more.
    fn typed(&self, kind: Kind) -> Object {
        let mut object = Object::new();
        object.insert("type", self.type_name(kind));
        object
    }

    fn type_name(&self, kind: Kind) -> String {
        if self.rules.is_open_api {
            kind.name().to_uppercase()
        } else {
            kind.name().to_owned()
        }
    }

    fn lose(&mut self, pointer: &str, keyword: &str, is_described: bool) {
        let loss = Loss::new(pointer.to_owned(), keyword, is_described);
        if !self.losses.contains(&loss) {
            self.losses.push(loss);
        }
    }

    /// A reason: `{problem}, which OpenAI's strict mode cannot say`.
    fn none(&self, pointer: &str, problem: &str) -> Unrepresentable {
        Unrepresentable::new(
            pointer,
            format!("{problem}; {} has no form for it", self.rules.name),
        )
    }

    fn free(&self, pointer: &str) -> Unrepresentable {
        self.none(pointer, "a value of any type")
    }
}

/// The pointer to one of the schemas in a list.
fn nth(pointer: &str, keyword: &str, at: usize) -> String {
    below(pointer, &[keyword, &at.to_string()])
}
