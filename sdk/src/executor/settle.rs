//! What answers do to a call.

use std::sync::Arc;

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::asked::{Asked, edit};
use super::course::{Course, Step, no_tickets};
use super::edit::restored;
use super::nested::above_stand_still;
use super::people::People;
use crate::id::TicketId;
use crate::interaction::{cancelled, declined, expired, value_of};
use crate::message::{Arguments, CallStatus, ErrorKind, ResultSource, ToolError, ToolOutput};
use crate::pending::{Answer, Held, PendingRequest, ResumeMode, Settled, Ticket, WaitKind};
use crate::tool::refused;

/// Waits in place until a ticket is settled.
pub(super) async fn answers(
    mut held: Held,
    people: &People,
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

impl Course {
    /// Waits in place.
    pub(super) async fn settle(&mut self, asked: Asked, held: Held) -> Step {
        let id = held.ticket().id();
        let people = &self.shared.base.people;
        let session = Arc::clone(&self.session);
        let _still = above_stand_still(&session.desk, self.within.as_deref());
        match answers(held, people, self.context().cancel_scope().token()).await {
            Ok(answers) => {
                self.step(CallStatus::Resuming);
                self.answered(asked, id, answers)
            }
            Err(error) => Step::refuse(error),
        }
    }

    /// Goes by what was answered to a ticket.
    pub(super) fn answered(
        &mut self,
        asked: Asked,
        ticket: TicketId,
        answers: Vec<Option<Answer>>,
    ) -> Step {
        self.ticket = Some(ticket);
        self.emit(|| asked.told_answers(ticket, &answers));
        let reaches_body = asked.begun && asked.resume == ResumeMode::RunAgain;
        if !reaches_body && let Some(error) = self.refusal(&asked, &answers) {
            return Step::refuse(error);
        }
        if let Some((edited, reason)) = edit(&answers) {
            return self.edited(edited, reason);
        }
        match asked.resume {
            ResumeMode::RunAgain => {
                self.answered.extend(asked.with_answers(answers));
                Step::Start
            }
            ResumeMode::AnswerIsResult => {
                let value = value(&asked, &answers);
                self.answered.extend(asked.with_answers(answers));
                Step::End(ResultSource::Answer, ToolOutput::from(value))
            }
            ResumeMode::AnswerIsArguments => {
                self.arguments = Arguments::from(value(&asked, &answers));
                // What was allowed was allowed for the arguments before.
                self.answered
                    .retain(|(kind, _, answer)| *kind != WaitKind::Approval || answer.is_refusal());
                self.answered.extend(asked.with_answers(answers));
                Step::StartAnew { allowed: false }
            }
        }
    }

    /// What a call ends with that somebody said no to.
    fn refusal(&self, asked: &Asked, answers: &[Option<Answer>]) -> Option<ToolError> {
        let (request, answer) = first_refusal(asked, answers)?;
        Some(match asked.kind {
            WaitKind::Approval => refused(&self.entry().name, request.summary(), answer.reason()),
            kind => declined(kind, request.summary(), answer.reason()),
        })
    }

    fn edited(&mut self, edited: &Value, reason: Option<&str>) -> Step {
        let restored = self
            .spec()
            .map_err(|panicked| panicked.message().to_owned())
            .and_then(|spec| restored(edited, &self.arguments, spec));
        match restored {
            Ok(arguments) => {
                self.arguments = Arguments::from(arguments);
                self.edited = true;
                self.rewritten = false;
                self.said = reason.map(str::to_owned);
                Step::StartAnew { allowed: true }
            }
            // It was checked before it was kept.
            Err(why) => Step::refuse(
                ToolError::internal("the arguments that a person gave cannot be used")
                    .with_source(why),
            ),
        }
    }
}

fn first_refusal<'a>(
    asked: &'a Asked,
    answers: &'a [Option<Answer>],
) -> Option<(&'a PendingRequest, &'a Answer)> {
    let mut each = asked.requests.iter().zip(answers);
    each.find_map(|(request, answer)| {
        let answer = answer.as_ref().filter(|answer| answer.is_refusal())?;
        Some((request, answer))
    })
}

/// What was answered; of several things a list.
fn value(asked: &Asked, answers: &[Option<Answer>]) -> Value {
    let each = asked.requests.iter().zip(answers);
    let mut values = each.map(|(request, answer)| {
        let answer = answer.as_ref();
        answer.map_or(Value::Null, |answer| value_of(asked.kind, request, answer))
    });
    if asked.requests.len() == 1 {
        values.next().unwrap_or_default()
    } else {
        Value::Array(values.collect())
    }
}
