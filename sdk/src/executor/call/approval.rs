//! The stage that asks people, and goes on by their answers.

use std::sync::Arc;

use serde_json::Value;

use crate::executor::arguments::edit::restored;
use crate::executor::call::state::{Course, Step};
use crate::executor::people::answers::{answers, no_tickets};
use crate::executor::people::asked::{Asked, edit};
use crate::executor::people::nesting::{above_stand_still, cannot_wait, would_suspend};
use crate::executor::people::service::Waiting;
use crate::id::TicketId;
use crate::interaction::{cancelled, declined, value_of};
use crate::message::{Arguments, CallStatus, ResultSource, ToolError, ToolOutput};
use crate::pending::{Answer, Draft, Held, PendingRequest, ResumeMode, Ticket, WaitKind};
use crate::tool::{TurnScope, refused};

impl Course {
    /// Opens a ticket.
    pub(crate) async fn ask(&mut self, asked: Asked) -> Step {
        let draft = match self.draft(&asked) {
            Ok(draft) => draft,
            Err(error) => return Step::refuse(error),
        };
        let context = self.context();
        let opening = self.shared.base.people.broker.open(vec![draft]);
        let token = context.cancel_scope().token();
        match token.run_until_cancelled(opening).await {
            Some(Ok(tickets)) => self.opened(asked, tickets.into_iter().next()),
            Some(Err(error)) => Step::refuse(no_tickets(error)),
            None => Step::refuse(cancelled()),
        }
    }

    pub(crate) fn opened(&self, asked: Asked, ticket: Option<Arc<Ticket>>) -> Step {
        match ticket {
            Some(ticket) => {
                let broker = self.shared.base.people.broker.clone();
                Step::Opened(asked, Held::new(broker, ticket))
            }
            None => Step::refuse(ToolError::internal("the call cannot be made to wait")),
        }
    }

    /// A ticket to be.
    pub(crate) fn draft(&self, asked: &Asked) -> Result<Draft, ToolError> {
        // Nobody is asked about what does not run any more.
        if self.is_cancelled() {
            return Err(cancelled());
        }
        let mode = self.shared.base.people.mode;
        if would_suspend(mode, self.within.as_deref()) {
            return Err(cannot_wait(&self.entry().name, asked.kind, &asked.requests));
        }
        let call = Waiting {
            session: &self.session.id,
            turn: self.turn_id,
            invocation: self.invocation_id,
            call_id: self.call_id.as_ref(),
            metadata: self.metadata.as_deref(),
            arguments: &self.arguments,
            purpose: self.notes.purpose.as_deref(),
            repairs: self.notes.repairs.as_deref().map_or(&[], Vec::as_slice),
            edited: self.edited,
            earlier: self.answered.clone(),
            hooked: self.hooked,
            rewritten: self.rewritten,
        };
        self.shared
            .base
            .people
            .draft(&self.entry().name, self.spec()?, call, asked)
    }

    fn is_cancelled(&self) -> bool {
        let of_turn = |turn: &Arc<TurnScope>| turn.cancellation.is_cancelled();
        self.session.cancellation.is_cancelled() || self.turn.as_ref().is_some_and(of_turn)
    }

    /// Waits in place.
    pub(crate) async fn settle(&mut self, asked: Asked, held: Held) -> Step {
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
    pub(crate) fn answered(
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
