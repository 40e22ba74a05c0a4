//! The outcome of a call.

use std::sync::Arc;
use std::time::Instant;

use crate::executor::arguments::read::ReadNotes;
use crate::executor::call::state::CallState;
use crate::executor::core::site::CallSite;
use crate::executor::core::tasks::ended_with;
use crate::executor::observe::observer::notify;
use crate::executor::people::asked::AskedRequests;
use crate::id::Label;
use crate::message::{
    CallStatus, Content, ResultSource, ToolCall, ToolError, ToolOutput, ToolResult,
};
use crate::pending::{Ticket, WaitKind};
use crate::tool::{Interruption, ToolOutcome};

impl CallState {
    pub(crate) fn interrupted(
        mut self: Box<Self>,
        asked: &AskedRequests,
        ticket: Arc<Ticket>,
    ) -> ToolOutcome {
        let id = ticket.id();
        let output = asked.waiting(&ticket);
        let observer = self.let_go();
        let result = self.result(ResultSource::Executor, output).with_ticket(id);
        notify(
            observer,
            ToolOutcome::Interrupted(Interruption::new(ticket, result)),
        )
    }

    pub(crate) fn end(
        mut self: Box<Self>,
        source: ResultSource,
        output: ToolOutput,
    ) -> ToolOutcome {
        self.step(ended(&output));
        let remarks = self.remarks();
        let observer = self.let_go();
        let mut result = self.result(source, output);
        for remark in remarks {
            result.push(Content::text(remark));
        }
        notify(observer, ToolOutcome::of(result))
    }

    pub(crate) fn result(self: Box<Self>, source: ResultSource, output: ToolOutput) -> ToolResult {
        let label = self.entry().name.label();
        let mut result = ToolResult::new(self.call_id, self.invocation_id, label, source, output);
        result.note(self.notes.purpose, self.notes.repairs);
        if self.edited {
            result.note_edit();
        }
        match self.begun {
            Some(begun) => result.with_duration(begun.elapsed()),
            None => result,
        }
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
    (tool, error): (Label, ToolError),
) -> ToolOutcome {
    let source = ResultSource::Executor;
    let id = place.invocation_id;
    let mut result = ToolResult::new(call.id().cloned(), id, tool, source, error.into());
    result.note(notes.purpose, notes.repairs);
    if let Some(begun) = begun {
        result = result.with_duration(begun.elapsed());
    }
    ToolOutcome::of(result)
}

/// Returns the final status of a call with this output.
pub(crate) fn ended(output: &ToolOutput) -> CallStatus {
    ended_with(output.error.as_ref())
}
