//! Objects and arrays.

use super::form::Form;
use super::{Narrow, Unrepresentable};
use crate::json::{Json, Object};
use crate::schema::read_back::{Member, Node};
use crate::schema::source::{Kind, below, required};

impl Narrow<'_> {
    /// Converts an object other than the root.
    pub(super) fn object(
        &mut self,
        schema: &Object,
        pointer: &str,
    ) -> Result<Form, Unrepresentable> {
        let properties = schema.get("properties").and_then(Json::as_object);
        let is_closed = schema.get("additionalProperties") == Some(&Json::Bool(false))
            || schema.get("unevaluatedProperties") == Some(&Json::Bool(false));
        if !is_closed && properties.is_none_or(Object::is_empty) {
            return Err(match schema.get("additionalProperties") {
                Some(Json::Object(_)) => {
                    self.none(pointer, "a map (`additionalProperties` with a schema)")
                }
                _ => self.none(pointer, "an object whose properties are not named"),
            });
        }
        self.closed_object(schema, pointer)
    }

    /// Converts the object of the arguments, with the description of its schema.
    pub(super) fn object_at_root(
        &mut self,
        schema: &Object,
        pointer: &str,
    ) -> Result<Form, Unrepresentable> {
        let mut form = self.closed_object(schema, pointer)?;
        form.text = self.text(schema, pointer, &form.text);
        Ok(form)
    }

    fn closed_object(&mut self, schema: &Object, pointer: &str) -> Result<Form, Unrepresentable> {
        match schema.get("additionalProperties") {
            None | Some(Json::Bool(false)) => {}
            Some(Json::Object(values)) if !values.is_empty() => {
                return Err(self.none(pointer, "a map (`additionalProperties` with a schema)"));
            }
            Some(_) => {
                return Err(self.none(pointer, "an open object (`additionalProperties`)"));
            }
        }
        if schema
            .get("patternProperties")
            .and_then(Json::as_object)
            .is_some_and(|p| !p.is_empty())
        {
            return Err(self.none(pointer, "a map (`patternProperties`)"));
        }
        let empty = Object::new();
        let properties = schema
            .get("properties")
            .and_then(Json::as_object)
            .unwrap_or(&empty);
        let required = required(schema);
        if required.iter().any(|name| !properties.contains(name)) {
            return Err(self.none(pointer, "`required` names a property that is not described"));
        }
        let mut shown = Object::new();
        let mut shown_required = Vec::new();
        let mut members = Vec::with_capacity(properties.len());
        for (name, property) in properties.iter() {
            let is_required = required.contains(&name);
            if !is_required && *property == Json::Bool(false) {
                // It must not be there, and a closed object says so.
                continue;
            }
            let at = below(pointer, &["properties", name]);
            let mut form = self.settled(property, &at)?;
            let null_is_absent =
                self.rules.requires_all && !is_required && !self.source.accepts_null(property);
            form.nullable |= null_is_absent;
            let node = form.node;
            let shown_name = self.name(name, properties, &shown);
            shown.insert(shown_name.as_str(), form.into_json(self.rules));
            if is_required || self.rules.requires_all {
                shown_required.push(Json::String(shown_name.clone()));
            }
            members.push(Member {
                own: (shown_name != name).then(|| name.to_owned()),
                shown: shown_name,
                required: is_required,
                null_is_absent,
                node,
            });
        }
        let mut constraints = Object::new();
        let words = self.constraints(schema, Kind::Object, pointer, &mut constraints);
        let node = self.graph.add(Node::Object(members));
        let mut form = Form::of(self.object_of(shown, shown_required, constraints), node);
        form.text = words;
        Ok(form)
    }

    /// Converts a schema that stands by itself. `OpenAPI` has no type for `null` alone: it is a text there.
    pub(super) fn settled(
        &mut self,
        schema: &Json,
        pointer: &str,
    ) -> Result<Form, Unrepresentable> {
        let mut form = self.node(schema, pointer)?;
        if self.rules.is_open_api && form.parts.is_empty() {
            let text = std::mem::take(&mut form.text);
            form = self.listed_as_texts(vec![Json::Null], pointer)?;
            form.text = text;
        }
        Ok(form)
    }

    /// An object of these properties in the form.
    pub(super) fn object_of(
        &self,
        properties: Object,
        required: Vec<Json>,
        constraints: Object,
    ) -> Object {
        let mut object = self.typed(Kind::Object);
        if self.rules.is_open_api && properties.len() > 1 {
            let names: Vec<Json> = properties.iter().map(|(name, _)| name.into()).collect();
            object.insert("properties", properties);
            object.insert("propertyOrdering", names);
        } else {
            object.insert("properties", properties);
        }
        for (keyword, value) in constraints {
            object.insert(keyword, value);
        }
        if !required.is_empty() || self.rules.requires_all {
            object.insert("required", required);
        }
        if !self.rules.is_open_api {
            object.insert("additionalProperties", false);
        }
        object
    }

    /// The name of a property in the alphabet of the API, which no other has.
    fn name(&self, name: &str, own: &Object, taken: &Object) -> String {
        if (self.rules.is_name)(name) {
            return name.to_owned();
        }
        legal_name(name, |name| !own.contains(name) && !taken.contains(name))
    }

    /// Converts an array, or a tuple.
    pub(super) fn array(
        &mut self,
        schema: &Object,
        pointer: &str,
    ) -> Result<Form, Unrepresentable> {
        let (keyword, prefix) = match (schema.get("prefixItems"), schema.get("items")) {
            (Some(Json::Array(prefix)), _) => ("prefixItems", Some(prefix)),
            (_, Some(Json::Array(prefix))) => ("items", Some(prefix)),
            _ => ("items", None),
        };
        if let Some(prefix) = prefix.filter(|prefix| !prefix.is_empty()) {
            return self.tuple(schema, keyword, prefix, pointer);
        }
        let items = match schema.get("items") {
            Some(Json::Object(items)) if !items.is_empty() => items,
            _ => return Err(self.none(pointer, "an array whose items have no type")),
        };
        let items = Json::Object(items.clone());
        let form = self.settled(&items, &below(pointer, &["items"]))?;
        let node = self.graph.add(Node::Array(form.node));
        let mut array = self.typed(Kind::Array);
        array.insert("items", form.into_json(self.rules));
        let words = self.constraints(schema, Kind::Array, pointer, &mut array);
        let mut form = Form::of(array, node);
        form.text = words;
        Ok(form)
    }

    /// Converts a tuple: an object with a property for each part.
    fn tuple(
        &mut self,
        schema: &Object,
        keyword: &str,
        prefix: &[Json],
        pointer: &str,
    ) -> Result<Form, Unrepresentable> {
        let bound = |keyword| match schema.get(keyword) {
            Some(Json::Number(number)) => number.as_u64(),
            _ => None,
        };
        let length = u64::try_from(prefix.len()).ok();
        let rest = if keyword == "items" {
            "additionalItems"
        } else {
            "items"
        };
        let is_closed = bound("maxItems").is_some_and(|most| Some(most) <= length)
            || schema.get(rest) == Some(&Json::Bool(false));
        if !is_closed || bound("minItems") != length {
            return Err(self.none(pointer, "a tuple of no fixed length"));
        }
        let mut properties = Object::new();
        let mut names = Vec::with_capacity(prefix.len());
        let mut parts = Vec::with_capacity(prefix.len());
        for (at, part) in prefix.iter().enumerate() {
            let form = self.settled(part, &super::nth(pointer, keyword, at))?;
            let name = format!("item{}", at + 1);
            names.push(Json::String(name.clone()));
            parts.push((name.clone(), form.node));
            properties.insert(name, form.into_json(self.rules));
        }
        let node = self.graph.add(Node::Tuple(parts));
        Ok(Form::of(
            self.object_of(properties, names, Object::new()),
            node,
        ))
    }
}

/// Returns a name like `name` in the alphabet that every API takes.
pub(in crate::schema) fn legal_name(name: &str, is_free: impl Fn(&str) -> bool) -> String {
    /// The length that every API takes, with room for a number.
    const LENGTH: usize = 56;
    let legal = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let mut stem: String = name.chars().map(legal).take(LENGTH).collect();
    if !stem.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        stem.insert(0, '_');
    }
    let numbered = (2..).map(|number: usize| format!("{stem}_{number}"));
    let mut names = std::iter::once(stem.clone()).chain(numbered);
    names.find(|name| is_free(name)).unwrap_or_default()
}
