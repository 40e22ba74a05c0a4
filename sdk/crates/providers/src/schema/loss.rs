//! The parts of a tool's own schema that a form of it lacks.

use std::fmt;

/// A keyword of the tool's own schema that the form for an API does not have.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Loss {
    pointer: String,
    keyword: String,
    described: bool,
}

impl Loss {
    pub(super) fn new(pointer: String, keyword: &str, described: bool) -> Self {
        Self {
            pointer,
            keyword: keyword.to_owned(),
            described,
        }
    }

    /// The JSON Pointer to the schema that has the keyword, within the tool's own schema. That of the root is empty.
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// The keyword: `minimum`, `default` ..
    pub fn keyword(&self) -> &str {
        &self.keyword
    }

    /// Returns true if the description of the schema says it instead.
    pub fn is_described(&self) -> bool {
        self.described
    }
}

/// A line for people: `` `/properties/count`: `minimum` is in the description ``.
impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = place(&self.pointer);
        let fate = if self.described {
            "is in the description"
        } else {
            "is left out"
        };
        write!(f, "{place}: `{}` {fate}", self.keyword)
    }
}

/// A schema has no form that an API takes.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {reason}", place(pointer))]
#[non_exhaustive]
pub struct Unrepresentable {
    pointer: String,
    reason: String,
}

toolwright::text::debug_as_text!(Unrepresentable);

impl Unrepresentable {
    pub(super) fn new(pointer: impl Into<String>, reason: impl Into<String>) -> Self {
        Self {
            pointer: pointer.into(),
            reason: reason.into(),
        }
    }

    /// The JSON Pointer to the part that has no form, within the tool's own schema. That of the root is empty.
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// The reason, a clause without a full stop.
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

/// The name of a schema for people.
fn place(pointer: &str) -> String {
    if pointer.is_empty() {
        "the root".to_owned()
    } else {
        format!("`{pointer}`")
    }
}
