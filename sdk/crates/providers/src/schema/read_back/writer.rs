//! The text of arguments for the tool's own schema.

use std::collections::HashSet;

use serde_json::value::RawValue;

use super::fits::{self, Fits};
use super::{Member, Node, NodeId, Plan, ShownValue};
use crate::json::Json;

/// The work became too much.
struct TooMuch;

/// Arguments for the tool's own schema, while they are written.
pub(super) struct Writer<'p> {
    pub(super) plan: &'p Plan,
    pub(super) out: String,
    pub(super) is_changed: bool,
    pub(super) fits: Fits<'p>,
}

impl Writer<'_> {
    /// Writes a value. `None`: the work became too much.
    pub(super) fn value(&mut self, id: NodeId, raw: &str, depth: usize) -> Option<()> {
        let plan = self.plan;
        let node = plan.nodes.get(id)?;
        if plan.changes.get(id) != Some(&true) || depth == 0 {
            self.out.push_str(raw);
            return Some(());
        }
        self.fits.spend(raw.len())?;
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
        for variant in variants {
            if self.fits.value(*variant, raw, depth).ok_or(TooMuch)? {
                return Ok(Some(*variant));
            }
        }
        Ok(None)
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
        // An object without members costs nothing, however many the form has.
        self.fits
            .spend(members.len().saturating_mul(found.len().min(16)))?;
        let by_name = fits::by_name(members, found.len());
        // Two of one name would change their order of precedence.
        let mut names = HashSet::with_capacity(found.len());
        if !found.iter().all(|(name, _)| names.insert(name)) {
            self.out.push_str(raw);
            return Some(());
        }
        self.out.push('{');
        let mut is_first = true;
        for (name, value) in &found {
            let member = by_name(name);
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
