//! The depth of JSON, as text and as a tree.

use serde_json::Value;

/// The most levels of objects and lists that a reader of JSON text follows.
pub(crate) const DEPTH: usize = 127;

/// Returns the depth of a text, up to its end or the place where it stops being JSON.
pub(crate) fn of_text(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for (_, byte) in outside_of_strings(text) {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// Returns the depth of a tree, 0 for a value that holds no other. A tree deeper than `most` is only found to be
/// deeper.
pub(crate) fn of_tree(tree: &Value, most: usize) -> usize {
    match tree {
        Value::Array(items) => around(items.iter(), most),
        Value::Object(members) => around(members.values(), most),
        _ => 0,
    }
}

/// Returns the depth of a value that holds these values. It looks no deeper than asked: a tree that the app made may
/// be deeper than the stack.
fn around<'v>(values: impl Iterator<Item = &'v Value>, most: usize) -> usize {
    let Some(most) = most.min(DEPTH + 1).checked_sub(1) else {
        return 1;
    };
    let inside = values
        .filter(|value| value.is_array() || value.is_object())
        .map(|value| of_tree(value, most))
        .max();
    1 + inside.unwrap_or(0)
}

/// Drops a tree that may be deeper than the stack. Its first levels are dropped as they are met, which is all of
/// nearly every tree.
pub(crate) fn drop_tree(tree: Value, levels: usize) {
    let Some(below) = levels.checked_sub(1) else {
        return take_apart(tree);
    };
    let drop_value = |value: Value| {
        if value.is_array() || value.is_object() {
            drop_tree(value, below);
        }
    };
    match tree {
        Value::Array(items) => items.into_iter().for_each(drop_value),
        Value::Object(members) => members.into_iter().for_each(|(_, value)| drop_value(value)),
        _ => {}
    }
}

#[cold]
fn take_apart(tree: Value) {
    let mut left = vec![tree];
    while let Some(tree) = left.pop() {
        match tree {
            Value::Array(items) => left.extend(items),
            Value::Object(members) => left.extend(members.into_iter().map(|(_, value)| value)),
            _ => {}
        }
    }
}

/// The bytes of a text that stand in no JSON string, with their places. The quote that ends a
/// string is not among them.
pub(crate) fn outside_of_strings(text: &str) -> impl Iterator<Item = (usize, u8)> {
    let (mut inside, mut escaped) = (false, false);
    text.bytes().enumerate().filter(move |(_, byte)| {
        let was_inside = inside;
        match byte {
            _ if escaped => escaped = false,
            b'\\' if inside => escaped = true,
            b'"' => inside = !inside,
            _ => {}
        }
        !was_inside
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn text_and_tree_nest_alike() {
        for (tree, depth) in [
            (json!(5), 0),
            (json!("[[{"), 0),
            (json!([]), 1),
            (json!({"a\"]}": "[\\\""}), 1),
            (json!([{}, [[1]], {"[": {}}]), 3),
        ] {
            assert_eq!(of_tree(&tree, DEPTH), depth, "{tree}");
            assert_eq!(of_text(&tree.to_string()), depth, "{tree}");
        }
    }

    #[test]
    fn a_tree_is_looked_at_no_further_than_asked() {
        let mut tree = Value::Null;
        for _ in 0..5_000 {
            tree = Value::Array(vec![tree]);
        }
        assert_eq!(of_tree(&tree, 64), 65);
    }
}
