//! The variant of a union that a value is, found by its structure.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::{Member, Node, NodeId};
use crate::json::Json;
use crate::schema::source::Kind;

/// A check whether values are of some node, with a bound on its work.
pub(super) struct Fits<'p> {
    nodes: &'p [Node],
    /// The bytes that may still be looked at.
    work: usize,
    /// The verdicts on objects and unions so far, by the address of the value's text: a union within unions is
    /// asked for once at each of them.
    known: HashMap<(usize, NodeId), bool>,
}

impl<'p> Fits<'p> {
    pub(super) fn new(nodes: &'p [Node], work: usize) -> Self {
        Self {
            nodes,
            work,
            known: HashMap::new(),
        }
    }

    /// Returns true if a value is of the node. `None`: the work became too much.
    pub(super) fn value(&mut self, id: NodeId, raw: &str, depth: usize) -> Option<bool> {
        if !matches!(self.nodes.get(id), Some(Node::Object(_) | Node::Union(_))) {
            return self.value_anew(id, raw, depth);
        }
        let key = (raw.as_ptr().addr(), id);
        if let Some(known) = self.known.get(&key) {
            return Some(*known);
        }
        let verdict = self.value_anew(id, raw, depth)?;
        self.known.insert(key, verdict);
        Some(verdict)
    }

    /// Counts work of so many steps. `None`: it became too much.
    pub(super) fn spend(&mut self, steps: usize) -> Option<()> {
        self.work = self.work.checked_sub(steps)?;
        Some(())
    }

    fn value_anew(&mut self, id: NodeId, raw: &str, depth: usize) -> Option<bool> {
        let nodes = self.nodes;
        let (Some(node), Some(depth)) = (nodes.get(id), depth.checked_sub(1)) else {
            return Some(false);
        };
        self.spend(raw.len())?;
        match node {
            Node::Any => Some(true),
            Node::Scalar(kind) => Some(is_of(*kind, raw)),
            Node::Values(values) => {
                let value = serde_json::from_str::<Json>(raw).ok();
                Some(value.is_some_and(|value| values.iter().any(|listed| listed.shown == value)))
            }
            Node::Object(listed) => {
                let Some(found) = members(raw) else {
                    return Some(false);
                };
                self.spend(listed.len())?;
                let by_name = by_name(listed, found.len());
                let names: HashSet<&str> = found.iter().map(|(name, _)| &**name).collect();
                if !listed
                    .iter()
                    .all(|member| !member.required || names.contains(member.shown.as_str()))
                {
                    return Some(false);
                }
                for (name, value) in &found {
                    let Some(member) = by_name(name) else {
                        return Some(false);
                    };
                    let is_absent = member.null_is_absent && value.get() == "null";
                    if !is_absent && !self.value(member.node, value.get(), depth)? {
                        return Some(false);
                    }
                }
                Some(true)
            }
            Node::Tuple(parts) => {
                let found = members(raw).unwrap_or_default();
                if found.len() != parts.len() {
                    return Some(false);
                }
                for (name, node) in parts {
                    match found.iter().find(|(found, _)| found == name) {
                        Some((_, value)) if self.value(*node, value.get(), depth)? => {}
                        _ => return Some(false),
                    }
                }
                Some(true)
            }
            Node::Array(item) => {
                let Ok(found) = serde_json::from_str::<Vec<&RawValue>>(raw) else {
                    return Some(false);
                };
                for value in found {
                    if !self.value(*item, value.get(), depth)? {
                        return Some(false);
                    }
                }
                Some(true)
            }
            Node::Union(variants) => {
                for variant in variants {
                    if self.value(*variant, raw, depth)? {
                        return Some(true);
                    }
                }
                Some(false)
            }
            Node::Wrapped(name, node) => match members(raw).unwrap_or_default().as_slice() {
                [(found, value)] if found == name => self.value(*node, value.get(), depth),
                _ => Some(false),
            },
        }
    }
}

/// Finds the members of a node by their name in the form, for so many names.
pub(super) fn by_name<'m>(
    members: &'m [Member],
    found: usize,
) -> impl Fn(&str) -> Option<&'m Member> {
    /// With so few members or names, a map costs more than it saves.
    const FEW: usize = 16;
    let has_index = members.len() > FEW && found > FEW;
    let indexed = members.iter().filter(|_| has_index);
    let index: HashMap<&str, &Member> = indexed
        .map(|member| (member.shown.as_str(), member))
        .collect();
    move |name| {
        if has_index {
            return index.get(name).copied();
        }
        members.iter().find(|member| member.shown == name)
    }
}

/// Returns true if a value is of a type.
pub(super) fn is_of(kind: Kind, raw: &str) -> bool {
    let Some(first) = raw.bytes().next() else {
        return false;
    };
    match kind {
        Kind::Null => first == b'n',
        Kind::Boolean => matches!(first, b't' | b'f'),
        Kind::String => first == b'"',
        Kind::Array => first == b'[',
        Kind::Object => first == b'{',
        Kind::Number => first == b'-' || first.is_ascii_digit(),
        Kind::Integer => {
            let is_number = first == b'-' || first.is_ascii_digit();
            let has_fraction = || raw.parse::<f64>().is_ok_and(|value| value.fract() != 0.0);
            is_number && !(raw.contains(['.', 'e', 'E']) && has_fraction())
        }
    }
}

/// The members of an object in their order, each with its text.
pub(super) fn members(raw: &str) -> Option<Vec<(Cow<'_, str>, &RawValue)>> {
    serde_json::from_str::<Members<'_>>(raw)
        .ok()
        .map(|members| members.0)
}

struct Members<'t>(Vec<(Cow<'t, str>, &'t RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MembersVisitor)
    }
}

struct MembersVisitor;

impl<'de> Visitor<'de> for MembersVisitor {
    type Value = Members<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(Name(name)) = map.next_key()? {
            members.push((name, map.next_value()?));
        }
        Ok(Members(members))
    }
}

/// A name, borrowed where it has no escapes.
#[derive(serde::Deserialize)]
#[serde(transparent)]
struct Name<'t>(#[serde(borrow)] Cow<'t, str>);
