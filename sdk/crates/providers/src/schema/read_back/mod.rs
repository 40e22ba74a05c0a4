//! The way from the arguments that a model wrote for the form of an API to arguments for the tool's own schema.
//!
//! A [`ReadBack`] is a graph of [`Node`]s, one for each schema of the form, made together with it. [`ReadBack::apply`]
//! walks it beside the text of the arguments. Text below a node that changes nothing is copied as it stands, so numbers keep
//! their digits.

mod fits;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::value::RawValue;

use super::source::Kind;
use crate::json::Json;
use fits::Fits;

/// The place of a node in its graph.
pub(super) type NodeId = usize;

/// A schema of the form.
#[derive(Debug, Clone)]
pub(super) enum Node {
    /// Any value of the general form.
    Any,
    /// A value of one type that is not looked into.
    Scalar(Kind),
    /// One of these values.
    Values(Vec<ShownValue>),
    /// A closed object.
    Object(Vec<Member>),
    /// An object in place of a tuple, with the name and the schema of each part.
    Tuple(Vec<(String, NodeId)>),
    Array(NodeId),
    Union(Vec<NodeId>),
    /// An object whose one member stands for the whole.
    Wrapped(String, NodeId),
}

/// A value of an `enum`.
#[derive(Debug, Clone)]
pub(super) struct ShownValue {
    /// The value in the form.
    pub(super) shown: Json,
    /// The tool's own value as JSON text, if it is another.
    pub(super) own: Option<String>,
}

/// A property of an object of the form.
#[derive(Debug, Clone)]
pub(super) struct Member {
    /// The name in the form.
    pub(super) shown: String,
    /// The tool's own name, if it is another.
    pub(super) own: Option<String>,
    /// The tool's own schema asks for it.
    pub(super) required: bool,
    /// `null` says that it is absent.
    pub(super) null_is_absent: bool,
    pub(super) node: NodeId,
}

/// Nodes while they are made; a node may be used before it is known.
#[derive(Debug, Default)]
pub(super) struct Graph(Vec<Node>);

impl Graph {
    pub(super) fn add(&mut self, node: Node) -> NodeId {
        self.0.push(node);
        self.0.len() - 1
    }

    /// Sets a node that was added before it was known.
    pub(super) fn set(&mut self, id: NodeId, node: Node) {
        if let Some(place) = self.0.get_mut(id) {
            *place = node;
        }
    }

    /// Makes the way back of arguments whose schema is `root`.
    pub(super) fn finish(self, root: NodeId) -> ReadBack {
        let nodes = self.0;
        let mut changes: Vec<bool> = nodes.iter().map(changes_itself).collect();
        // A node that refers back to one before it needs another round; there are as many rounds as nodes at most.
        let mut more = true;
        while more {
            more = false;
            for (id, node) in nodes.iter().enumerate() {
                let below = |id: &NodeId| changes.get(*id) == Some(&true);
                if !below(&id) && parts(node).iter().any(below) {
                    if let Some(place) = changes.get_mut(id) {
                        *place = true;
                    }
                    more = true;
                }
            }
        }
        if changes.get(root) != Some(&true) {
            return ReadBack::default();
        }
        let only_nulls = !nodes.iter().any(changes_more_than_nulls);
        ReadBack(Some(Box::new(Plan {
            nodes,
            changes,
            root,
            only_nulls,
        })))
    }
}

fn parts(node: &Node) -> Vec<NodeId> {
    match node {
        Node::Any | Node::Scalar(_) | Node::Values(_) => Vec::new(),
        Node::Object(members) => members.iter().map(|member| member.node).collect(),
        Node::Tuple(parts) => parts.iter().map(|(_, node)| *node).collect(),
        Node::Union(variants) => variants.clone(),
        Node::Array(node) | Node::Wrapped(_, node) => vec![*node],
    }
}

fn changes_more_than_nulls(node: &Node) -> bool {
    match node {
        Node::Values(values) => values.iter().any(|value| value.own.is_some()),
        Node::Object(members) => members.iter().any(|member| member.own.is_some()),
        Node::Tuple(_) | Node::Wrapped(..) => true,
        Node::Any | Node::Scalar(_) | Node::Array(_) | Node::Union(_) => false,
    }
}

fn changes_itself(node: &Node) -> bool {
    let drops_null = match node {
        Node::Object(members) => members.iter().any(|member| member.null_is_absent),
        _ => false,
    };
    drops_null || changes_more_than_nulls(node)
}

/// The way from arguments for the form of an API to arguments for the tool's own schema.
#[derive(Debug, Clone, Default)]
pub(crate) struct ReadBack(Option<Box<Plan>>);

#[derive(Debug, Clone)]
struct Plan {
    nodes: Vec<Node>,
    /// The nodes at or below which something changes, by their place.
    changes: Vec<bool>,
    root: NodeId,
    /// Nothing but a `null` is ever changed.
    only_nulls: bool,
}

/// The depth from which on arguments stay as they are. Those of a schema without recursion are never as deep.
const MAX_DEPTH: usize = 64;

/// The bytes that are looked at for each byte of the arguments, on average; a text for which that is not enough stays
/// as it is.
const WORK_PER_BYTE: usize = 256;

impl ReadBack {
    /// Returns true if arguments are never changed.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Returns arguments for the tool's own schema. Arguments that are not what the form promises, in some part or as a whole,
    /// come back there as they are.
    pub(crate) fn apply<'t>(&self, arguments: &'t str) -> Cow<'t, str> {
        let Some(plan) = &self.0 else {
            return Cow::Borrowed(arguments);
        };
        if plan.only_nulls && !arguments.contains("null") {
            return Cow::Borrowed(arguments);
        }
        let Ok(raw) = serde_json::from_str::<&RawValue>(arguments) else {
            return Cow::Borrowed(arguments);
        };
        let mut writer = Writer {
            plan,
            out: String::with_capacity(arguments.len()),
            is_changed: false,
            work: arguments.len().saturating_mul(WORK_PER_BYTE),
        };
        match writer.value(plan.root, raw.get(), MAX_DEPTH) {
            Some(()) if writer.is_changed => Cow::Owned(writer.out),
            _ => Cow::Borrowed(arguments),
        }
    }
}

/// The work became too much.
struct TooMuch;

struct Writer<'p> {
    plan: &'p Plan,
    out: String,
    is_changed: bool,
    /// The bytes that may still be looked at.
    work: usize,
}

impl Writer<'_> {
    /// Writes a value. `None`: the work became too much.
    fn value(&mut self, id: NodeId, raw: &str, depth: usize) -> Option<()> {
        let plan = self.plan;
        let node = plan.nodes.get(id)?;
        if plan.changes.get(id) != Some(&true) || depth == 0 {
            self.out.push_str(raw);
            return Some(());
        }
        self.work = self.work.checked_sub(raw.len())?;
        let depth = depth - 1;
        match node {
            Node::Any | Node::Scalar(_) => self.out.push_str(raw),
            Node::Values(values) => self.listed(values, raw),
            Node::Object(members) => return self.object(members, raw, depth),
            Node::Tuple(parts) => return self.tuple(parts, raw, depth),
            Node::Array(item) => return self.array(*item, raw, depth),
            Node::Union(variants) => match self.variant(variants, raw, depth).ok()? {
                Some(variant) => return self.value(variant, raw, depth),
                None => self.out.push_str(raw),
            },
            Node::Wrapped(name, node) => {
                let members = fits::members(raw).unwrap_or_default();
                match members.as_slice() {
                    [(own, value)] if own == name => {
                        self.is_changed = true;
                        return self.value(*node, value.get(), depth);
                    }
                    _ => self.out.push_str(raw),
                }
            }
        }
        Some(())
    }

    /// Finds the variant that a value is of. If only one is of its type, it is that one, whether it fits or not.
    fn variant(
        &mut self,
        variants: &[NodeId],
        raw: &str,
        depth: usize,
    ) -> Result<Option<NodeId>, TooMuch> {
        let nodes = &self.plan.nodes;
        let is_possible = |id: &&NodeId| match nodes.get(**id) {
            Some(Node::Scalar(kind)) => fits::is_of(*kind, raw),
            Some(Node::Object(_) | Node::Tuple(_) | Node::Wrapped(..)) => raw.starts_with('{'),
            Some(Node::Array(_)) => raw.starts_with('['),
            _ => true,
        };
        let mut possible = variants.iter().filter(is_possible);
        if let (Some(only), None) = (possible.next(), possible.next()) {
            return Ok(Some(*only));
        }
        let mut fits = Fits::new(nodes, self.work);
        let mut fitting = None;
        for variant in variants {
            if fits.value(*variant, raw, depth).ok_or(TooMuch)? {
                fitting = Some(*variant);
                break;
            }
        }
        self.work = fits.work();
        Ok(fitting)
    }

    fn listed(&mut self, values: &[ShownValue], raw: &str) {
        let own = serde_json::from_str::<Json>(raw).ok().and_then(|value| {
            let listed = values.iter().find(|listed| listed.shown == value)?;
            listed.own.as_deref()
        });
        self.is_changed |= own.is_some();
        self.out.push_str(own.unwrap_or(raw));
    }

    fn object(&mut self, members: &[Member], raw: &str, depth: usize) -> Option<()> {
        let Some(found) = fits::members(raw) else {
            self.out.push_str(raw);
            return Some(());
        };
        // Two of one name would change their order of precedence.
        let mut names = HashSet::with_capacity(found.len());
        if !found.iter().all(|(name, _)| names.insert(name)) {
            self.out.push_str(raw);
            return Some(());
        }
        self.out.push('{');
        let mut is_first = true;
        for (name, value) in &found {
            let member = members.iter().find(|member| member.shown == **name);
            if member.is_some_and(|member| member.null_is_absent) && value.get() == "null" {
                self.is_changed = true;
                continue;
            }
            if !is_first {
                self.out.push(',');
            }
            is_first = false;
            let own = member.and_then(|member| member.own.as_deref());
            self.is_changed |= own.is_some();
            self.name(own.unwrap_or(name))?;
            match member {
                Some(member) => self.value(member.node, value.get(), depth)?,
                None => self.out.push_str(value.get()),
            }
        }
        self.out.push('}');
        Some(())
    }

    fn name(&mut self, name: &str) -> Option<()> {
        self.out.push_str(&serde_json::to_string(name).ok()?);
        self.out.push(':');
        Some(())
    }

    fn tuple(&mut self, parts: &[(String, NodeId)], raw: &str, depth: usize) -> Option<()> {
        let found = fits::members(raw).unwrap_or_default();
        let mut values = Vec::with_capacity(parts.len());
        for (name, node) in parts {
            if let Some((_, value)) = found.iter().find(|(found, _)| found == name) {
                values.push((*node, value.get()));
            }
        }
        if values.len() != parts.len() || found.len() != parts.len() {
            self.out.push_str(raw);
            return Some(());
        }
        self.is_changed = true;
        self.items(&values, depth)
    }

    fn array(&mut self, item: NodeId, raw: &str, depth: usize) -> Option<()> {
        let Ok(found) = serde_json::from_str::<Vec<&RawValue>>(raw) else {
            self.out.push_str(raw);
            return Some(());
        };
        let values: Vec<_> = found.iter().map(|value| (item, value.get())).collect();
        self.items(&values, depth)
    }

    fn items(&mut self, values: &[(NodeId, &str)], depth: usize) -> Option<()> {
        self.out.push('[');
        for (at, (node, value)) in values.iter().enumerate() {
            if at > 0 {
                self.out.push(',');
            }
            self.value(*node, value, depth)?;
        }
        self.out.push(']');
        Some(())
    }
}
