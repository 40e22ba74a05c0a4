//! JSON pointers (RFC 6901), here called places.

/// Appends a key to a JSON pointer, escaped as RFC 6901 §3 says.
pub(crate) fn push_key(pointer: &mut String, key: &str) {
    pointer.push('/');
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
    let mut below = place.to_owned();
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

/// Returns a key of a JSON pointer as it stands in the object.
pub(crate) fn unescaped(key: &str) -> String {
    key.replace("~1", "/").replace("~0", "~")
}
