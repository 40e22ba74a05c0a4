//! The requests of a call for permission.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::preview::{PreviewSource, RequestPreview};
use crate::content::ToolError;
use crate::ticket::{PendingRequest, TrustOption};
use crate::util::character::into_one_line;

/// A thing that a call asks to be allowed, as data that policies judge and people read.
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
///
/// Two requests are equal if they say the same, whatever they show; whether they ask for the same is
/// told by [`is_same_as`](Self::is_same_as).
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PermissionRequest {
    kind: Cow<'static, str>,
    target: String,
    summary: String,
    #[serde(default)]
    containment: PathScope,
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    details: Map<String, Value>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) trust: Vec<TrustOption>,
    #[serde(default, skip_serializing_if = "PreviewSource::is_unwritten")]
    pub(super) preview: Option<PreviewSource>,
}

/// True if the target of a request lies within what the tool is confined to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum PathScope {
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
    /// Characters that could forge that line are escaped in it: control characters, such as a new line or
    /// an escape, and those that turn the direction of text. It is cut at 400 characters.
    pub fn new(
        kind: impl Into<Cow<'static, str>>,
        target: impl Into<String>,
        summary: impl Into<String>,
    ) -> Self {
        Self {
            kind: kind.into(),
            target: target.into(),
            summary: into_one_line(summary.into(), SUMMARY),
            containment: PathScope::Unconfined,
            details: Map::new(),
            trust: Vec::new(),
            preview: None,
        }
    }

    /// Sets the line for the person who is asked, where a request that was made by another, such as
    /// [`FileAccess`](crate::FileAccess), says less than the tool knows.
    ///
    /// ```
    /// use toolwright::{FileAccess, PermissionRequest, ToolError};
    /// use toolwright::permission::IntoRequests;
    ///
    /// fn requests(path: &str) -> Result<Vec<PermissionRequest>, ToolError> {
    ///     let requests = FileAccess::write(path).within(".").into_requests()?;
    ///     let say = |request: PermissionRequest| request.with_summary(format!("Remove `{path}`"));
    ///     Ok(requests.into_iter().map(say).collect())
    /// }
    ///
    /// let requests = requests("old.log")?;
    /// assert_eq!(requests[0].summary(), "Remove `old.log`");
    /// # Ok::<(), ToolError>(())
    /// ```
    pub fn with_summary(mut self, summary: impl Into<String>) -> Self {
        self.summary = into_one_line(summary.into(), SUMMARY);
        self
    }

    /// Says whether the target lies within what the tool is confined to.
    pub fn with_containment(mut self, containment: PathScope) -> Self {
        self.containment = containment;
        self
    }

    /// Adds a detail for rules and people.
    pub fn with_detail(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.details.insert(key.into(), value.into());
        self
    }

    /// Shows something to the person who is asked. It is not judged.
    pub fn with_preview(mut self, preview: RequestPreview) -> Self {
        self.preview = Some(PreviewSource::Ready(Box::new(preview)));
        self
    }

    /// Shows something to the person who is asked, made only when somebody is: a call that is allowed
    /// makes no diff. It may read files, and holds the call up for as long as it takes. One that
    /// panics shows that it did.
    ///
    /// In `permission = EXPR` arguments are there by reference, so the closure takes copies.
    ///
    /// ```
    /// use toolwright::{FileAccess, tool};
    /// use toolwright::permission::RequestPreview;
    ///
    /// /// Replace the text of a file.
    /// #[tool(permission = FileAccess::write(path).with_preview_by({
    ///     let text = text.clone();
    ///     move || RequestPreview::plain(text.as_str())
    /// }))]
    /// async fn write_file(path: String, text: String) -> Result<(), std::io::Error> {
    ///     std::fs::write(path, text)
    /// }
    /// ```
    pub fn with_preview_by(
        mut self,
        make: impl Fn() -> RequestPreview + Send + Sync + 'static,
    ) -> Self {
        self.preview = Some(PreviewSource::Later(Arc::new(make)));
        self
    }

    /// Offers to decide once for more than this call, before what is offered for any request of its
    /// kind. The narrowest comes first.
    ///
    /// ```
    /// use toolwright::PermissionRequest;
    /// use toolwright::ticket::{GrantScope, TrustOption};
    ///
    /// let request = PermissionRequest::new("deploy", "staging", "Deploy to staging")
    ///     .with_trust_option(TrustOption::new(
    ///         "every deploy to staging",
    ///         GrantScope::target("deploy", "staging"),
    ///     ));
    /// # drop(request);
    /// ```
    pub fn with_trust_option(mut self, option: TrustOption) -> Self {
        self.trust.push(option);
        self
    }

    /// The kind.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// Returns the subject of the request, such as a path or a host.
    pub fn target(&self) -> &str {
        &self.target
    }

    /// Returns a line for the person who is asked.
    pub fn summary(&self) -> &str {
        &self.summary
    }

    /// Returns the relation of the target to the root that the tool is confined to.
    pub fn containment(&self) -> PathScope {
        self.containment
    }

    /// Details for rules and people.
    pub fn details(&self) -> &Map<String, Value> {
        &self.details
    }

    /// Returns the preview for the person who is asked; made now, if it is made only when it is needed.
    pub fn preview(&self) -> Option<RequestPreview> {
        self.preview.as_ref().map(PreviewSource::get)
    }

    /// Returns the options of the tool itself to decide once for more than this call.
    pub fn trust_options(&self) -> &[TrustOption] {
        &self.trust
    }

    /// Returns true if both ask for the same: kind, target, containment and details are equal. What is
    /// shown and offered does not count.
    pub fn is_same_as(&self, other: &Self) -> bool {
        self.kind == other.kind
            && self.target == other.target
            && self.containment == other.containment
            && self.details == other.details
    }

    /// The request that an approval is about, from a ticket of the kind
    /// [`Approval`](crate::ticket::WaitKind::Approval).
    pub fn from_pending(pending: &PendingRequest) -> Option<Self> {
        Self::deserialize(pending.subject()).ok()
    }

    /// Returns the request to a person: with its preview made, the reason, and the options.
    pub(crate) fn into_pending(mut self, why: &str, trust: Vec<TrustOption>) -> PendingRequest {
        self.preview = self.preview.as_ref().map(PreviewSource::made);
        // They stand beside the subject.
        self.trust.clear();
        // A request that cannot be written becomes `null`, which equals no approved request.
        let subject = serde_json::to_value(&self).unwrap_or_default();
        PendingRequest::new(self.summary, subject)
            .with_why(why)
            .with_trust(trust)
    }
}

/// By what they say; what they show does not count.
impl PartialEq for PermissionRequest {
    fn eq(&self, other: &Self) -> bool {
        self.is_same_as(other) && self.summary == other.summary && self.trust == other.trust
    }
}

/// The kind of a request to use a tool whose definition has changed since it was approved, such as one of a server. Its
/// target names the tool and the definition. A grant for calls of the tool does not cover it, for whoever gave it did so
/// by the definition before; a grant for just this request does.
pub const TOOL_CHANGED: &str = "tool.changed";

/// The most characters of a summary.
pub(super) const SUMMARY: usize = 400;
crate::util::documented::documented_default!("summary of a request", with(SUMMARY, "characters"));

/// The values that `permission = EXPR` may have: a request, several, none, or an error in making them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a permission request",
    label = "`permission` takes a `PermissionRequest`, a `FileAccess`, or an `Option`, `Vec`, array or `Result` of them"
)]
pub trait IntoRequests {
    /// The requests.
    ///
    /// # Errors
    ///
    /// Fails if they cannot be made; the call then ends with that error.
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
