//! Two schemas that hold at once, as one.

use serde_json::{Value, json};

use super::number::{common_multiple, tighter};
use super::value::spell_const;
use crate::schema::walk::{Node, is_annotation, is_never, never};

/// No value can satisfy both schemas.
pub(super) struct Unsatisfiable;

/// The schema of what satisfies both `first` and `second`; the words of `first` win.
///
/// Two object schemas are taken for parts of one object: it has the properties of both even if
/// one of them is closed. What has no common spelling is put into `allOf`.
pub(super) fn both(mut first: Node, mut second: Node) -> Result<Node, Unsatisfiable> {
    spell_const(&mut first);
    spell_const(&mut second);
    let mut apart = Node::new();
    for (keyword, value) in second {
        match first.get_mut(&keyword) {
            None => {
                first.insert(keyword, value);
            }
            Some(before) if *before == value => {}
            Some(before) => {
                if let Some(value) = join(&keyword, before, value)? {
                    apart.insert(keyword, value);
                }
            }
        }
    }
    if !apart.is_empty()
        && let Value::Array(list) = first.entry("allOf").or_insert_with(|| json!([]))
    {
        list.push(Value::Object(apart));
    }
    if lacks_a_required(&first) {
        return Err(Unsatisfiable);
    }
    Ok(first)
}

/// [`both`], or the schema that nothing satisfies.
pub(super) fn both_or_never(first: Node, second: Node) -> Node {
    both(first, second).unwrap_or_else(|Unsatisfiable| never())
}

/// Makes `before` say what both say, and returns what it cannot.
fn join(keyword: &str, before: &mut Value, value: Value) -> Result<Option<Value>, Unsatisfiable> {
    match (keyword, &mut *before, value) {
        (keyword, _, _) if is_annotation(keyword) => {}
        ("type", before, value) => *before = common_type(before, &value)?,
        ("enum", Value::Array(before), Value::Array(list)) => {
            before.retain(|one| list.contains(one));
            if before.is_empty() {
                return Err(Unsatisfiable);
            }
        }
        ("required" | "allOf", Value::Array(before), Value::Array(list)) => {
            for one in list {
                if !before.contains(&one) {
                    before.push(one);
                }
            }
        }
        ("properties" | "patternProperties", Value::Object(before), Value::Object(map)) => {
            for (name, schema) in map {
                match before.get_mut(&name) {
                    Some(old) => *old = both_inner(old.take(), schema),
                    None => {
                        before.insert(name, schema);
                    }
                }
            }
        }
        (
            "additionalProperties" | "unevaluatedProperties" | "items" | "propertyNames",
            _,
            value,
        ) => {
            *before = both_inner(before.take(), value);
        }
        (
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "minLength"
            | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties",
            _,
            value,
        ) => *before = tighter(keyword, before, &value),
        ("multipleOf", _, value) => match common_multiple(before, &value) {
            Some(both) => *before = both,
            None => return Ok(Some(value)),
        },
        ("uniqueItems", _, value) => *before = json!(*before == true || value == true),
        (_, _, value) => return Ok(Some(value)),
    }
    Ok(None)
}

fn both_inner(first: Value, second: Value) -> Value {
    match (first, second) {
        (Value::Bool(false), _) | (_, Value::Bool(false)) => Value::Bool(false),
        (Value::Object(first), Value::Object(second)) => {
            both(first, second).map_or(Value::Bool(false), Value::Object)
        }
        (Value::Object(only), _) | (_, Value::Object(only)) => Value::Object(only),
        _ => Value::Bool(true),
    }
}

fn lacks_a_required(node: &Node) -> bool {
    let (Some(Value::Object(properties)), Some(Value::Array(required))) =
        (node.get("properties"), node.get("required"))
    else {
        return false;
    };
    required
        .iter()
        .filter_map(|name| properties.get(name.as_str()?))
        .any(is_never)
}

fn common_type(first: &Value, second: &Value) -> Result<Value, Unsatisfiable> {
    let (first, second) = (types(first), types(second));
    let common: Vec<&str> = first
        .iter()
        .filter_map(|one| match *one {
            one if second.contains(&one) => Some(one),
            "integer" if second.contains(&"number") => Some("integer"),
            "number" if second.contains(&"integer") => Some("integer"),
            _ => None,
        })
        .collect();
    match common[..] {
        [] => Err(Unsatisfiable),
        [only] => Ok(json!(only)),
        _ => Ok(json!(common)),
    }
}

fn types(value: &Value) -> Vec<&str> {
    match value {
        Value::String(only) => vec![only],
        Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}
