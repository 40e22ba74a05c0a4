//! `anyOf` and `oneOf`.

use super::form::Form;
use super::{Narrow, Unrepresentable, nth};
use crate::json::{Json, Object};
use crate::schema::merge::{ANNOTATIONS, both};
use crate::schema::source::{Kind, Source, kinds, required, values};

impl Narrow<'_> {
    /// Converts a union. What stands beside it belongs to each variant.
    pub(super) fn union(
        &mut self,
        schema: &Object,
        pointer: &str,
    ) -> Result<Form, Unrepresentable> {
        let keyword = if schema.contains("anyOf") {
            "anyOf"
        } else {
            "oneOf"
        };
        let Some(variants) = schema.get(keyword).and_then(Json::as_array) else {
            return Err(self.none(pointer, "a union that is no list"));
        };
        if keyword == "anyOf" && schema.contains("oneOf") {
            return Err(self.none(pointer, "`anyOf` beside `oneOf`"));
        }
        if keyword == "oneOf" && !are_disjoint(self.source, variants) {
            self.lose(pointer, "oneOf", false);
        }
        let beside = beside(schema, keyword);
        let mut forms = Vec::with_capacity(variants.len());
        for (at, variant) in variants.iter().enumerate() {
            if *variant == Json::Bool(false) {
                continue;
            }
            let pointer = nth(pointer, keyword, at);
            if beside.is_empty() {
                forms.push(self.node(variant, &pointer)?);
                continue;
            }
            let target = self.source.target(variant);
            let whole = both(&Json::Object(beside.clone()), target).ok_or_else(|| {
                self.none(&pointer, "a variant that contradicts what stands beside the union, or cannot be written with it as one")
            });
            match whole {
                Ok(whole) => forms.push(self.node(&whole, &pointer)?),
                // `{"type": "object", "anyOf": [.., {"type": "null"}]}` allows no `null`.
                Err(_) if excludes(&beside, target) => {}
                Err(problem) => return Err(problem),
            }
        }
        let form = Form::union(forms, self.rules, &mut self.graph);
        let mut form = form.ok_or_else(|| self.none(pointer, "allows no value"))?;
        let mut annotations = schema.clone();
        for (keyword, _) in beside.iter() {
            annotations.remove(keyword);
        }
        let own = self.text(&annotations, pointer, "");
        // The description of a union goes before that of its only variant.
        form.text = super::describe::joined(own, &form.text, "\n");
        Ok(form)
    }
}

/// The constraints beside a union.
fn beside(schema: &Object, union: &str) -> Object {
    let is_constraint = |keyword: &str| {
        keyword != union
            && !ANNOTATIONS.contains(&keyword)
            && !keyword.starts_with('$')
            && keyword != "definitions"
            && keyword != "discriminator"
    };
    let members = schema.iter().filter(|(keyword, _)| is_constraint(keyword));
    members
        .map(|(keyword, value)| (keyword.to_owned(), value.clone()))
        .collect()
}

/// Returns true if no value is of the types of both.
fn excludes(beside: &Object, variant: &Json) -> bool {
    let variant = variant.as_object().and_then(kinds);
    match (kinds(beside), variant) {
        (Some(own), Some(other)) => are_apart(&own, &other),
        _ => false,
    }
}

fn are_apart(first: &[Kind], second: &[Kind]) -> bool {
    !first
        .iter()
        .any(|one| second.iter().any(|two| one.takes(*two) || two.takes(*one)))
}

/// The schemas of a union that are compared with each other.
const MAX_COMPARED: usize = 100;

/// Returns true if it is certain that no value is valid under two of the schemas.
fn are_disjoint(source: Source<'_>, variants: &[Json]) -> bool {
    let targets: Vec<&Json> = variants
        .iter()
        .map(|variant| source.target(variant))
        .collect();
    targets.len() <= MAX_COMPARED
        && targets.iter().enumerate().all(|(at, one)| {
            targets
                .iter()
                .skip(at + 1)
                .all(|two| are_two_apart(source, one, two))
        })
}

fn are_two_apart(source: Source<'_>, one: &Json, two: &Json) -> bool {
    let (Some(one), Some(two)) = (one.as_object(), two.as_object()) else {
        return false;
    };
    if let (Some(first), Some(second)) = (kinds(one), kinds(two))
        && are_apart(&first, &second)
    {
        return true;
    }
    if let (Some(first), Some(second)) = (values(one), values(two)) {
        return !first.iter().any(|value| second.contains(value));
    }
    let is_object = |schema| kinds(schema).is_some_and(|kinds| kinds == [Kind::Object]);
    is_object(one)
        && is_object(two)
        && (are_told_apart(source, one, two) || are_told_apart(source, two, one))
}

/// Returns true if `one` requires a property that `two` does not allow, or not with that value.
fn are_told_apart(source: Source<'_>, one: &Object, two: &Object) -> bool {
    let property = |schema: &'_ Object, name: &str| {
        schema
            .get("properties")
            .and_then(|properties| properties.get(name))
            .cloned()
    };
    let is_closed = two.get("additionalProperties") == Some(&Json::Bool(false));
    required(one).iter().any(|name| match property(two, name) {
        None => is_closed,
        Some(other) => {
            let Some(own) = property(one, name) else {
                return false;
            };
            let root = Source { root: source.root };
            let (own, other) = (listed(root, &own), listed(root, &other));
            match (own, other) {
                (Some(own), Some(other)) => !own.iter().any(|value| other.contains(value)),
                _ => false,
            }
        }
    })
}

fn listed(source: Source<'_>, schema: &Json) -> Option<Vec<Json>> {
    let schema = match schema.get("$ref").and_then(Json::as_str) {
        Some(reference) => source.resolve(reference)?.0,
        None => schema,
    };
    Some(values(schema.as_object()?)?.into_iter().cloned().collect())
}
