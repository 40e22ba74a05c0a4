//! What a call asks to be allowed.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::character::one_line;
use crate::message::ToolError;

/// One thing that a call asks to be allowed, as data that policies judge and people read.
///
/// Kinds are open: `file.read` and `file.write` come from [`FileAccess`](super::FileAccess),
/// `command.run` from [`CommandAccess`](super::CommandAccess), and a host may have any of its own.
///
/// ```
/// use toolwright::PermissionRequest;
///
/// let request = PermissionRequest::new("deploy", "production", "Deploy to production")
///     .with_detail("version", "1.4.2");
/// assert_eq!(request.kind(), "deploy");
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PermissionRequest {
    kind: Cow<'static, str>,
    target: String,
    summary: String,
    #[serde(default)]
    containment: Containment,
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    details: Map<String, Value>,
}

/// Whether the target of a request lies within what the tool is confined to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Containment {
    /// The tool names nothing that it is confined to.
    #[default]
    Unconfined,
    /// The target lies within it.
    Inside,
    /// The target lies outside of it.
    Outside,
}

impl PermissionRequest {
    /// A request: its kind in dotted lower case, what it is about in a form that rules can match,
    /// and one line for the person who is asked.
    ///
    /// What could forge that line is written out in it: control characters, such as a new line or
    /// an escape, and those that turn the direction of text. It is cut at 400 characters.
    pub fn new(
        kind: impl Into<Cow<'static, str>>,
        target: impl Into<String>,
        summary: impl Into<String>,
    ) -> Self {
        Self {
            kind: kind.into(),
            target: target.into(),
            summary: one_line(&summary.into(), SUMMARY),
            containment: Containment::Unconfined,
            details: Map::new(),
        }
    }

    /// Says whether the target lies within what the tool is confined to.
    pub fn with_containment(mut self, containment: Containment) -> Self {
        self.containment = containment;
        self
    }

    /// Adds a detail for rules and people.
    pub fn with_detail(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.details.insert(key.into(), value.into());
        self
    }

    /// The kind.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// What the request is about.
    pub fn target(&self) -> &str {
        &self.target
    }

    /// One line for the person who is asked.
    pub fn summary(&self) -> &str {
        &self.summary
    }

    /// Whether the target lies within what the tool is confined to.
    pub fn containment(&self) -> Containment {
        self.containment
    }

    /// Details for rules and people.
    pub fn details(&self) -> &Map<String, Value> {
        &self.details
    }
}

/// The most characters of a summary.
pub(super) const SUMMARY: usize = 400;

/// What `permission = EXPR` may be: one request, some, none, or an error in working them out.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a permission request",
    label = "`permission` takes a `PermissionRequest`, a `FileAccess`, or an `Option`, `Vec`, array or `Result` of them"
)]
pub trait IntoRequests {
    /// The requests.
    ///
    /// # Errors
    ///
    /// When they cannot be worked out; the call then ends with that error.
    fn into_requests(self) -> Result<Vec<PermissionRequest>, ToolError>;
}

#[diagnostic::do_not_recommend]
impl IntoRequests for PermissionRequest {
    fn into_requests(self) -> Result<Vec<PermissionRequest>, ToolError> {
        Ok(vec![self])
    }
}

#[diagnostic::do_not_recommend]
impl<T: IntoRequests> IntoRequests for Option<T> {
    fn into_requests(self) -> Result<Vec<PermissionRequest>, ToolError> {
        self.map_or_else(|| Ok(Vec::new()), T::into_requests)
    }
}

#[diagnostic::do_not_recommend]
impl<T: IntoRequests> IntoRequests for Vec<T> {
    fn into_requests(self) -> Result<Vec<PermissionRequest>, ToolError> {
        all(self)
    }
}

#[diagnostic::do_not_recommend]
impl<T: IntoRequests, const N: usize> IntoRequests for [T; N] {
    fn into_requests(self) -> Result<Vec<PermissionRequest>, ToolError> {
        all(self)
    }
}

#[diagnostic::do_not_recommend]
impl<T: IntoRequests, E: Into<ToolError>> IntoRequests for Result<T, E> {
    fn into_requests(self) -> Result<Vec<PermissionRequest>, ToolError> {
        self.map_err(E::into)?.into_requests()
    }
}

fn all<T: IntoRequests>(
    parts: impl IntoIterator<Item = T>,
) -> Result<Vec<PermissionRequest>, ToolError> {
    let mut requests = Vec::new();
    for part in parts {
        requests.append(&mut part.into_requests()?);
    }
    Ok(requests)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_cannot_be_forged() {
        let request = PermissionRequest::new("k", "t", "Write `a`\nRead `b`\u{1b}[2K\u{202e}x");
        assert_eq!(
            request.summary(),
            r"Write `a`\u{a}Read `b`\u{1b}[2K\u{202e}x"
        );
        let request = PermissionRequest::new("k", "t", "é".repeat(1_000));
        assert_eq!(request.summary().chars().count(), SUMMARY + 1);
    }
}
