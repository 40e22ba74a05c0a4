//! What a schema says against a value, place by place: for the parts of a value that serde reads
//! from a copy of its own, and of which its errors name neither the place nor the branch.

use regex_lite::Regex;
use serde_json::{Map, Value};

use super::words::{found, nearest_of, unknown};
use crate::message::{ArgumentProblem, ProblemKind, push_key};
use crate::spec::schema::{describe, resolved};
use crate::tool::constraint::Format;

/// How many schemas are looked at: an imported one can be built to have no end.
const EFFORT: usize = 4096;

/// One thing that a schema says against a value.
pub(super) struct Fault<'s> {
    /// Where, as a JSON pointer into the value.
    pub(super) pointer: String,
    what: What<'s>,
}

enum What<'s> {
    /// A name that the object does not have. The pointer is the object's.
    Unknown { key: &'s str, object: &'s Value },
    /// A name that the object must have, and what is known of its value.
    Missing(Option<&'s Value>),
    /// Another value than those that tell branches apart, or none.
    Tag {
        tags: Vec<&'s str>,
        value: Option<&'s Value>,
    },
    /// Another value than the schema allows.
    Value {
        kind: ProblemKind,
        value: &'s Value,
        node: &'s Value,
    },
}

impl Fault<'_> {
    /// The name, where it is one that is not known.
    pub(super) fn unknown_key(&self) -> Option<&str> {
        match self.what {
            What::Unknown { key, .. } => Some(key),
            _ => None,
        }
    }

    /// Whether it is a list in the place of something else.
    pub(super) fn is_list(&self) -> bool {
        matches!(
            &self.what,
            What::Value {
                kind: ProblemKind::Type,
                value: Value::Array(_),
                ..
            }
        )
    }

    /// As a problem of arguments in which the value stands at `top`.
    pub(super) fn problem(&self, top: &str, root: &Value) -> ArgumentProblem {
        let pointer = format!("{top}{}", self.pointer);
        match &self.what {
            What::Unknown { key, object } => unknown(key, &pointer, names(object)),
            What::Missing(node) => {
                let expected = match node {
                    Some(node) => describe(node, root),
                    None => "a value".to_owned(),
                };
                let message = format!("is required and missing: expected {expected}");
                ArgumentProblem::new(ProblemKind::Missing, pointer, message)
            }
            What::Tag { tags, value } => tag_problem(pointer, tags, *value),
            What::Value { kind, value, node } => {
                let expected = describe(node, root);
                let message = format!("expected {expected}, found {}", found(value));
                let problem = ArgumentProblem::new(*kind, pointer, message);
                let choices = node["enum"].as_array().into_iter().flatten();
                nearest_of(problem, value, choices.filter_map(Value::as_str))
            }
        }
    }
}

fn tag_problem(pointer: String, tags: &[&str], value: Option<&Value>) -> ArgumentProblem {
    let listed: Vec<String> = tags.iter().map(|tag| format!("{tag:?}")).collect();
    let one_of = if listed.len() == 1 { "" } else { "one of " };
    let expected = format!("expected {one_of}{}", listed.join(", "));
    let Some(value) = value else {
        let message = format!("is required and missing: {expected}");
        return ArgumentProblem::new(ProblemKind::Missing, pointer, message);
    };
    let message = format!("{expected}, found {}", found(value));
    let problem = ArgumentProblem::new(ProblemKind::Type, pointer, message);
    nearest_of(problem, value, tags.iter().copied())
}

/// Everything that the schema `node` says against `value`.
///
/// Where a value fits none of several branches and nothing tells which was meant, the union is
/// named, or with `guess` what is wrong for the branch that fits best.
pub(super) fn faults<'s>(
    value: &'s Value,
    node: &'s Value,
    root: &'s Value,
    guess: bool,
) -> Vec<Fault<'s>> {
    let mut walk = Walk {
        root,
        guess,
        effort: EFFORT,
    };
    let mut faults = Vec::new();
    walk.at(value, node, "", &mut faults);
    faults
}

struct Walk<'s> {
    root: &'s Value,
    guess: bool,
    effort: usize,
}

impl<'s> Walk<'s> {
    fn at(&mut self, value: &'s Value, node: &'s Value, place: &str, out: &mut Vec<Fault<'s>>) {
        let Some(effort) = self.effort.checked_sub(1) else {
            return;
        };
        self.effort = effort;
        let Some(node) = resolved(self.root, node) else {
            return;
        };
        if let Some(kind) = refused(value, node) {
            let pointer = place.to_owned();
            let what = What::Value { kind, value, node };
            out.push(Fault { pointer, what });
            return;
        }
        match value {
            Value::Object(members) => self.object(members, node, place, out),
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    let part = node["prefixItems"].get(index).or_else(|| node.get("items"));
                    if let Some(part) = part {
                        self.at(item, part, &format!("{place}/{index}"), out);
                    }
                }
            }
            _ => {}
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(Value::Array(branches)) = node.get(keyword) {
                self.union(value, node, branches, place, out);
            }
        }
    }

    fn object(
        &mut self,
        members: &'s Map<String, Value>,
        node: &'s Value,
        place: &str,
        out: &mut Vec<Fault<'s>>,
    ) {
        for (key, value) in members {
            match (node["properties"].get(key), &node["additionalProperties"]) {
                (Some(inner), _) | (None, inner @ Value::Object(_)) => {
                    self.at(value, inner, &below(place, key), out);
                }
                (None, Value::Bool(false)) => {
                    let pointer = place.to_owned();
                    let what = What::Unknown { key, object: node };
                    out.push(Fault { pointer, what });
                }
                _ => {}
            }
        }
        for key in required(node).filter(|key| !members.contains_key(*key)) {
            let pointer = below(place, key);
            let what = What::Missing(node["properties"].get(key));
            out.push(Fault { pointer, what });
        }
    }

    fn union(
        &mut self,
        value: &'s Value,
        node: &'s Value,
        branches: &'s [Value],
        place: &str,
        out: &mut Vec<Fault<'s>>,
    ) {
        let resolved = branches.iter().filter_map(|b| resolved(self.root, b));
        let mut fitting: Vec<&Value> = resolved.filter(|b| is_of_type(value, b)).collect();
        if let Value::Object(members) = value
            && let Some(tag) = tag_of(&fitting)
        {
            let wanted = members.get(tag);
            let tags = fitting.iter().filter_map(|b| only_text(b, tag)).collect();
            fitting.retain(|b| only_text(b, tag) == wanted.and_then(Value::as_str));
            if fitting.is_empty() {
                let pointer = below(place, tag);
                let what = What::Tag {
                    tags,
                    value: wanted,
                };
                out.push(Fault { pointer, what });
                return;
            }
        }
        let several = fitting.len() > 1;
        let tried = fitting.into_iter().map(|branch| {
            let mut faults = Vec::new();
            self.at(value, branch, place, &mut faults);
            faults
        });
        let missing = |faults: &Vec<Fault<'_>>| {
            let missing = |fault: &&Fault<'_>| matches!(fault.what, What::Missing(_));
            faults.iter().filter(missing).count()
        };
        match tried.min_by_key(|faults| (missing(faults), faults.len())) {
            Some(best) if best.is_empty() || !several || self.guess => out.extend(best),
            _ => {
                let pointer = place.to_owned();
                let kind = ProblemKind::Type;
                let what = What::Value { kind, value, node };
                out.push(Fault { pointer, what });
            }
        }
    }
}

fn below(place: &str, key: &str) -> String {
    let mut pointer = place.to_owned();
    push_key(&mut pointer, key);
    pointer
}

fn required(node: &Value) -> impl Iterator<Item = &str> {
    let keys = node["required"].as_array().into_iter().flatten();
    keys.filter_map(Value::as_str)
}

pub(super) fn names(object: &Value) -> impl Iterator<Item = &str> {
    let names = object["properties"].as_object().into_iter().flatten();
    names.map(|(name, _)| name.as_str())
}

/// The name whose value tells all of these objects apart.
fn tag_of<'s>(branches: &[&'s Value]) -> Option<&'s str> {
    let (first, others) = branches.split_first()?;
    required(first).find(|key| {
        let tag = only_text(first, key);
        let differs = |other: &&Value| {
            required(other).any(|own| own == *key) && {
                let own = only_text(other, key);
                own.is_some() && own != tag
            }
        };
        tag.is_some() && others.iter().all(differs)
    })
}

/// The one text that a property can be.
fn only_text<'s>(object: &'s Value, key: &str) -> Option<&'s str> {
    match object["properties"][key]["enum"].as_array()?.as_slice() {
        [only] => only.as_str(),
        _ => None,
    }
}

fn is_of_type(value: &Value, node: &Value) -> bool {
    let fits = |name: &str| match value {
        Value::Null => name == "null",
        Value::Bool(_) => name == "boolean",
        Value::Number(n) => name == "number" || (name == "integer" && !n.is_f64()),
        Value::String(_) => name == "string",
        Value::Array(_) => name == "array",
        Value::Object(_) => name == "object",
    };
    match &node["type"] {
        Value::String(only) => fits(only),
        Value::Array(list) => list.iter().filter_map(Value::as_str).any(fits),
        _ => true,
    }
}

/// Whether the schema refuses the value as a whole, whatever is in it.
fn refused(value: &Value, node: &Value) -> Option<ProblemKind> {
    if !is_of_type(value, node) {
        return Some(ProblemKind::Type);
    }
    let allowed = match value {
        Value::Number(number) => number.as_f64().is_none_or(|number| {
            let bound = |keyword: &str| node[keyword].as_f64();
            bound("minimum").is_none_or(|min| number >= min)
                && bound("maximum").is_none_or(|max| number <= max)
                && bound("exclusiveMinimum").is_none_or(|min| number > min)
                && bound("exclusiveMaximum").is_none_or(|max| number < max)
        }),
        Value::String(text) => {
            let pattern = node["pattern"].as_str().and_then(|p| Regex::new(p).ok());
            let format = node["format"].as_str().and_then(Format::named);
            within(text.chars().count(), node, "minLength", "maxLength")
                && pattern.is_none_or(|pattern| pattern.is_match(text))
                && format.is_none_or(|format| format.is_valid(text))
        }
        Value::Array(items) => within(items.len(), node, "minItems", "maxItems"),
        _ => true,
    };
    let listed = node["enum"]
        .as_array()
        .is_none_or(|list| list.contains(value));
    (!allowed || !listed).then_some(ProblemKind::Constraint)
}

fn within(length: usize, node: &Value, least: &str, most: &str) -> bool {
    let bound = |keyword: &str| node[keyword].as_u64();
    let length = length as u64;
    bound(least).is_none_or(|least| length >= least)
        && bound(most).is_none_or(|most| length <= most)
}
