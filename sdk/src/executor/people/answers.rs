//! Waiting in place for the answers to a ticket.

use tokio_util::sync::CancellationToken;

use crate::executor::people::service::ApprovalService;
use crate::message::{ErrorKind, ToolError};
use crate::question::{cancelled, expired};
use crate::ticket::{Answer, Held, Settled, Ticket, WaitKind};

/// Returns the error of a call whose ticket cannot be kept or read.
#[cold]
pub(crate) fn no_tickets(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> ToolError {
    ToolError::unavailable("somebody has to be asked about the call, and now that is not possible")
        .with_code("tickets_unavailable")
        .with_source(error)
}

/// Waits in place until a ticket is settled.
pub(crate) async fn answers(
    mut held: Held,
    people: &ApprovalService,
    cancellation: &CancellationToken,
) -> Result<Vec<Option<Answer>>, ToolError> {
    let Some(settled) = cancellation.run_until_cancelled(held.settled()).await else {
        return Err(cancelled());
    };
    match settled.map_err(no_tickets)? {
        Settled::Answered(answers) => {
            if !answers.iter().flatten().any(Answer::is_refusal) {
                people.broker.running(held.ticket());
            }
            Ok(answers)
        }
        Settled::Cancelled => Err(cancelled()),
        Settled::SessionEnded => Err(ToolError::new(
            ErrorKind::Cancelled,
            "the session ended while the call waited",
        )
        .with_code("session_ended")),
        Settled::Expired => Err(nobody_in_time(held.ticket())),
    }
}

#[cold]
fn nobody_in_time(ticket: &Ticket) -> ToolError {
    if ticket.kind() != WaitKind::Approval {
        return expired(ticket.kind(), &ticket.summary());
    }
    let tool = ticket.call().tool();
    let summary = ticket.summary();
    ToolError::denied(format!(
        "`{tool}` was denied ({summary}): it needs approval, and nobody gave it in time"
    ))
    .with_code("approval_expired")
}
