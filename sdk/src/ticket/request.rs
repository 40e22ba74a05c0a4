//! The requests to the people who answer.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::GrantScope;

/// The kind of event that a call waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum WaitKind {
    /// An approval by somebody.
    Approval,
    /// A sign-in by somebody.
    SignIn,
    /// An answer to a question.
    Question,
    /// A result from elsewhere, such as a job that runs for days.
    ExternalResult,
}

/// The way in which a call goes on once everything that it waits for is answered.
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

/// A request that a call waits for.
///
/// Its subject is data of the code that asks: for an approval the [`PermissionRequest`](crate::PermissionRequest), for
/// a question the [`Question`](crate::question::Question).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PendingRequest {
    summary: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    subject: Value,
    /// The options that a person may choose to decide for more than this call.
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

    /// A line for the person who is asked.
    pub fn summary(&self) -> &str {
        &self.summary
    }

    /// The reason why somebody is asked.
    pub fn why(&self) -> Option<&str> {
        self.why.as_deref()
    }

    /// The subject, as data.
    pub fn subject(&self) -> &Value {
        &self.subject
    }

    /// The options that `always` and `never` may name, from the narrowest to the widest; [`TrustOption`] describes
    /// which are offered. If empty, it takes yes or no.
    pub fn trust_options(&self) -> &[TrustOption] {
        &self.trust
    }
}

/// Something that a person may decide once for all: a label to choose it by, and what it covers.
///
/// Each request of a ticket [offers some](PendingRequest::trust_options), from the narrowest to the
/// widest; a host shows the labels, and says [`Answer::always`](super::Answer::always) or
/// [`never`](super::Answer::never) with what the chosen one covers. That holds until the session ends.
///
/// | of | is offered |
/// |---|---|
/// | a file | the file where it really lies; its directory, and those above it up to the root that the tool is confined to |
/// | a command | just this command, started here; of some programs every command that begins so, started below the root or the directory |
/// | a connection | the host at this port, the host at any port |
/// | a request of the app's own kind | just this; whatever its details; the tool with these arguments; every call of the tool |
/// | a call without requests of its own | the tool with these arguments; every call of the tool |
///
/// First come those that [the tool offers](crate::PermissionRequest::with_trust_option). What is
/// offered is safe to choose by its label. So some is never offered:
///
/// - The top of the file system, the home directory and what it lies in, hidden directories (in
///   `.git/hooks` lies what runs later), and whatever leads outside of the tool's root.
/// - The beginning of a command whose other words can run more, or take away what is nowhere else:
///   `git log` and `cargo test` are offered, a bare `git` is not, for `git -c alias.x='!..' x` runs
///   anything. It goes by a list of programs that are known: what is not on it is offered as just this
///   command, and so is every command beside a [checker](crate::permission::PermissionChecker::grant_covers) that reads
///   none.
/// - Every call of a tool that asks for files, commands or hosts.
/// - Every request of a kind whatever its target ([`GrantScope::kind`]): the kind is a word of the app's,
///   and other tools may ask for the same.
///
/// A host grants these in code, where it wants to: [`PermissionRegistry::grant`](crate::permission::PermissionRegistry::grant).
///
/// ```
/// use toolwright::ticket::{Answer, Ticket};
///
/// /// Always, of the option that the person has chosen.
/// fn always(ticket: &Ticket, request: usize, chosen: usize) -> Option<Answer> {
///     let option = ticket.requests().get(request)?.trust_options().get(chosen)?;
///     println!("always: {}", option.label());
///     Some(Answer::always(option.covers().clone()))
/// }
/// # drop(always);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrustOption {
    label: String,
    covers: GrantScope,
}

impl TrustOption {
    /// An option: what a person reads, and what it covers.
    pub fn new(label: impl Into<String>, covers: GrantScope) -> Self {
        Self {
            label: label.into(),
            covers,
        }
    }

    /// The text for a person: `write anything below /srv/app/src`.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The scope.
    pub fn covers(&self) -> &GrantScope {
        &self.covers
    }
}

/// The requests that a call waits for: at least one.
#[derive(Debug, Clone)]
pub(crate) struct Wait {
    pub(crate) kind: WaitKind,
    pub(crate) requests: Vec<PendingRequest>,
    pub(crate) resume: ResumeMode,
    /// True if the body has begun, and asks.
    pub(crate) begun: bool,
}

impl Wait {
    /// The first of the requests, for a text that tells only one.
    pub(crate) fn summary(&self) -> &str {
        self.requests.first().map_or("", PendingRequest::summary)
    }
}
