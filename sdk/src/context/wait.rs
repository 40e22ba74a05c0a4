//! The waits of a body: the port between a tool and the code that asks people.

use std::error::Error;
use std::fmt;

use super::tool_context::ToolContext;
use crate::content::{ErrorKind, ToolError};
use crate::id::{InvocationId, TicketId};
use crate::permission::{GrantRuling, PermissionRequest, is_in_tree, may_touch};
use crate::spec::ToolSpec;
use crate::ticket::{Answer, KeyedDigest, PendingRequest, Wait, WaitKind, reason};
use crate::util::future::BoxFuture;

/// The port that asks people for the calls of a session.
pub(crate) trait Waits: Send + Sync {
    /// Returns true if anybody can be asked.
    fn is_attended(&self) -> bool;

    /// Asks, once more where it was asked before: [`ToolContext::wait`] looks for that. Gives an answer
    /// to each request, or hands back the error that ends the body: because it suspends the call,
    /// because nobody is there, or because the wait has ended without an answer.
    fn wait<'a>(
        &'a self,
        ctx: &'a ToolContext,
        wait: Wait,
    ) -> BoxFuture<'a, Result<Vec<Answer>, ToolError>>;

    /// Returns true if [`refresh`](Self::refresh) has to read. Default: there is nothing to read.
    fn has_to_refresh(&self, ctx: &ToolContext) -> bool {
        let _ = ctx;
        false
    }

    /// Reads the session's grants, where they may have changed since they were read. Default: there are none.
    fn refresh<'a>(&'a self, ctx: &'a ToolContext) -> Option<BoxFuture<'a, Result<(), ToolError>>> {
        let _ = ctx;
        None
    }

    /// The ruling of the session's grants on a request, as they were read last. Default: there are none.
    fn granted(
        &self,
        _ctx: &ToolContext,
        _spec: &ToolSpec,
        _request: &PermissionRequest,
    ) -> Option<GrantRuling> {
        None
    }

    /// The digest of the arguments of a call, for code that remembers them. Default: nobody does.
    fn digest(&self, _ctx: &ToolContext, _spec: &ToolSpec) -> Option<KeyedDigest> {
        None
    }
}

/// A request, and what was said to it.
pub(crate) type AnsweredRequest = (WaitKind, PendingRequest, Answer);

/// The answers from before the body began: see [`ToolContext::resumed`].
#[derive(Debug, Clone, PartialEq)]
pub struct ResumeInfo {
    pub(crate) ticket: TicketId,
    /// The last ticket's after those of the tickets before.
    pub(crate) answered: Vec<AnsweredRequest>,
    pub(crate) edited: bool,
}

impl ResumeInfo {
    /// The ticket that was answered last.
    pub fn ticket(&self) -> TicketId {
        self.ticket
    }

    /// The requests and their answers, the latest last.
    pub fn answers(&self) -> impl ExactSizeIterator<Item = (&PendingRequest, &Answer)> {
        let answered = self.answered.iter();
        answered.map(|(_, request, answer)| (request, answer))
    }

    /// The reason why the call was suspended: why people were asked, each reason once, joined by "; ", the
    /// first first. As [`Ticket::reason`](crate::ticket::Ticket::reason), over all tickets of the call.
    pub fn suspension_reason(&self) -> String {
        let kind = self
            .answered
            .last()
            .map_or(WaitKind::Approval, |(kind, ..)| *kind);
        reason(kind, self.answered.iter().map(|(_, request, _)| request))
    }

    /// Returns true if a person changed the arguments.
    pub fn edited(&self) -> bool {
        self.edited
    }

    /// The reason of the answer, in the words of the last person who gave one. For the reason why the call was
    /// suspended, see [`suspension_reason`](Self::suspension_reason).
    pub fn reason(&self) -> Option<&str> {
        let mut answers = self.answered.iter().rev();
        answers.find_map(|(_, _, answer)| answer.reason())
    }
}

impl ToolContext {
    /// Waits for people. What was asked before with the same words is answered from there, so a body
    /// that runs again gets its answers.
    pub(crate) async fn wait(&self, wait: Wait) -> Result<Vec<Answer>, ToolError> {
        let known = wait.requests.iter();
        let known: Option<Vec<Answer>> = known
            .map(|request| self.answer_to(wait.kind, request))
            .collect();
        match known {
            Some(answers) => {
                // A known answer does not wait, so a body that asks in a loop has to yield here for its timeout to
                // stop it.
                tokio::task::coop::consume_budget().await;
                Ok(answers)
            }
            None => self.session.waits.wait(self, wait).await,
        }
    }

    /// The answer to an equal request of this call.
    fn answer_to(&self, kind: WaitKind, request: &PendingRequest) -> Option<Answer> {
        self.find_answer(|its, asked, _| its == kind && is_same(kind, asked, request))
    }

    /// The answer to a request for approval of this call, or to one for a tree of files around it.
    pub(crate) fn approval_of(&self, request: &PermissionRequest) -> Option<Answer> {
        self.find_answer(|kind, asked, _| {
            approval(kind, asked).is_some_and(|asked| asked.is_same_as(request))
        })
        .or_else(|| self.approval_of_tree(request))
    }

    /// The yes to a tree of files that a request lies in. None where something was refused that may
    /// have to do with the request, in the tree or above it: that is for a person to say.
    pub(crate) fn approval_of_tree(&self, request: &PermissionRequest) -> Option<Answer> {
        let allowed = self.find_answer(|kind, asked, answer| {
            !answer.is_refusal()
                && approval(kind, asked).is_some_and(|tree| is_in_tree(request, &tree))
        })?;
        let refused = self.find_answer(|kind, asked, answer| {
            answer.is_refusal()
                && approval(kind, asked).is_some_and(|refused| may_touch(request, &refused))
        });
        refused.is_none().then_some(allowed)
    }

    pub(crate) fn find_answer(
        &self,
        is_it: impl Fn(WaitKind, &PendingRequest, &Answer) -> bool,
    ) -> Option<Answer> {
        let find = |answered: &[AnsweredRequest]| {
            let mut latest_first = answered.iter().rev();
            let found = latest_first.find(|(kind, asked, answer)| is_it(*kind, asked, answer));
            found.map(|(_, _, answer)| answer.clone())
        };
        self.session
            .wait_tracker
            .read(self.invocation_id(), |answered| find(answered))
            .flatten()
            .or_else(|| find(&self.call.resumed()?.answered))
            .or_else(|| find(self.call.call_stack()?.approvals()))
    }

    /// All that was answered to this call.
    pub(crate) fn all_answered(&self) -> Vec<AnsweredRequest> {
        let before = self.call.resumed();
        let mut all = before.map_or_else(Vec::new, |resumed| resumed.answered.clone());
        let now = |answered: &[AnsweredRequest]| answered.to_vec();
        all.extend(
            self.session
                .wait_tracker
                .read(self.invocation_id(), now)
                .into_iter()
                .flatten(),
        );
        all
    }
}

/// The request for approval that somebody was asked about.
fn approval(kind: WaitKind, asked: &PendingRequest) -> Option<PermissionRequest> {
    match kind {
        WaitKind::Approval => PermissionRequest::from_pending(asked),
        _ => None,
    }
}

/// Returns true if two requests ask for the same. The other texts of an approval do not count.
fn is_same(kind: WaitKind, one: &PendingRequest, other: &PendingRequest) -> bool {
    if kind != WaitKind::Approval {
        return one.subject() == other.subject();
    }
    let read = PermissionRequest::from_pending;
    match (read(one), read(other)) {
        (Some(one), Some(other)) => one.is_same_as(&other),
        _ => false,
    }
}

/// The error that ends the body of a call that is to be suspended.
#[derive(Debug)]
struct SuspendedAt(InvocationId);

impl fmt::Display for SuspendedAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "call {} is to be suspended", self.0)
    }
}

impl Error for SuspendedAt {}

/// The error that ends the body of a call, so that the call can be suspended.
pub(crate) fn suspension(call: InvocationId) -> ToolError {
    ToolError::new(
        ErrorKind::Unavailable,
        "the call waits for an answer, and goes on when there is one",
    )
    .with_code("suspended")
    .with_source(SuspendedAt(call))
}

/// Returns true if an error is the one that suspends a call, or was made from it.
pub(crate) fn is_suspension(error: &ToolError, call: InvocationId) -> bool {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if error
            .downcast_ref::<SuspendedAt>()
            .is_some_and(|suspension| suspension.0 == call)
        {
            return true;
        }
        cause = error.source();
    }
    false
}
