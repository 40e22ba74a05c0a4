//! Values that a schema lists.

use super::form::Form;
use super::{Narrow, Unrepresentable};
use crate::json::{Json, Object};
use crate::schema::read_back::{Node, ShownValue};
use crate::schema::rules::Enums;
use crate::schema::source::{Kind, kinds, values};

impl Narrow<'_> {
    /// Converts `enum` and `const`.
    pub(super) fn choice(
        &mut self,
        schema: &Object,
        pointer: &str,
    ) -> Result<Form, Unrepresentable> {
        let types = schema.get("type").and_then(|_| kinds(schema));
        let is_of_type = |value: &Json| {
            let takes = |types: &Vec<Kind>| types.iter().any(|own| own.takes(Kind::of(value)));
            types.as_ref().is_none_or(takes)
        };
        let mut own: Vec<Json> = Vec::new();
        for value in values(schema).unwrap_or_default() {
            if is_of_type(value) && !own.contains(value) {
                own.push(value.clone());
            }
        }
        if own
            .iter()
            .any(|value| matches!(value, Json::Array(_) | Json::Object(_)))
        {
            return Err(self.none(pointer, "an `enum` with an array or an object"));
        }
        let mut forms = Vec::new();
        if own.contains(&Json::Null) {
            own.retain(|value| *value != Json::Null);
            forms.push(Form::null(&mut self.graph));
        }
        match self.rules.enums {
            _ if own.is_empty() => {}
            Enums::Untyped => forms.insert(0, self.listed(own, None)),
            Enums::Texts => forms.insert(0, self.listed_as_texts(own, pointer)?),
            Enums::Typed => {
                let mut groups: Vec<(Kind, Vec<Json>)> = Vec::new();
                for value in own {
                    let kind = Kind::of(&value);
                    match groups.iter_mut().find(|(other, _)| *other == kind) {
                        Some((_, group)) => group.push(value),
                        None => groups.push((kind, vec![value])),
                    }
                }
                let lists = groups
                    .into_iter()
                    .map(|(kind, group)| self.listed(group, Some(kind)));
                let lists: Vec<Form> = lists.collect();
                forms.splice(0..0, lists);
            }
        }
        let form = Form::union(forms, self.rules, &mut self.graph);
        form.ok_or_else(|| self.none(pointer, "allows no value"))
    }

    fn listed(&mut self, values: Vec<Json>, kind: Option<Kind>) -> Form {
        let shown = values.iter().map(|value| ShownValue {
            shown: value.clone(),
            own: None,
        });
        let node = self.graph.add(Node::Values(shown.collect()));
        let mut object = kind.map_or_else(Object::new, |kind| self.typed(kind));
        object.insert("enum", values);
        Form::of(object, node)
    }

    /// Values as texts; their way back gives the values.
    pub(super) fn listed_as_texts(
        &mut self,
        values: Vec<Json>,
        pointer: &str,
    ) -> Result<Form, Unrepresentable> {
        // Both booleans are the type.
        if values.len() == 2 && values.iter().all(|value| matches!(value, Json::Bool(_))) {
            let node = self.graph.add(Node::Scalar(Kind::Boolean));
            return Ok(Form::of(self.typed(Kind::Boolean), node));
        }
        let mut texts: Vec<Json> = Vec::new();
        let mut shown = Vec::new();
        for value in values {
            let (text, own) = match value {
                Json::String(text) => (Json::String(text), None),
                other => (Json::String(other.to_text()), Some(other.to_text())),
            };
            if texts.contains(&text) {
                return Err(self.none(
                    pointer,
                    "an `enum` with a text and a value that is written alike",
                ));
            }
            texts.push(text.clone());
            shown.push(ShownValue { shown: text, own });
        }
        let node = self.graph.add(Node::Values(shown));
        let mut object = self.typed(Kind::String);
        object.insert("enum", texts);
        Ok(Form::of(object, node))
    }
}
