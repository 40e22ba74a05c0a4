//! The stage that asks people, and goes on by their answers.

use std::sync::Arc;

use serde_json::Value;

use crate::arguments::Arguments;
use crate::content::{CallStatus, ResultSource, ToolError, ToolOutput};
use crate::context::{TurnScope, refused};
use crate::executor::arguments::edit::restored;
use crate::executor::call::state::{CallState, Stage};
use crate::executor::people::asked::{
    AskedRequests, cannot_wait, edit, pause_parents, would_suspend,
};
use crate::executor::people::service::{CallDraft, answers, no_tickets};
use crate::id::TicketId;
use crate::question::{cancelled, declined, value_of};
use crate::ticket::{Answer, Draft, PendingRequest, ResumeMode, Ticket, WaitKind, WaitingTicket};

impl CallState {
    /// Opens a ticket.
    pub(crate) async fn ask(&mut self, asked: AskedRequests) -> Stage {
        let draft = match self.draft(&asked) {
            Ok(draft) => draft,
            Err(error) => return Stage::refuse(error),
        };
        let context = self.context();
        let opening = self.shared.base.people.broker.open(vec![draft]);
        let token = context.cancel_scope().token();
        match token.run_until_cancelled(opening).await {
            Some(Ok(tickets)) => self.opened(asked, tickets.into_iter().next()),
            Some(Err(error)) => Stage::refuse(no_tickets(error)),
            None => Stage::refuse(cancelled()),
        }
    }

    pub(crate) fn opened(&self, asked: AskedRequests, ticket: Option<Arc<Ticket>>) -> Stage {
        match ticket {
            Some(ticket) => {
                let broker = self.shared.base.people.broker.clone();
                Stage::Opened(asked, WaitingTicket::new(broker, ticket))
            }
            None => Stage::refuse(ToolError::internal("the call cannot be made to wait")),
        }
    }

    /// A ticket to be.
    pub(crate) fn draft(&self, asked: &AskedRequests) -> Result<Draft, ToolError> {
        // A cancelled call does not run any more, so nobody is asked about it.
        if self.is_cancelled() {
            return Err(cancelled());
        }
        let mode = self.shared.base.people.mode;
        if would_suspend(mode, self.call_stack.as_deref()) {
            return Err(cannot_wait(&self.entry().name, asked.kind, &asked.requests));
        }
        let call = CallDraft {
            session: &self.session.id,
            identity: &self.identity,
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
    pub(crate) async fn settle(&mut self, asked: AskedRequests, waiting: WaitingTicket) -> Stage {
        let id = waiting.ticket().id();
        let people = &self.shared.base.people;
        let session = Arc::clone(&self.session);
        let _still = pause_parents(&session.wait_tracker, self.call_stack.as_deref());
        match answers(waiting, people, self.context().cancel_scope().token()).await {
            Ok(answers) => {
                self.step(CallStatus::Resuming);
                self.answered(asked, id, answers)
            }
            Err(error) => Stage::refuse(error),
        }
    }

    /// Goes by what was answered to a ticket.
    pub(crate) fn answered(
        &mut self,
        asked: AskedRequests,
        ticket: TicketId,
        answers: Vec<Option<Answer>>,
    ) -> Stage {
        self.ticket = Some(ticket);
        self.emit(|| asked.told_answers(ticket, &answers));
        let reaches_body = asked.begun && asked.resume == ResumeMode::RunAgain;
        if !reaches_body && let Some(error) = self.refusal(&asked, &answers) {
            return Stage::refuse(error);
        }
        if let Some((edited, reason)) = edit(&answers) {
            return self.edited(edited, reason);
        }
        match asked.resume {
            ResumeMode::RunAgain => {
                self.answered.extend(asked.with_answers(answers));
                Stage::Start
            }
            ResumeMode::AnswerIsResult => {
                let value = value(&asked, &answers);
                self.answered.extend(asked.with_answers(answers));
                Stage::End(ResultSource::Answer, ToolOutput::from(value))
            }
            ResumeMode::AnswerIsArguments => {
                self.arguments = Arguments::from(value(&asked, &answers));
                // The approvals were for the arguments before, so only refusals still count.
                self.answered
                    .retain(|(kind, _, answer)| *kind != WaitKind::Approval || answer.is_refusal());
                self.answered.extend(asked.with_answers(answers));
                Stage::StartAnew { allowed: false }
            }
        }
    }

    /// Returns the error of a call that somebody refused.
    fn refusal(&self, asked: &AskedRequests, answers: &[Option<Answer>]) -> Option<ToolError> {
        let (request, answer) = first_refusal(asked, answers)?;
        Some(match asked.kind {
            WaitKind::Approval => refused(&self.entry().name, request.summary(), answer.reason()),
            kind => declined(kind, request.summary(), answer.reason()),
        })
    }

    fn edited(&mut self, edited: &Value, reason: Option<&str>) -> Stage {
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
                Stage::StartAnew { allowed: true }
            }
            // The arguments were checked before the answer was stored, so this is a bug.
            Err(why) => Stage::refuse(
                ToolError::internal("the arguments that a person gave cannot be used")
                    .with_source(why),
            ),
        }
    }
}

fn first_refusal<'a>(
    asked: &'a AskedRequests,
    answers: &'a [Option<Answer>],
) -> Option<(&'a PendingRequest, &'a Answer)> {
    let mut each = asked.requests.iter().zip(answers);
    each.find_map(|(request, answer)| {
        let answer = answer.as_ref().filter(|answer| answer.is_refusal())?;
        Some((request, answer))
    })
}

/// Returns the answered value; a list if there were several requests.
fn value(asked: &AskedRequests, answers: &[Option<Answer>]) -> Value {
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
