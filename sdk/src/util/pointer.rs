//! JSON pointers (RFC 6901).

/// Appends a key to a JSON pointer, escaped as RFC 6901 §3 says.
pub(crate) fn push_key(pointer: &mut String, key: &str) {
    pointer.push('/');
    pointer.push_str(&key.replace('~', "~0").replace('/', "~1"));
}

/// Returns a key of a JSON pointer as it stands in the object.
pub(crate) fn unescaped(key: &str) -> String {
    key.replace("~1", "/").replace("~0", "~")
}
