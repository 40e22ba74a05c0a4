//! JSON pointers (RFC 6901), here called places.

use serde_json::Value;

/// Appends a key to a JSON pointer, escaped as RFC 6901 §3 says.
pub(crate) fn push_key(pointer: &mut String, key: &str) {
    pointer.reserve(1 + key.len());
    pointer.push('/');
    // Nearly every key stands for itself, which its bytes tell sooner than its characters.
    if !key.bytes().any(|byte| matches!(byte, b'~' | b'/')) {
        pointer.push_str(key);
        return;
    }
    for part in key.split_inclusive(['~', '/']) {
        match part.as_bytes() {
            [.., b'~'] => pointer.extend([part, "0"]),
            [.., b'/'] => pointer.extend([&part[..part.len() - 1], "~1"]),
            _ => pointer.push_str(part),
        }
    }
}

/// Returns the place of a name in an object.
pub(crate) fn below(place: &str, name: &str) -> String {
    let mut below = String::with_capacity(place.len() + 1 + name.len());
    below.push_str(place);
    push_key(&mut below, name);
    below
}

/// Returns true if a place is another or within it.
pub(crate) fn is_within(place: &str, other: &str) -> bool {
    let rest = place.strip_prefix(other);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns true if one place is the other, or in it.
pub(crate) fn overlap(one: &str, other: &str) -> bool {
    is_within(one, other) || is_within(other, one)
}

/// Returns the value at a place of a tree, as [`Value::pointer`] does. That makes each key anew, which few need.
pub(crate) fn value_at<'t>(tree: &'t Value, place: &str) -> Option<&'t Value> {
    let (mut value, mut left) = (tree, place);
    while let (Value::Object(members), Some(keys)) = (value, left.strip_prefix('/')) {
        let (key, after) = keys.split_at(keys.find('/').unwrap_or(keys.len()));
        if key.contains('~') {
            break;
        }
        (value, left) = (members.get(key)?, after);
    }
    value.pointer(left)
}

/// Returns a key of a JSON pointer as it stands in the object.
pub(crate) fn unescaped(key: &str) -> String {
    if !key.contains('~') {
        return key.to_owned();
    }
    key.replace("~1", "/").replace("~0", "~")
}
