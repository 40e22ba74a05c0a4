//! JSON pointers (RFC 6901).

/// Appends a key to a JSON pointer, escaped as RFC 6901 §3 says.
pub(crate) fn push_key(pointer: &mut String, key: &str) {
    pointer.push('/');
    pointer.push_str(&key.replace('~', "~0").replace('/', "~1"));
}
