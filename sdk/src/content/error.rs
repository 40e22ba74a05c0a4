//! The errors of calls.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::exceeded::{ExceededLimit, Limit};
use crate::arguments::InvalidArguments;
use crate::schema::WORK;
use crate::spec::Capability;
use crate::util::error_text::write_causes;

/// The reason why a call gave no result: a kind and a stable code to decide by, a message for the model, and a source
/// for the log.
///
/// The message is what the model reads. The source never reaches the model; it is there for
/// [`Error::source`] and is left out in serialised form.
///
/// ```
/// use toolwright::ToolError;
/// use toolwright::content::ErrorKind;
///
/// let error = ToolError::failed("the index is being rebuilt")
///     .with_code("index_rebuilding")
///     .with_retryable(true);
/// assert_eq!(error.kind(), ErrorKind::Failed);
/// assert_eq!(error.to_string(), "the index is being rebuilt");
/// ```
#[derive(Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ToolError(Box<ErrorData>);

#[derive(Clone, Serialize, Deserialize)]
struct ErrorData {
    kind: ErrorKind,
    code: Cow<'static, str>,
    message: String,
    #[serde(default)]
    retryable: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    fatal: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    arguments: Option<InvalidArguments>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    missing: Vec<Capability>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    exceeded: Option<ExceededLimit>,
    #[serde(skip)]
    source: Option<Arc<dyn Error + Send + Sync>>,
}

/// The kinds of [`ToolError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ErrorKind {
    /// There is no tool of that name.
    NotFound,
    /// The arguments do not fit the tool's schema.
    InvalidArguments,
    /// Policy or a person said no, or nobody was there to say yes.
    Denied,
    /// The tool requires a capability that is not granted.
    CapabilityDenied,
    /// The host's own rules ended the run at this call.
    Blocked,
    /// The call, its turn or its session was cancelled.
    Cancelled,
    /// The tool took longer than its timeout.
    TimedOut,
    /// Something is larger than its limit allows.
    LimitExceeded,
    /// Something that the tool needs is not there now.
    Unavailable,
    /// The tool ran and failed.
    Failed,
    /// The tool panicked.
    Panicked,
    /// The call was cut off, and nobody knows whether it had its effect. A person settles it.
    Indeterminate,
    /// A fault of the host or of toolwright itself.
    Internal,
}

impl ErrorKind {
    /// The name in serialised form, which is also the code of an error that sets none:
    /// `not_found`, `invalid_arguments`, `denied` ..
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotFound => "not_found",
            Self::InvalidArguments => "invalid_arguments",
            Self::Denied => "denied",
            Self::CapabilityDenied => "capability_denied",
            Self::Blocked => "blocked",
            Self::Cancelled => "cancelled",
            Self::TimedOut => "timed_out",
            Self::LimitExceeded => "limit_exceeded",
            Self::Unavailable => "unavailable",
            Self::Failed => "failed",
            Self::Panicked => "panicked",
            Self::Indeterminate => "indeterminate",
            Self::Internal => "internal",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Internal => f.write_str("internal error"),
            other => f.write_str(&other.as_str().replace('_', " ")),
        }
    }
}

impl ToolError {
    /// An error of a kind, with the message that the model reads.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self(Box::new(ErrorData {
            kind,
            code: Cow::Borrowed(kind.as_str()),
            message: message.into(),
            retryable: false,
            fatal: false,
            arguments: None,
            missing: Vec::new(),
            exceeded: None,
            source: None,
        }))
    }

    /// The tool ran and failed.
    pub fn failed(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Failed, message)
    }

    /// Policy or a person said no; the message is the reason.
    pub fn denied(reason: impl Into<String>) -> Self {
        Self::new(ErrorKind::Denied, reason)
    }

    /// Something that the tool looked for is not there.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::NotFound, message)
    }

    /// There is no tool of a name, which is shown; another is near it.
    #[cold]
    pub(crate) fn unknown_tool(name: &str, near: Option<&str>) -> Self {
        let message = match near {
            Some(near) => format!("there is no tool `{name}`; did you mean `{near}`?"),
            None => format!("there is no tool `{name}`"),
        };
        Self::not_found(message).with_code("unknown_tool")
    }

    /// Something that the tool needs is not there now.
    pub fn unavailable(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Unavailable, message)
    }

    /// A fault of the host.
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Internal, message)
    }

    /// The tool failed because of another error: the model reads its top message, the log its
    /// whole chain.
    pub fn from_source(source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        let source = source.into();
        Self::failed(source.to_string()).with_boxed_source(source)
    }

    /// Sets a stable code for programs to decide by. Default: the kind's
    /// [`as_str`](ErrorKind::as_str).
    pub fn with_code(mut self, code: impl Into<Cow<'static, str>>) -> Self {
        self.0.code = code.into();
        self
    }

    /// Sets the cause, for the log.
    pub fn with_source(self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.with_boxed_source(source.into())
    }

    fn with_boxed_source(mut self, source: Box<dyn Error + Send + Sync>) -> Self {
        self.0.source = Some(Arc::from(source));
        self
    }

    /// Says whether the same call may succeed later. Default: no.
    pub fn with_retryable(mut self, retryable: bool) -> Self {
        self.0.retryable = retryable;
        self
    }

    /// Makes the error end the host's run: its outcome is
    /// [`ToolOutcome::Failed`](crate::ToolOutcome::Failed). Default: it does not, and is a result for the
    /// model to read.
    pub fn into_fatal(mut self) -> Self {
        self.0.fatal = true;
        self
    }

    /// The kind.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The stable code.
    pub fn code(&self) -> &str {
        &self.0.code
    }

    /// The message for the model.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Returns true if the same call may succeed later.
    pub fn is_retryable(&self) -> bool {
        self.0.retryable
    }

    /// Returns true if the error ends the host's run.
    pub fn is_fatal(&self) -> bool {
        self.0.fatal
    }

    /// The problems, where the arguments were at fault: each with its place, its kind, what was
    /// expected and found and what was probably meant. The message is their text.
    pub fn invalid_arguments(&self) -> Option<&InvalidArguments> {
        self.0.arguments.as_ref()
    }

    /// The capabilities that the tool requires and that were not granted, where that is why its call was
    /// denied: all of them.
    pub fn missing_capabilities(&self) -> &[Capability] {
        &self.0.missing
    }

    /// The limit of the host's that the call exceeds, where that is why it did not run.
    pub fn exceeded_limit(&self) -> Option<ExceededLimit> {
        self.0.exceeded
    }

    pub(crate) fn with_missing_capabilities(mut self, missing: Vec<Capability>) -> Self {
        self.0.missing = missing;
        self
    }

    pub(crate) fn with_exceeded_limit(mut self, exceeded: ExceededLimit) -> Self {
        self.0.exceeded = Some(exceeded);
        self
    }

    pub(crate) fn with_message(mut self, message: String) -> Self {
        self.0.message = message;
        self
    }

    pub(crate) fn with_note(mut self, note: &str) -> Self {
        self.0.message.push_str(note);
        self
    }
}

/// The kind is [`ErrorKind::InvalidArguments`], or [`ErrorKind::LimitExceeded`] where one of the problems
/// is a [limit](crate::arguments::ProblemKind::Limit).
impl From<InvalidArguments> for ToolError {
    fn from(arguments: InvalidArguments) -> Self {
        let text = arguments.text();
        let mut error = if arguments.exceeds_limit() {
            let exceeded = ExceededLimit::new(Limit::CheckSteps, WORK, None);
            Self::new(ErrorKind::LimitExceeded, text).with_exceeded_limit(exceeded)
        } else {
            Self::new(ErrorKind::InvalidArguments, text)
        };
        error.0.arguments = Some(arguments);
        error
    }
}

/// The message alone: what the model reads.
impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

/// The message with the kind and the code, by which programs decide, and the causes: for the log.
impl fmt::Debug for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ErrorData {
            kind,
            message,
            code,
            ..
        } = &*self.0;
        write!(f, "{message} [{kind:?}: {code}]")?;
        write_causes(self, message.clone(), f)
    }
}

/// By all but the source.
impl PartialEq for ToolError {
    fn eq(&self, other: &Self) -> bool {
        let key = |e: &Self| (e.0.kind, e.0.retryable, e.0.fatal);
        key(self) == key(other)
            && self.0.code == other.0.code
            && self.0.message == other.0.message
            && self.0.arguments == other.0.arguments
            && self.0.missing == other.0.missing
            && self.0.exceeded == other.0.exceeded
    }
}

impl Error for ToolError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0
            .source
            .as_deref()
            .map(|source| source as &(dyn Error + 'static))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_source_is_for_the_log_only() {
        let error = ToolError::from_source(std::io::Error::other("disk on fire"));
        assert_eq!(error.message(), "disk on fire");
        assert!(error.source().is_some());
        let text = serde_json::to_string(&error).unwrap();
        assert_eq!(
            text,
            r#"{"kind":"failed","code":"failed","message":"disk on fire","retryable":false}"#
        );
        let back: ToolError = serde_json::from_str(&text).unwrap();
        assert_eq!(back, error);
        assert!(back.source().is_none());
    }
}
