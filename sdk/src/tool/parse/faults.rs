//! What a schema says against a value, place by place: for the parts of a value that serde reads
//! from a copy of its own, and of which its errors name neither the place nor the branch.

use serde_json::{Map, Value};

use super::words::{found, nearest_of, unknown};
use crate::message::{ArgumentProblem, ProblemKind, push_key};
use crate::spec::schema::{Misfit, describe, is_of_type, refused, resolved};

/// How many schemas are looked at: an imported one can be built to have no end.
const EFFORT: usize = 4096;
/// How long the places are together, in bytes: each is as long as the names that lead to it.
const TEXT: usize = 1 << 20;
/// How deep they are followed, unions in unions included.
const DEPTH: usize = 160;

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

impl<'s> Fault<'s> {
    pub(super) fn kind(&self) -> ProblemKind {
        match self.what {
            What::Unknown { .. } => ProblemKind::Unknown,
            What::Missing(_) | What::Tag { value: None, .. } => ProblemKind::Missing,
            What::Tag { .. } => ProblemKind::Type,
            What::Value { kind, .. } => kind,
        }
    }

    /// The name, where it is one that is not known, and what describes the object.
    pub(super) fn unknown_key(&self) -> Option<(&'s str, &'s Value)> {
        match self.what {
            What::Unknown { key, object } => Some((key, object)),
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
        text: TEXT,
        depth: DEPTH,
    };
    let mut faults = Vec::new();
    walk.at(value, node, "", &mut faults);
    faults
}

struct Walk<'s> {
    root: &'s Value,
    guess: bool,
    effort: usize,
    text: usize,
    depth: usize,
}

impl<'s> Walk<'s> {
    fn at(&mut self, value: &'s Value, node: &'s Value, place: &str, out: &mut Vec<Fault<'s>>) {
        let left = (self.effort.checked_sub(1), self.depth.checked_sub(1));
        let (Some(effort), Some(depth)) = left else {
            return;
        };
        self.effort = effort;
        if !self.can_name(place) {
            return;
        }
        if let Some(node) = resolved(self.root, node) {
            self.depth = depth;
            self.here(value, node, place, out);
            self.depth = depth + 1;
        }
    }

    /// Whether there is room for one more place. The walk is over when there is not.
    fn can_name(&mut self, place: &str) -> bool {
        match self.text.checked_sub(place.len()) {
            Some(text) => self.text = text,
            None => self.effort = 0,
        }
        self.effort > 0
    }

    fn tell(&mut self, pointer: &str, what: What<'s>, out: &mut Vec<Fault<'s>>) {
        if self.can_name(pointer) {
            let pointer = pointer.to_owned();
            out.push(Fault { pointer, what });
        }
    }

    fn here(&mut self, value: &'s Value, node: &'s Value, place: &str, out: &mut Vec<Fault<'s>>) {
        if let Some(misfit) = refused(value, node) {
            let kind = match misfit {
                Misfit::Type => ProblemKind::Type,
                Misfit::Constraint => ProblemKind::Constraint,
            };
            self.tell(place, What::Value { kind, value, node }, out);
            return;
        }
        match value {
            Value::Object(members) => self.object(members, node, place, out),
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    if self.effort == 0 {
                        return;
                    }
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
            if self.effort == 0 {
                return;
            }
            match (node["properties"].get(key), &node["additionalProperties"]) {
                // The declared default is right, whatever else is said of it.
                (Some(inner), _) if inner.get("default") == Some(value) => {}
                (Some(inner), _) | (None, inner @ Value::Object(_)) => {
                    self.at(value, inner, &below(place, key), out);
                }
                (None, Value::Bool(false)) => {
                    self.tell(place, What::Unknown { key, object: node }, out);
                }
                _ => {}
            }
        }
        for key in required(node).filter(|key| !members.contains_key(*key)) {
            let what = What::Missing(node["properties"].get(key));
            self.tell(&below(place, key), what, out);
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
                let what = What::Tag {
                    tags,
                    value: wanted,
                };
                self.tell(&below(place, tag), what, out);
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
                let kind = ProblemKind::Type;
                self.tell(place, What::Value { kind, value, node }, out);
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

#[cfg(test)]
mod tests;
