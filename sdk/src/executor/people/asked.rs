//! The requests that somebody is asked about a call, and what a nested call may ask.

use crate::content::{ToolError, ToolOutput};
use crate::context::{AnsweredRequest, CallStack, WaitTracker, Waiting};
use crate::event::EventKind;
use crate::executor::people::mode::WaitMode;
use crate::id::{TicketId, ToolName};
use crate::permission::{PermissionRequest, TOOL_CALL};
use crate::question::unavailable;
use crate::ticket::{Answer, Decision, PendingRequest, ResumeMode, Ticket, Wait, WaitKind};

impl Wait {
    /// The request that a call may run.
    pub(crate) fn approval(requests: Vec<PendingRequest>) -> Self {
        Self {
            kind: WaitKind::Approval,
            requests,
            resume: ResumeMode::RunAgain,
            begun: false,
        }
    }

    /// The requests that a body made before it ended. Waits that resume in different ways cannot share a ticket: the
    /// rest is asked when the body runs again.
    pub(crate) fn by_body(noted: Vec<Wait>) -> Option<Self> {
        let mut noted = noted.into_iter();
        let mut first = noted.next()?;
        if first.resume == ResumeMode::RunAgain {
            let of_first = (first.kind, first.resume);
            let alike = noted.filter(|wait| (wait.kind, wait.resume) == of_first);
            first.requests.extend(alike.flat_map(|wait| wait.requests));
        }
        Some(first)
    }

    pub(crate) fn of(ticket: &Ticket, begun: bool) -> Self {
        Self {
            kind: ticket.kind(),
            requests: ticket.requests().to_vec(),
            resume: ticket.resume_mode(),
            begun,
        }
    }

    /// The answers. An answer that edits the arguments answers all requests, and a refusal all that are left.
    pub(crate) fn with_answers(self, answers: Vec<Option<Answer>>) -> Vec<AnsweredRequest> {
        let refusal = answers.iter().flatten().find(|answer| answer.is_refusal());
        let refusal = refusal.cloned();
        let kind = self.kind;
        let answered = self.requests.into_iter().zip(answers);
        answered
            .filter_map(|(request, answer)| {
                Some((kind, request, answer.or_else(|| refusal.clone())?))
            })
            .collect()
    }

    /// As if somebody had said yes to all.
    pub(crate) fn allowed(self) -> impl Iterator<Item = AnsweredRequest> {
        let kind = self.kind;
        let requests = self.requests.into_iter();
        requests.map(move |request| (kind, request, Answer::yes()))
    }

    /// Returns the event that somebody is asked.
    pub(crate) fn told(&self, ticket: TicketId) -> EventKind {
        EventKind::Asked {
            ticket,
            wait: self.kind,
            requests: self.requests.len(),
        }
    }

    /// Returns the event that there are answers.
    pub(crate) fn told_answers(&self, ticket: TicketId, answers: &[Option<Answer>]) -> EventKind {
        let kinds = answers
            .iter()
            .map(|answer| answer.as_ref().map(Answer::kind));
        EventKind::Answered {
            ticket,
            wait: self.kind,
            answers: kinds.collect(),
        }
    }

    /// Returns the output that the model reads while the call waits.
    pub(crate) fn waiting(&self, ticket: &Ticket) -> ToolOutput {
        let what = match self.kind {
            WaitKind::Approval => "approval",
            WaitKind::SignIn => "a sign-in",
            WaitKind::Question => "an answer",
            WaitKind::ExternalResult => "a result from elsewhere",
        };
        let so_far = if self.begun {
            "it has not come to its end"
        } else {
            "it has not run"
        };
        let summary = ticket.summary();
        ToolOutput::pending(format!(
            "the call waits for {what} ({summary}): {so_far}, and its result comes later"
        ))
    }
}

/// The arguments that a person gave in place of the call's, if one did, and why.
pub(crate) fn edit(answers: &[Option<Answer>]) -> Option<(&serde_json::Value, Option<&str>)> {
    let mut answers = answers.iter().flatten();
    answers.find_map(|answer| match answer.decision() {
        Decision::Edited(arguments) => Some((arguments, answer.reason())),
        _ => None,
    })
}

/// Returns the error of a call that would be suspended while another waits for it.
#[cold]
pub(crate) fn cannot_wait(tool: &ToolName, wait: &Wait) -> ToolError {
    let is_call = |request: PermissionRequest| request.kind() == TOOL_CALL;
    let requests = wait.requests.iter();
    let is_of_call = requests
        .filter_map(PermissionRequest::from_pending)
        .any(is_call);
    let summary = wait.summary();
    let remedy = if is_of_call {
        "it takes a rule or a grant that allows this tool"
    } else {
        "the tool that called it asks for the same by `ctx.check` before it does"
    };
    unavailable(wait.kind, summary).with_message(format!(
        "`{tool}` cannot wait for an answer ({summary}), because another tool called it and calls \
         are suspended here: {remedy}"
    ))
}

/// Returns true if a request would suspend a call that another waits for.
pub(crate) fn would_suspend(mode: WaitMode, call_stack: Option<&CallStack>) -> bool {
    call_stack.is_some() && matches!(mode, WaitMode::Suspending)
}

/// The time of the calls above stands still for as long as this is there.
pub(crate) fn pause_parents<'d>(
    wait_tracker: &'d WaitTracker,
    call_stack: Option<&CallStack>,
) -> Vec<Waiting<'d>> {
    let ancestors = call_stack.into_iter().flat_map(CallStack::ancestors);
    ancestors.map(|call| wait_tracker.begin(call)).collect()
}
