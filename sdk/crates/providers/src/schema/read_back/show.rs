//! The way there: arguments for the tool's own schema as a model would write them for a form.

use super::{MAX_DEPTH, Node, NodeId, Plan};
use crate::json::{Json, Object};
use crate::schema::source::Kind;

/// The nodes that are tried for one example; one for which that is not enough is not shown.
const MAX_STEPS: usize = 100_000;

/// Arguments on their way to a form.
pub(super) struct Show<'p> {
    plan: &'p Plan,
    steps: usize,
}

impl<'p> Show<'p> {
    pub(super) fn new(plan: &'p Plan) -> Self {
        Self {
            plan,
            steps: MAX_STEPS,
        }
    }

    /// Returns the arguments in the form. `None`: they do not fit it.
    pub(super) fn arguments(&mut self, arguments: &Json) -> Option<Json> {
        self.value(self.plan.root, arguments, MAX_DEPTH)
    }

    fn value(&mut self, id: NodeId, value: &Json, depth: usize) -> Option<Json> {
        let plan = self.plan;
        let depth = depth.checked_sub(1)?;
        self.steps = self.steps.checked_sub(1)?;
        match plan.nodes.get(id)? {
            Node::Any => Some(value.clone()),
            Node::Scalar(kind) => kind.takes(Kind::of(value)).then(|| value.clone()),
            Node::Values(values) => {
                let own = value.to_text();
                let is_it = |shown: &&super::ShownValue| match &shown.own {
                    Some(listed) => *listed == own,
                    None => shown.shown == *value,
                };
                values.iter().find(is_it).map(|listed| listed.shown.clone())
            }
            Node::Object(members) => {
                let own = value.as_object()?;
                let mut shown = Object::new();
                let mut found = 0;
                for member in members {
                    let name = member.own.as_deref().unwrap_or(&member.shown);
                    let part = match own.get(name) {
                        Some(part) => {
                            found += 1;
                            self.value(member.node, part, depth)?
                        }
                        None if member.null_is_absent => Json::Null,
                        None if member.required => return None,
                        None => continue,
                    };
                    shown.insert(member.shown.as_str(), part);
                }
                (found == own.len()).then_some(Json::Object(shown))
            }
            Node::Tuple(parts) => {
                let own = value.as_array().filter(|own| own.len() == parts.len())?;
                let mut shown = Object::new();
                for ((name, node), part) in parts.iter().zip(own) {
                    shown.insert(name.as_str(), self.value(*node, part, depth)?);
                }
                Some(Json::Object(shown))
            }
            Node::Array(item) => {
                let own = value.as_array()?.iter();
                let shown: Option<Vec<Json>> =
                    own.map(|part| self.value(*item, part, depth)).collect();
                shown.map(Json::Array)
            }
            Node::Union(variants) => variants
                .iter()
                .find_map(|variant| self.value(*variant, value, depth)),
            Node::Wrapped(name, node) => {
                let mut shown = Object::new();
                shown.insert(name.as_str(), self.value(*node, value, depth)?);
                Some(Json::Object(shown))
            }
        }
    }
}
