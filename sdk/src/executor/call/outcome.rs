//! The outcome of a call.

use std::sync::Arc;
use std::time::Instant;

use crate::executor::arguments::read::ReadNotes;
use crate::executor::call::state::CallState;
use crate::executor::core::site::CallSite;
use crate::executor::core::tasks::ended_with;
use crate::executor::observe::observer::notify;
use crate::executor::outcome::{OutcomeOf, ResultDetails};
use crate::executor::people::asked::AskedRequests;
use crate::id::Label;
use crate::message::{CallStatus, ResultSource, ToolCall, ToolOutput};
use crate::ticket::{Ticket, WaitKind};
use crate::tool::ToolOutcome;

impl CallState {
    pub(crate) fn suspended(
        mut self: Box<Self>,
        asked: &AskedRequests,
        ticket: Arc<Ticket>,
    ) -> ToolOutcome {
        let output = asked.waiting(&ticket);
        let observer = self.let_go();
        let (of, details) = self.into_outcome(Vec::new());
        notify(observer, of.suspended(ticket, output, details))
    }

    pub(crate) fn end(
        mut self: Box<Self>,
        source: ResultSource,
        output: ToolOutput,
    ) -> ToolOutcome {
        self.step(ended(&output));
        let remarks = self.remarks();
        let observer = self.let_go();
        let (of, details) = self.into_outcome(remarks);
        notify(observer, of.ended(source, output, Some(details)))
    }

    fn into_outcome(self: Box<Self>, remarks: Vec<String>) -> (OutcomeOf, ResultDetails) {
        let tool = self.entry().name.label();
        let of = OutcomeOf {
            call_id: self.call_id,
            invocation_id: self.invocation_id,
            tool,
        };
        let details = ResultDetails {
            notes: self.notes,
            begun: self.begun,
            edited: self.edited,
            remarks,
        };
        (of, details)
    }

    /// Returns the remarks that tell the model what people did.
    pub(crate) fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if self.edited || self.rewritten {
            let spec = self.spec().ok();
            let canonical = spec.and_then(|spec| self.arguments.canonical(spec).ok());
            let who = match (self.edited, self.rewritten) {
                (true, true) => "The user and the app",
                (_, true) => "The app",
                (_, false) => "The user",
            };
            remarks.push(match canonical {
                Some(arguments) => {
                    format!("{who} changed the arguments of this call to: {arguments}")
                }
                None => format!("{who} changed the arguments of this call."),
            });
            let said = self.said.as_ref();
            remarks.extend(said.map(|said| format!("The user said why: {said}")));
        }
        for (kind, _, answer) in &self.answered {
            let said_yes = *kind == WaitKind::Approval && !answer.is_refusal();
            let Some(reason) = answer.reason().filter(|_| said_yes) else {
                continue;
            };
            let remark = format!("The user allowed this call and said: {reason}");
            // One reason may be given for all that was asked.
            if !remarks.contains(&remark) {
                remarks.push(remark);
            }
        }
        remarks
    }
}

/// The outcome of a call that was not admitted.
#[cold]
pub(crate) fn refused(
    call: &ToolCall<'_>,
    place: &CallSite<'_>,
    begun: Option<Instant>,
    notes: ReadNotes,
    (tool, output): (Label, impl Into<ToolOutput>),
) -> ToolOutcome {
    let of = OutcomeOf {
        call_id: call.id().cloned(),
        invocation_id: place.invocation_id,
        tool,
    };
    let details = ResultDetails {
        notes,
        begun,
        ..ResultDetails::default()
    };
    of.ended(ResultSource::Executor, output.into(), Some(details))
}

/// Returns the final status of a call with this output.
pub(crate) fn ended(output: &ToolOutput) -> CallStatus {
    ended_with(output.error.as_ref())
}
