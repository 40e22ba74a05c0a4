//! What a schema says against a value, place by place: for the parts of a value that serde reads
//! from a copy of its own, and of which its errors name neither the place nor the branch.

use serde_json::{Map, Value};

use super::branches::{only_names, only_text, required, tag_of};
use super::skeleton::below;
use super::words::{
    found, missing, names_left, nearest_of, of_node, secret_of, unknown, unknown_argument,
    unknown_of,
};
use crate::arguments::{ArgumentProblem, ProblemKind};
use crate::schema::{Misfit, describe, is_of_type, marks_secret, refused, resolved};
use crate::util::suggestion::nearest;

/// How many schemas are looked at: an imported one can be built to have no end.
const EFFORT: usize = 4096;
/// How long the places are together, in bytes: each is as long as the names that lead to it.
const TEXT: usize = 1 << 20;
/// How many steps are taken to match texts with patterns. What takes more fits, as far as is told
/// here: who judges the call has told more.
const MATCHING: usize = 1_000_000;
/// How deep they are followed, unions in unions included.
const DEPTH: usize = 160;

/// One thing that a schema says against a value.
pub(super) struct Fault<'s> {
    /// Where, as a JSON pointer into the value.
    pub(super) pointer: String,
    what: What<'s>,
    /// The value that it is in, where that is secret.
    secret: Option<Secret<'s>>,
}

/// A part of a value that the schema marks as secret.
#[derive(Clone)]
struct Secret<'s> {
    pointer: String,
    value: &'s Value,
    node: &'s Value,
}

enum What<'s> {
    /// A name that the object does not have. The pointer is the object's.
    Unknown {
        key: &'s str,
        object: &'s Value,
        /// The object that has it.
        given: &'s Map<String, Value>,
    },
    /// A name that the object must have, and what is known of its value.
    Missing(Option<&'s Value>),
    /// Another value than those that tell branches apart, or none.
    Tag {
        tags: Vec<&'s str>,
        value: Option<&'s Value>,
    },
    /// The name of a branch that there is not, where each is an object of one name.
    Branch { key: &'s str, near: &'s str },
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
            What::Unknown { .. } | What::Branch { .. } => ProblemKind::Unknown,
            What::Missing(_) | What::Tag { value: None, .. } => ProblemKind::Missing,
            What::Tag { .. } => ProblemKind::Type,
            What::Value { kind, .. } => kind,
        }
    }

    /// The name, where it is one that is not known, and what describes the object.
    pub(super) fn unknown_key(&self) -> Option<(&'s str, &'s Value)> {
        match self.what {
            What::Unknown { key, object, .. } => Some((key, object)),
            _ => None,
        }
    }

    /// Whether it is a list or an object in the place of something else.
    pub(super) fn has_parts(&self) -> bool {
        match &self.what {
            // Of an object as a whole a schema can say no more than what it must be.
            What::Value { value, .. } if value.is_object() => true,
            What::Value { kind, value, .. } => *kind == ProblemKind::Type && value.is_array(),
            _ => false,
        }
    }

    /// Whether it is a name that the object must have and has not.
    pub(super) fn is_missing(&self) -> bool {
        matches!(self.what, What::Missing(_))
    }

    /// Whether it is another value than those that tell branches apart, or none.
    pub(super) fn is_tag(&self) -> bool {
        matches!(self.what, What::Tag { .. })
    }

    /// Where the fault itself is: the name that is not known too.
    pub(super) fn place(&self) -> String {
        match self.what {
            What::Unknown { key, .. } | What::Branch { key, .. } => below(&self.pointer, key),
            _ => self.pointer.clone(),
        }
    }

    /// Whether it is in something secret.
    pub(super) fn is_secret(&self) -> bool {
        self.secret.is_some()
    }

    /// As a problem of arguments in which the value stands at `top`.
    pub(crate) fn problem(&self, top: &str, root: &Value) -> ArgumentProblem {
        if let Some(secret) = &self.secret {
            let kind = match self.what {
                What::Value { kind, .. } if self.pointer == secret.pointer => kind,
                _ => ProblemKind::Type,
            };
            let pointer = format!("{top}{}", secret.pointer);
            let expected = describe(secret.node, root);
            return secret_of(kind, pointer, expected, secret.value);
        }
        let pointer = format!("{top}{}", self.pointer);
        match &self.what {
            // All arguments are listed at the end.
            What::Unknown { key, object, given }
                if std::ptr::eq(*object, root) && pointer.is_empty() =>
            {
                unknown_argument(key, names_left(object, Some(given)), root)
            }
            What::Unknown { key, object, given } => unknown_of(key, &pointer, object, Some(given)),
            What::Branch { key, near } => {
                unknown(key, &pointer, std::iter::once(*near), &Value::Null)
            }
            What::Missing(node) => match node {
                Some(node) => missing(pointer, describe(node, root)),
                None => missing(pointer, "a value"),
            },
            What::Tag { tags, value } => tag_problem(pointer, tags, *value),
            What::Value { kind, value, node } => of_node(*kind, pointer, value, node, root),
        }
    }
}

fn tag_problem(pointer: String, tags: &[&str], value: Option<&Value>) -> ArgumentProblem {
    let listed: Vec<String> = tags.iter().map(|tag| format!("{tag:?}")).collect();
    let one_of = if listed.len() == 1 { "" } else { "one of " };
    let expected = format!("{one_of}{}", listed.join(", "));
    let Some(value) = value else {
        return missing(pointer, expected);
    };
    let problem = ArgumentProblem::other(ProblemKind::Type, pointer, expected, found(value));
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
        matching: MATCHING,
        depth: DEPTH,
        secret: None,
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
    matching: usize,
    depth: usize,
    /// What it is in that is secret.
    secret: Option<Secret<'s>>,
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
        let marked = self.secret.is_none() && marks_secret(node, self.root);
        if let Some(node) = resolved(self.root, node) {
            if marked {
                let pointer = place.to_owned();
                self.secret = Some(Secret {
                    pointer,
                    value,
                    node,
                });
            }
            self.depth = depth;
            self.here(value, node, place, out);
            self.depth = depth + 1;
            if marked {
                self.secret = None;
            }
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
            let (pointer, secret) = (pointer.to_owned(), self.secret.clone());
            out.push(Fault {
                pointer,
                what,
                secret,
            });
        }
    }

    fn here(&mut self, value: &'s Value, node: &'s Value, place: &str, out: &mut Vec<Fault<'s>>) {
        if let Some(misfit) = refused(value, node, &mut self.matching) {
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
                    let (object, given) = (node, members);
                    self.tell(place, What::Unknown { key, object, given }, out);
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
        if let Value::Object(members) = value
            && let Some(names) = only_names(&fitting)
            && members.len() == 1
            && let Some(key) = members.keys().next()
        {
            match names.iter().position(|name| name == key) {
                Some(index) => fitting = vec![fitting[index]],
                None => {
                    if !self.has_name_for_text(value, branches)
                        && let Some(near) = nearest(key, names)
                    {
                        self.tell(place, What::Branch { key, near }, out);
                        return;
                    }
                }
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
            Some(best) if best.is_empty() => {}
            Some(best) if (!several || self.guess) && !self.has_name_for_text(value, branches) => {
                out.extend(best);
            }
            _ => {
                let kind = ProblemKind::Type;
                self.tell(place, What::Value { kind, value, node }, out);
            }
        }
    }

    /// Whether an object has a name and no content where a branch is the name as a text: serde
    /// takes one for the other in what it copied.
    fn has_name_for_text(&self, value: &Value, branches: &[Value]) -> bool {
        let mut members = value.as_object().into_iter().flatten();
        let (Some((name, content)), None) = (members.next(), members.next()) else {
            return false;
        };
        let empty = content.is_null() || content.as_object().is_some_and(Map::is_empty);
        let is_text = |branch| {
            let texts = resolved(self.root, branch).and_then(|branch| branch["enum"].as_array());
            texts.is_some_and(|texts| texts.iter().any(|text| text == name.as_str()))
        };
        empty && branches.iter().any(is_text)
    }
}

#[cfg(test)]
mod tests;
