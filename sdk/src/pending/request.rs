//! What is asked of whoever answers.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::GrantMatcher;

/// What a call waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum WaitKind {
    /// That somebody allows it.
    Approval,
    /// That somebody signs in somewhere.
    SignIn,
    /// That somebody answers a question.
    Question,
    /// That a result comes from elsewhere, such as a job that runs for days.
    ExternalResult,
}

/// How a call goes on once everything that it waits for is answered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ResumeMode {
    /// It runs; a body that had begun begins again, and finds the answer there.
    #[default]
    RunAgain,
    /// The answer becomes the result, and the tool does not run.
    AnswerIsResult,
    /// The answer becomes the arguments, and the call starts again at the parsing of them.
    AnswerIsArguments,
}

/// One thing that a call waits for.
///
/// What it is about is data of whoever asked: of an approval the
/// [`PermissionRequest`](crate::PermissionRequest), of a question the
/// [`Question`](crate::Question).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PendingRequest {
    summary: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    subject: Value,
    /// What a person may choose to decide for more than this call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    trust: Vec<TrustOption>,
}

impl PendingRequest {
    /// Something that is waited for: one line for people, and what it is about.
    pub(crate) fn new(summary: impl Into<String>, subject: Value) -> Self {
        Self {
            summary: summary.into(),
            why: None,
            subject,
            trust: Vec::new(),
        }
    }

    /// Says why somebody is asked.
    pub(crate) fn with_why(mut self, why: impl Into<String>) -> Self {
        self.why = Some(why.into());
        self
    }

    /// Offers what may be decided for more than this call.
    pub(crate) fn with_trust(mut self, trust: Vec<TrustOption>) -> Self {
        self.trust = trust;
        self
    }

    /// One line for the person who is asked.
    pub fn summary(&self) -> &str {
        &self.summary
    }

    /// Why somebody is asked.
    pub fn why(&self) -> Option<&str> {
        self.why.as_deref()
    }

    /// What it is about, as data.
    pub fn subject(&self) -> &Value {
        &self.subject
    }

    /// What `always` and `never` may be said of, from the narrowest to the widest.
    pub fn trust_options(&self) -> &[TrustOption] {
        &self.trust
    }
}

/// Something that a person may decide once for all: a label to choose it by, and what it covers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrustOption {
    label: String,
    covers: GrantMatcher,
}

impl TrustOption {
    /// An option: what a person reads, and what it covers.
    pub fn new(label: impl Into<String>, covers: GrantMatcher) -> Self {
        Self {
            label: label.into(),
            covers,
        }
    }

    /// What a person reads: `files below src`.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// What it covers.
    pub fn covers(&self) -> &GrantMatcher {
        &self.covers
    }
}
