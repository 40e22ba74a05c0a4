//! Properties beside a union, spread out: every branch becomes an object of its own.
//!
//! A flattened enum gives an object that has the fields of the struct as `properties` and those
//! of the variants in a union. Neither part can be closed without shutting out the other.

use serde_json::{Value, json};

use super::merge::both;
use super::portable::Portable;
use super::union::unit_variants;
use crate::schema::walk::{Node, is_about_objects, split_annotations};

/// More objects than this are not spread out; the parts then stay as they are, and open.
const LIMIT: usize = 64;

impl Portable {
    /// Spreads an object beside unions into a union of objects. Says whether it did.
    pub(super) fn distribute(&mut self, node: &mut Node) -> bool {
        if !is_about_objects(node) || !has_union(node) {
            return false;
        }
        let (mut words, demands) = split_annotations(node.clone());
        let Some(list) = self.alternatives(demands) else {
            return false;
        };
        let list = list.into_iter().map(Value::Object).collect();
        words.insert("anyOf".to_owned(), Value::Array(list));
        *node = words;
        true
    }

    /// The values that `node` allows, as schemas without a union at their top.
    fn alternatives(&mut self, mut node: Node) -> Option<Vec<Node>> {
        self.open(&mut node);
        let unions = take_unions(&mut node);
        if unions.is_empty() {
            return Some(vec![node]);
        }
        let mut list = vec![split_annotations(node).1];
        for union in unions {
            let mut options = Vec::new();
            for branch in union {
                match branch {
                    // An empty branch is an absent `Option`: it adds no properties, and does not allow every property.
                    Value::Object(branch) if branch.is_empty() => options.push(no_properties()),
                    Value::Bool(true) => options.push(no_properties()),
                    Value::Object(branch) => options.extend(self.alternatives(branch)?),
                    _ => {}
                }
            }
            let mut spread = Vec::new();
            for base in &list {
                for option in &options {
                    for option in as_objects(option, base) {
                        spread.extend(both(option, base.clone()));
                    }
                }
                if spread.len() > LIMIT {
                    return None;
                }
            }
            list = spread;
        }
        Some(list)
    }
}

fn no_properties() -> Node {
    Node::from_iter([("properties".to_owned(), json!({}))])
}

fn has_union(node: &Node) -> bool {
    let inside = |part: &Value| part.get("anyOf").is_some() || part.get("oneOf").is_some();
    node.contains_key("anyOf")
        || matches!(node.get("allOf"), Some(Value::Array(parts)) if parts.iter().any(inside))
}

/// Removes the unions that hold for `node`, those in an `allOf` that says nothing else included.
fn take_unions(node: &mut Node) -> Vec<Vec<Value>> {
    let mut unions = Vec::new();
    if let Some(Value::Array(list)) = node.remove("anyOf") {
        unions.push(list);
    }
    if let Some(Value::Array(parts)) = node.remove("allOf") {
        let mut others = Vec::new();
        for part in parts {
            match part {
                Value::Object(mut part) if part.len() == 1 && part.contains_key("anyOf") => {
                    if let Some(Value::Array(list)) = part.remove("anyOf") {
                        unions.push(list);
                    }
                }
                other => others.push(other),
            }
        }
        if !others.is_empty() {
            node.insert("allOf".to_owned(), Value::Array(others));
        }
    }
    unions
}

/// The form of a union's branch in an object: a unit variant becomes a key without a value, `{"Name": null}`, which
/// schemars forgets for variants with docs.
fn as_objects(option: &Node, base: &Node) -> Vec<Node> {
    match unit_variants(option) {
        Some(names) if is_about_objects(base) => names
            .iter()
            .map(|name| {
                let mut object = split_annotations(option.clone()).0;
                object.insert("type".to_owned(), json!("object"));
                object.insert("properties".to_owned(), json!({ name: {"type": "null"} }));
                object.insert("required".to_owned(), json!([name]));
                object
            })
            .collect(),
        _ => vec![option.clone()],
    }
}

/// [`as_objects`] for the unions beside an object that is not spread out.
pub(super) fn objects_beside(node: &mut Node) {
    if is_about_objects(node) {
        let base = Node::from_iter([("type".to_owned(), json!("object"))]);
        rewrite_branches(node, &base);
    }
}

fn rewrite_branches(node: &mut Node, base: &Node) {
    if let Some(Value::Array(parts)) = node.get_mut("allOf") {
        for part in parts.iter_mut().filter_map(Value::as_object_mut) {
            rewrite_branches(part, base);
        }
    }
    if let Some(Value::Array(branches)) = node.get_mut("anyOf") {
        for branch in std::mem::take(branches) {
            match branch {
                Value::Object(mut branch) => {
                    rewrite_branches(&mut branch, base);
                    branches.extend(as_objects(&branch, base).into_iter().map(Value::Object));
                }
                other => branches.push(other),
            }
        }
    }
}
