//! The outcome of a call: the only place that makes one.

use std::sync::Arc;
use std::time::Instant;

use crate::executor::arguments::read::ReadNotes;
use crate::id::CallIdentity;
use crate::message::{Content, ResultSource, ToolOutput, ToolResult};
use crate::ticket::Ticket;
use crate::tool::{Suspension, ToolOutcome};

/// The details of a result besides its output.
#[derive(Default)]
pub(crate) struct ResultDetails {
    pub(crate) notes: ReadNotes,
    /// The start of the call. `None` if no times are measured.
    pub(crate) begun: Option<Instant>,
    /// True if a person changed the arguments.
    pub(crate) edited: bool,
    /// Texts that the model reads after the output.
    pub(crate) remarks: Vec<String>,
}

/// Makes the outcome of a call that has ended.
#[expect(
    clippy::inline_always,
    reason = "an outcome is moved once more for each call between"
)]
#[inline(always)]
pub(crate) fn ended(
    identity: CallIdentity,
    source: ResultSource,
    output: ToolOutput,
    details: Option<ResultDetails>,
) -> ToolOutcome {
    let mut result = result(identity, source, output);
    if let Some(details) = details {
        let begun = details.begun;
        note(&mut result, details);
        if let Some(begun) = begun {
            result = result.with_duration(begun.elapsed());
        }
    }
    ToolOutcome::of(result)
}

/// Makes the outcome of a call that waits in a ticket.
pub(crate) fn suspended(
    identity: CallIdentity,
    ticket: Arc<Ticket>,
    output: ToolOutput,
    details: ResultDetails,
) -> ToolOutcome {
    let mut result = result(identity, ResultSource::Executor, output);
    let begun = details.begun;
    note(&mut result, details);
    if let Some(begun) = begun {
        result = result.with_duration(begun.elapsed());
    }
    let result = result.with_ticket(ticket.id());
    ToolOutcome::Suspended(Suspension::new(ticket, result))
}

#[expect(clippy::inline_always, reason = "as `ended`")]
#[inline(always)]
fn result(identity: CallIdentity, source: ResultSource, output: ToolOutput) -> ToolResult {
    let CallIdentity {
        invocation,
        call_id,
        tool,
        ..
    } = identity;
    ToolResult::new(call_id, invocation, tool, source, output)
}

/// Notes the details but for the duration.
fn note(result: &mut ToolResult, details: ResultDetails) {
    result.note(details.notes.purpose, details.notes.repairs);
    if details.edited {
        result.note_edit();
    }
    for remark in details.remarks {
        result.push(Content::text(remark));
    }
}
