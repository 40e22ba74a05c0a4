//! JSON pointers (RFC 6901).

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

/// Returns a key of a JSON pointer as it stands in the object.
pub(crate) fn unescaped(key: &str) -> String {
    key.replace("~1", "/").replace("~0", "~")
}
