//! The way from the arguments that a model wrote for the form of an API to arguments for the tool's own schema.
//!
//! A [`ReadBack`] is a graph of [`Node`]s, one for each schema of the form, made together with it. [`ReadBack::apply`]
//! walks it beside the text of the arguments. Text below a node that changes nothing is copied as it stands, so numbers keep
//! their digits.

mod fits;
mod show;
#[cfg(test)]
mod tests;
mod writer;

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::source::Kind;
use crate::json::Json;
use fits::Fits;
use show::Show;
use writer::Writer;

/// The place of a node in its graph.
pub(super) type NodeId = usize;

/// A schema of the form.
#[derive(Debug, Clone)]
pub(super) enum Node {
    /// Any value of the general form.
    Any,
    /// A value of one type that is not looked into.
    Scalar(Kind),
    /// A value that is listed.
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

/// The steps down from which on arguments stay as they are, a union counted as one. Those of a schema without
/// recursion are never as deep.
const MAX_DEPTH: usize = 256;

/// The bytes that are looked at for each byte of the arguments, on average; a text for which that is not enough stays
/// as it is.
const WORK_PER_BYTE: usize = 64;

/// The bytes that may be looked at for a text of any length.
const LEAST_WORK: usize = 100_000;

impl ReadBack {
    /// Returns true if arguments are never changed.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Returns arguments for the tool's own schema, such as an example of its author, as a model would write them for
    /// the form. `None`: they do not fit it.
    pub(crate) fn show(&self, arguments: &Json) -> Option<Json> {
        match &self.0 {
            Some(plan) => Show::new(plan).arguments(arguments),
            None => Some(arguments.clone()),
        }
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
        let work = arguments
            .len()
            .saturating_mul(WORK_PER_BYTE)
            .max(LEAST_WORK);
        let mut writer = Writer {
            plan,
            out: String::with_capacity(arguments.len()),
            is_changed: false,
            fits: Fits::new(&plan.nodes, work),
        };
        match writer.value(plan.root, raw.get(), MAX_DEPTH) {
            Some(()) if writer.is_changed => Cow::Owned(writer.out),
            _ => Cow::Borrowed(arguments),
        }
    }
}
