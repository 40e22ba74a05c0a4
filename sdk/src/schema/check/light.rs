//! The few promises that a type may or may not keep, judged along the schema that was drawn from
//! it: see [`crate::schema::make::unkept::unkept`].

use serde_json::{Map, Value};

use super::equal::all_differ;
use super::fits::is_of_one;
use super::format::Format;
use crate::schema::refs::resolved;
use crate::util::pointer::push_key;

/// How many schemas are looked at for each part of a value, and for a small one: alternatives in
/// alternatives, all of which almost fit, take many.
const EFFORT: (usize, usize) = (256, 4096);
/// How deep schemas are followed, alternatives and references included.
const DEPTH: usize = 512;

/// What breaks a promise.
#[derive(Debug)]
pub(crate) struct Breach<'s> {
    /// Where, as a JSON pointer into the value.
    pub(crate) pointer: String,
    /// The schema there; none where it took too much to find out.
    pub(crate) node: Option<&'s Value>,
}

/// The first place at which `value` breaks a promise of `root` that is not one of structure.
///
/// What of structure does not fit decides only between alternatives: the types have judged it, and
/// know other names and values besides those shown.
pub(crate) fn breach<'s>(value: &Value, root: &'s Value) -> Option<Breach<'s>> {
    let mut walk = Walk {
        root,
        effort: EFFORT
            .1
            .saturating_add(EFFORT.0.saturating_mul(parts(value))),
        path: Vec::new(),
    };
    walk.at(value, root, DEPTH).broken
}

/// How many values there are in a value, itself included.
fn parts(value: &Value) -> usize {
    let mut count = 0;
    let mut left = vec![value];
    while let Some(value) = left.pop() {
        count += 1;
        match value {
            Value::Array(items) => left.extend(items),
            Value::Object(members) => left.extend(members.values()),
            _ => {}
        }
    }
    count
}

/// One step into a value.
#[derive(Clone, Copy)]
enum Step<'v> {
    Key(&'v str),
    Index(usize),
}

/// How a value and a schema go together.
#[derive(Default)]
struct Fit<'s> {
    /// It is another value than the schema is of.
    other: bool,
    broken: Option<Breach<'s>>,
}

impl Fit<'_> {
    fn and(&mut self, more: Self) {
        self.other |= more.other;
        if self.broken.is_none() {
            self.broken = more.broken;
        }
    }
}

struct Walk<'s, 'v> {
    root: &'s Value,
    effort: usize,
    path: Vec<Step<'v>>,
}

impl<'s, 'v> Walk<'s, 'v> {
    fn at(&mut self, value: &'v Value, schema: &'s Value, depth: usize) -> Fit<'s> {
        let (Some(effort), Some(depth)) = (self.effort.checked_sub(1), depth.checked_sub(1)) else {
            return self.broken(None);
        };
        self.effort = effort;
        let mut fit = Fit {
            other: *schema == Value::Bool(false) || !is_of_one(value, schema.get("type"), |_| true),
            broken: None,
        };
        if schema.get("$ref").is_some()
            && let Some(target) = resolved(self.root, schema)
        {
            fit.and(self.at(value, target, depth));
        }
        let fixed = |value: &Value| schema["const"] == *value;
        let listed = |value: &Value| schema["enum"].as_array().is_none_or(|l| l.contains(value));
        if (schema.get("const").is_some() && !fixed(value)) || !listed(value) {
            fit.other = true;
        }
        if fit.other {
            return fit;
        }
        if breaks(value, schema) {
            fit.and(self.broken(Some(schema)));
        }
        match value {
            Value::Object(members) => self.members(members, schema, depth, &mut fit),
            Value::Array(items) => {
                let parts = schema["prefixItems"].as_array().map_or(0, Vec::len);
                for (index, item) in items.iter().enumerate() {
                    let inner = match index {
                        index if index < parts => &schema["prefixItems"][index],
                        _ => &schema["items"],
                    };
                    if !inner.is_null() {
                        self.path.push(Step::Index(index));
                        fit.and(self.at(item, inner, depth));
                        self.path.pop();
                    }
                }
            }
            _ => {}
        }
        for part in schema["allOf"].as_array().into_iter().flatten() {
            fit.and(self.at(value, part, depth));
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(Value::Array(branches)) = schema.get(keyword) {
                fit.and(self.union(value, branches, depth));
            }
        }
        fit
    }

    fn members(
        &mut self,
        members: &'v Map<String, Value>,
        schema: &'s Value,
        depth: usize,
        fit: &mut Fit<'s>,
    ) {
        let required = schema["required"].as_array().into_iter().flatten();
        let mut required = required.filter_map(Value::as_str);
        fit.other |= required.any(|name| !members.contains_key(name));
        for (key, value) in members {
            let named = schema["properties"].get(key);
            // The keys of a map of integers, of which there is one pattern.
            let by_pattern = || schema["patternProperties"].as_object()?.values().next();
            let inner = named.or_else(by_pattern);
            let inner = inner.unwrap_or(&schema["additionalProperties"]);
            if *inner == Value::Bool(false) && named.is_none() {
                fit.other = true;
            }
            if inner.is_boolean() || inner.is_null() {
                continue;
            }
            self.path.push(Step::Key(key));
            fit.and(self.at(value, inner, depth));
            self.path.pop();
        }
    }

    /// One that fits will do; and where none is of such values, the type has found another way.
    fn union(&mut self, value: &'v Value, branches: &'s [Value], depth: usize) -> Fit<'s> {
        let mut best = Fit {
            other: true,
            broken: None,
        };
        for branch in branches {
            let fit = self.at(value, branch, depth);
            // It took too much to find out.
            let unclear = matches!(fit.broken, Some(Breach { node: None, .. }));
            if unclear || (!fit.other && fit.broken.is_none()) {
                return fit;
            }
            if best.other && !fit.other {
                best = fit;
            }
        }
        best
    }

    #[cold]
    fn broken(&self, node: Option<&'s Value>) -> Fit<'s> {
        let mut pointer = String::new();
        for step in &self.path {
            match step {
                Step::Key(key) => push_key(&mut pointer, key),
                Step::Index(index) => push_key(&mut pointer, &index.to_string()),
            }
        }
        Fit {
            other: false,
            broken: Some(Breach { pointer, node }),
        }
    }
}

/// Whether a value of the right type is outside of what is allowed.
fn breaks(value: &Value, schema: &Value) -> bool {
    let outside = |length: usize, least: &str, most: &str| {
        let length = length as u64;
        schema[least].as_u64().is_some_and(|least| length < least)
            || schema[most].as_u64().is_some_and(|most| length > most)
    };
    match value {
        Value::Number(number) => {
            // What is judged here ends at small numbers.
            let number = number.as_f64().unwrap_or(0.0);
            let bound = |keyword: &str| schema[keyword].as_f64();
            bound("minimum").is_some_and(|least| number < least)
                || bound("maximum").is_some_and(|most| number > most)
                || bound("exclusiveMaximum").is_some_and(|end| number >= end)
                || (number == 0.0 && schema["not"]["const"] == 0)
        }
        Value::String(text) => {
            outside(text.chars().count(), "minLength", "maxLength")
                || schema["format"]
                    .as_str()
                    .and_then(Format::named)
                    .is_some_and(|format| !format.is_valid(text))
        }
        Value::Array(items) => {
            outside(items.len(), "minItems", "maxItems")
                || (schema["uniqueItems"] == true && !all_differ(items))
        }
        _ => false,
    }
}
