//! The waits of a call that are neither permissions nor questions: a sign-in, a result from elsewhere.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Question;
use crate::content::ToolError;
use crate::ticket::{PendingRequest, ResumeMode, WaitKind};
use crate::util::character::{is_deceptive, one_line};

/// The most characters of the one line for people.
const SUMMARY: usize = 200;
/// The longest address of a sign-in, in bytes.
const URL: usize = 8_000;

/// Something that a call waits for: see [`ToolContext::wait_for`](crate::ToolContext::wait_for).
///
/// ```
/// use serde_json::json;
/// use toolwright::question::ExternalWait;
/// use toolwright::ticket::ResumeMode;
///
/// let sign_in = ExternalWait::sign_in("GitHub", "https://github.com/login/device")
///     .data(json!({"user_code": "AB12-CD34"}));
///
/// let job = ExternalWait::external("the nightly export, job 17")
///     .data(json!({"job": 17}))
///     .resume(ResumeMode::AnswerIsResult);
/// # drop((sign_in, job));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ExternalWait {
    what: WaitSubject,
    why: Option<String>,
    resume: ResumeMode,
}

#[derive(Debug, Clone, PartialEq)]
enum WaitSubject {
    SignIn(SignIn),
    Question(Question),
    External { what: String, data: Option<Value> },
}

/// A sign-in that a call waits for, as a host finds it in the ticket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignIn {
    provider: String,
    url: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    data: Option<Value>,
}

impl SignIn {
    /// The sign-in that a request of a ticket is, if it is one.
    pub fn of(request: &PendingRequest) -> Option<Self> {
        Self::deserialize(request.subject()).ok()
    }

    /// The service to sign in to, in words: `GitHub`.
    pub fn provider(&self) -> &str {
        &self.provider
    }

    /// The address to sign in at: `https` or `http`. A host shows it before it opens it.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Further data of the provider, such as a code to type in.
    pub fn data(&self) -> Option<&Value> {
        self.data.as_ref()
    }
}

impl ExternalWait {
    fn new(what: WaitSubject) -> Self {
        Self {
            what,
            why: None,
            resume: ResumeMode::RunAgain,
        }
    }

    /// Waits until somebody has signed in with a provider, at an address (`https` or `http`).
    ///
    /// Yes, or any value, says that it is done. What a value says comes back to the tool, such as a
    /// code that the provider gave; better kept out of it is a token, which belongs where the app
    /// keeps its secrets.
    pub fn sign_in(provider: impl Into<String>, url: impl Into<String>) -> Self {
        Self::new(WaitSubject::SignIn(SignIn {
            provider: provider.into(),
            url: url.into(),
            data: None,
        }))
    }

    /// Waits for a result from elsewhere, such as a job that runs for days: described in words.
    pub fn external(what: impl Into<String>) -> Self {
        Self::new(WaitSubject::External {
            what: what.into(),
            data: None,
        })
    }

    /// Waits until somebody answers a question. The answer may be the result of the call: see
    /// [`resume`](Self::resume).
    pub fn question(question: Question) -> Self {
        Self::new(WaitSubject::Question(question))
    }

    /// Adds data for the host, to a sign-in or an external result; nothing changes for a question. Default: none.
    pub fn data(mut self, more: impl Into<Value>) -> Self {
        if let WaitSubject::SignIn(SignIn { data, .. }) | WaitSubject::External { data, .. } =
            &mut self.what
        {
            *data = Some(more.into());
        }
        self
    }

    /// Sets the reason, for the person who is asked. Default: none.
    pub fn why(mut self, why: impl Into<String>) -> Self {
        self.why = Some(why.into());
        self
    }

    /// Sets how the call goes on. Default: [`ResumeMode::RunAgain`].
    pub fn resume(mut self, resume: ResumeMode) -> Self {
        self.resume = resume;
        self
    }

    pub(crate) fn resume_mode(&self) -> ResumeMode {
        self.resume
    }

    pub(crate) fn kind(&self) -> WaitKind {
        match self.what {
            WaitSubject::SignIn(_) => WaitKind::SignIn,
            WaitSubject::Question(_) => WaitKind::Question,
            WaitSubject::External { .. } => WaitKind::ExternalResult,
        }
    }

    /// The request for people.
    pub(crate) fn to_request(&self) -> Result<PendingRequest, ToolError> {
        let request = match &self.what {
            WaitSubject::Question(question) => {
                question.validate()?;
                question.to_request().map_err(unwritable)?
            }
            WaitSubject::SignIn(sign_in) => {
                sign_in.validate()?;
                let subject = serde_json::to_value(sign_in).map_err(unwritable)?;
                let line = format!("Sign in with {}", sign_in.provider);
                PendingRequest::new(one_line(&line, SUMMARY), subject)
            }
            WaitSubject::External { what, data } => {
                let line = one_line(what, SUMMARY);
                if line.trim().is_empty() {
                    return Err(unfit("an external result has no words to tell it by"));
                }
                PendingRequest::new(line, data.clone().unwrap_or_default())
            }
        };
        Ok(match &self.why {
            Some(why) => request.with_why(why),
            None => request,
        })
    }
}

impl SignIn {
    /// Checks that a host can open the address safely for a person: it has to be what it looks like.
    fn validate(&self) -> Result<(), ToolError> {
        if self.provider.trim().is_empty() {
            return Err(unfit("a sign-in names no provider"));
        }
        let url = &self.url;
        let web = ["https://", "http://"].iter().any(|scheme| {
            let head = url.get(..scheme.len());
            head.is_some_and(|head| head.eq_ignore_ascii_case(scheme)) && url.len() > scheme.len()
        });
        if !web {
            return Err(unfit(
                "the address of a sign-in begins with neither `https://` nor `http://`",
            ));
        }
        if url.len() > URL || url.chars().any(|c| is_deceptive(c) || c.is_whitespace()) {
            return Err(unfit(
                "the address of a sign-in is no address: it has white space or control \
                 characters in it, or no end",
            ));
        }
        Ok(())
    }
}

fn unfit(text: &str) -> ToolError {
    ToolError::internal(text).with_code("invalid_wait")
}

pub(crate) fn unwritable(error: serde_json::Error) -> ToolError {
    unfit("what the tool waits for cannot be written as JSON").with_source(error)
}

impl From<Question> for ExternalWait {
    fn from(question: Question) -> Self {
        Self::question(question)
    }
}
