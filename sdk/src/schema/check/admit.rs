//! A further property for an object schema, whatever form it has.

use serde_json::{Map, Value, json};

use super::pattern::matches;
use crate::schema::refs::target;
use crate::schema::walk::{Node, has_type, is_about_objects};

/// The most references that are followed from the root.
const HOPS: usize = 8;

/// The most schemas that are looked at; a reference counts for ten.
const STEPS: usize = 2_000;

/// The most steps to match the name with a pattern; one that takes more may match it.
const EFFORT: usize = 100_000;

/// Makes a schema of objects take one more member that may be left out, and say so: an object fits
/// with that member if it fitted without it. A schema of something else stays as it is.
pub(crate) fn admit(schema: &mut Value, name: &str, property: &Value) {
    let root = schema.clone();
    if *schema == Value::Bool(true) {
        *schema = Value::Object(Map::new());
    }
    if let Value::Object(node) = schema {
        let mut admit = Admit {
            root: &root,
            name,
            property,
            left: STEPS,
        };
        admit.node(node, true, HOPS);
    }
}

/// Returns true if a schema of objects knows a member of that name.
pub(crate) fn names_property(schema: &Value, name: &str) -> bool {
    let mut open = vec![(schema, HOPS)];
    for _ in 0..STEPS {
        let Some((inner, hops)) = open.pop() else {
            break;
        };
        let Value::Object(node) = inner else {
            continue;
        };
        let properties = node.get("properties").and_then(Value::as_object);
        let required = node.get("required").and_then(Value::as_array);
        if properties.is_some_and(|all| all.contains_key(name))
            || required.is_some_and(|all| all.iter().any(|one| one == name))
        {
            return true;
        }
        open.extend(in_place(node).map(|part| (part, hops)));
        if let (Some(Value::String(reference)), Some(hops)) =
            (node.get("$ref"), hops.checked_sub(1))
        {
            open.extend(target(schema, reference).map(|target| (target, hops)));
        }
    }
    false
}

/// The keywords whose schemas speak of the same value.
const PARTS: [&str; 3] = ["allOf", "anyOf", "oneOf"];
const SINGLE: [&str; 4] = ["not", "if", "then", "else"];

fn in_place(node: &Node) -> impl Iterator<Item = &Value> {
    let lists = PARTS.iter().filter_map(|keyword| node.get(*keyword));
    let single = SINGLE.iter().filter_map(|keyword| node.get(*keyword));
    let dependent = node.get("dependentSchemas").and_then(Value::as_object);
    lists
        .filter_map(Value::as_array)
        .flatten()
        .chain(single)
        .chain(dependent.into_iter().flat_map(Map::values))
}

struct Admit<'a> {
    /// The schema as it was, for references.
    root: &'a Value,
    name: &'a str,
    property: &'a Value,
    left: usize,
}

impl Admit<'_> {
    /// Opens a schema, and shows the property in it if it is to be shown.
    fn node(&mut self, node: &mut Node, show: bool, hops: usize) {
        let Some(left) = self.left.checked_sub(1) else {
            return;
        };
        self.left = left;
        let typed = node.contains_key("type");
        if typed && !has_type(node, "object") {
            return;
        }
        // Put in its place last: it is open by then.
        let referred = self.referred(node, show, hops);
        let refers = show && referred.is_some();
        // Beside a union few readers look: the property is shown in each of its objects.
        let branches = ["anyOf", "oneOf"].iter().any(|k| node.contains_key(*k));
        let own = show && !refers && (!branches || node.contains_key("properties"));
        let in_branches = show && !refers && !own;
        if own || closes(node, self.name) {
            let property = if own {
                self.property.clone()
            } else {
                json!({"type": "string"})
            };
            let properties = node
                .entry("properties")
                .or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(properties) = properties {
                properties.entry(self.name).or_insert(property);
            }
        }
        self.make_room(node);
        for keyword in PARTS {
            if let Some(Value::Array(parts)) = node.get_mut(keyword) {
                for part in parts {
                    if let Value::Object(part) = part {
                        let show = in_branches && keyword != "allOf" && self.is_object(part);
                        self.node(part, show, hops);
                    }
                }
            }
        }
        for keyword in SINGLE {
            if let Some(Value::Object(part)) = node.get_mut(keyword) {
                self.node(part, false, hops);
            }
        }
        if let Some(Value::Object(parts)) = node.get_mut("dependentSchemas") {
            for part in parts.values_mut().filter_map(Value::as_object_mut) {
                self.node(part, false, hops);
            }
        }
        if let Some(referred) = referred {
            stand_in(node, referred);
        }
    }

    /// Opens what is referred to if as it is it shuts the property out or does not show it; the
    /// definition itself may serve other places.
    fn referred(&mut self, node: &Node, show: bool, hops: usize) -> Option<Node> {
        let reference = node.get("$ref")?.as_str()?;
        let hops = hops.checked_sub(1)?;
        self.left = self.left.checked_sub(9)?;
        let before = target(self.root, reference)?.as_object()?;
        let mut after = before.clone();
        self.node(&mut after, show, hops);
        (after != *before).then_some(after)
    }

    /// Returns true if a branch is an object, by itself or by what it refers to.
    fn is_object(&self, branch: &Node) -> bool {
        let referred = || target(self.root, branch.get("$ref")?.as_str()?)?.as_object();
        is_about_objects(branch)
            || referred().is_some_and(|node| !node.contains_key("type") || has_type(node, "object"))
    }

    /// Opens what judges members by their names and number.
    fn make_room(&self, node: &mut Node) {
        if let Some(names) = node.get_mut("propertyNames") {
            let others = names.take();
            *names = json!({"anyOf": [{"enum": [self.name]}, others]});
        }
        if let Some(most) = node.get_mut("maxProperties")
            && let Some(number) = most.as_u64()
        {
            *most = number.saturating_add(1).into();
        }
        if let Some(Value::Object(patterns)) = node.get_mut("patternProperties") {
            for (pattern, schema) in std::mem::take(patterns) {
                let pattern = if may_match(&pattern, self.name) {
                    format!("^(?!{}$)[\\s\\S]*(?:{pattern})", self.name)
                } else {
                    pattern
                };
                patterns.insert(pattern, schema);
            }
        }
    }
}

/// Puts a schema in place of the reference to it.
fn stand_in(node: &mut Node, referred: Node) {
    node.remove("$ref");
    if referred.keys().any(|keyword| node.contains_key(keyword)) {
        let parts = node.entry("allOf").or_insert_with(|| json!([]));
        if let Value::Array(parts) = parts {
            parts.push(Value::Object(referred));
        }
    } else {
        node.extend(referred);
    }
}

/// Returns true if an object schema, by itself, does not take just anything for a member.
fn closes(node: &Node, name: &str) -> bool {
    let rest = ["additionalProperties", "unevaluatedProperties"].map(|keyword| node.get(keyword));
    let open = |schema: &Value| match schema {
        Value::Object(schema) => schema.is_empty(),
        other => *other == Value::Bool(true),
    };
    rest.into_iter().flatten().any(|schema| !open(schema))
        || match node.get("patternProperties") {
            Some(Value::Object(patterns)) => patterns.keys().any(|key| may_match(key, name)),
            _ => false,
        }
}

fn may_match(pattern: &str, name: &str) -> bool {
    matches(pattern, name, &mut { EFFORT }).unwrap_or(true)
}

#[cfg(test)]
mod tests;
