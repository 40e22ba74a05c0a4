//! Unions: one keyword for them, as few branches as say the same, unit variants in one `enum`.

use serde_json::{Value, json};

use super::merge::{both, both_or_never};
use crate::schema::walk::{Node, add_to_description, is_annotation, is_never, is_null, never};

/// Writes `oneOf` as `anyOf`: the branches of an enum tell themselves apart, and more providers
/// read it.
pub(super) fn spell_union(node: &mut Node) {
    let Some(branches) = node.remove("oneOf") else {
        return;
    };
    if !node.contains_key("anyOf") {
        node.insert("anyOf".to_owned(), branches);
    } else if let Value::Array(list) = node.entry("allOf").or_insert_with(|| json!([])) {
        list.push(json!({ "anyOf": branches }));
    }
}

/// Merges the parts of `allOf` as far as they have a common spelling. Says whether it could.
pub(super) fn merge_all_of(node: &mut Node) -> bool {
    if !node.contains_key("allOf") {
        return false;
    }
    let before = node.clone();
    let Some(Value::Array(parts)) = node.remove("allOf") else {
        return true;
    };
    let mut merged = Some(std::mem::take(node));
    for part in parts {
        merged = match (merged, part) {
            (Some(whole), Value::Object(part)) => both(whole, part).ok(),
            (_, Value::Bool(false)) => None,
            (whole, _) => whole,
        };
    }
    *node = merged.unwrap_or_else(never);
    *node != before
}

/// Drops the branches that say nothing, joins nested unions and does away with a union of one.
/// Says whether there is a new schema to look at.
pub(super) fn simplify(node: &mut Node, optional: bool) -> bool {
    let Some(Value::Array(branches)) = node.remove("anyOf") else {
        return false;
    };
    let mut list: Vec<Value> = Vec::with_capacity(branches.len());
    let only_one_with_a_value = branches.iter().filter(|branch| !is_null(branch)).count() == 1;
    let mut joined = false;
    for branch in branches {
        match nested(branch, only_one_with_a_value) {
            Ok((inner, description)) => {
                joined = true;
                list.extend(inner);
                if let Some(text) = description {
                    node.entry("description").or_insert(text);
                }
            }
            Err(branch) => list.push(branch),
        }
    }
    list.retain(|branch| !is_never(branch));
    if optional && !list.iter().all(is_null) {
        list.retain(|branch| !is_null(branch));
    }
    let mut different: Vec<Value> = Vec::with_capacity(list.len());
    for branch in list {
        if !different.contains(&branch) {
            different.push(branch);
        }
    }

    if different.len() > 1 {
        node.insert("anyOf".to_owned(), Value::Array(different));
        return joined;
    }
    *node = match different.pop() {
        None => never(),
        Some(Value::Object(only)) => both_or_never(std::mem::take(node), only),
        Some(_) => std::mem::take(node),
    };
    true
}

/// The branches of a union that stands as a branch of another, and its description if it can
/// speak for both.
fn nested(branch: Value, speaks_for_all: bool) -> Result<(Vec<Value>, Option<Value>), Value> {
    let Value::Object(mut node) = branch else {
        return Err(branch);
    };
    let plain = node
        .iter()
        .all(|(keyword, _)| keyword == "anyOf" || (keyword == "description" && speaks_for_all));
    match node.remove("anyOf") {
        Some(Value::Array(list)) if plain => Ok((list, node.remove("description"))),
        Some(other) => {
            node.insert("anyOf".to_owned(), other);
            Err(Value::Object(node))
        }
        None => Err(Value::Object(node)),
    }
}

/// A branch that allows certain texts, as unit variants do.
struct Texts {
    values: Vec<Value>,
    line: Option<String>,
}

/// The texts that `branch` is about, if that is all it says.
fn texts(branch: &Value) -> Option<Texts> {
    let node = branch.as_object()?;
    let known = |keyword: &String| {
        is_annotation(keyword) || matches!(keyword.as_str(), "type" | "enum" | "const")
    };
    if !node.keys().all(known) || node.get("type").is_some_and(|only| only != "string") {
        return None;
    }
    let values = match (node.get("const"), node.get("enum")) {
        (Some(only), _) => vec![only.clone()],
        (None, Some(Value::Array(list))) => list.clone(),
        _ => return None,
    };
    if values.is_empty() || !values.iter().all(Value::is_string) {
        return None;
    }
    let mut words: Vec<&str> = Vec::new();
    let docs = node.get("description").and_then(Value::as_str);
    words.extend(docs.unwrap_or("").split_whitespace());
    if node.get("deprecated") == Some(&Value::Bool(true)) {
        words.push("(deprecated)");
    }
    let names: Vec<String> = values
        .iter()
        .filter_map(Value::as_str)
        .map(|name| format!("`{name}`"))
        .collect();
    let line = (!words.is_empty()).then(|| format!("{}: {}", names.join(", "), words.join(" ")));
    Some(Texts { values, line })
}

/// The values of a branch that is nothing but texts.
pub(super) fn unit_variants(node: &Node) -> Option<Vec<String>> {
    let texts = texts(&Value::Object(node.clone()))?;
    let names = texts.values.iter().filter_map(Value::as_str);
    Some(names.map(str::to_owned).collect())
}

/// Folds the branches that are texts into one `enum`, their docs into lines of its description.
pub(super) fn fold_texts(node: &mut Node) {
    let Some(Value::Array(branches)) = node.get("anyOf") else {
        return;
    };
    let found: Vec<Option<Texts>> = branches.iter().map(texts).collect();
    let Some(place) = found.iter().position(Option::is_some) else {
        return;
    };
    if found.iter().flatten().count() < 2 {
        return;
    }

    let mut values: Vec<Value> = Vec::new();
    let mut lines = Vec::new();
    for texts in found.iter().flatten() {
        for value in &texts.values {
            if !values.contains(value) {
                values.push(value.clone());
            }
        }
        lines.extend(texts.line.clone());
    }
    let mut others: Vec<Value> = branches
        .iter()
        .zip(&found)
        .filter(|(_, texts)| texts.is_none())
        .map(|(branch, _)| branch.clone())
        .collect();

    let alone = others.is_empty();
    let mut folded = if alone {
        node.remove("anyOf");
        std::mem::take(node)
    } else {
        Node::new()
    };
    folded.insert("type".to_owned(), json!("string"));
    folded.insert("enum".to_owned(), Value::Array(values));
    if !lines.is_empty() {
        add_to_description(&mut folded, &lines.join("\n"));
    }
    if alone {
        *node = folded;
    } else {
        others.insert(place, Value::Object(folded));
        node.insert("anyOf".to_owned(), Value::Array(others));
    }
}
