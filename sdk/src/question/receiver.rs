//! The way from a registered question to its reply.

use std::sync::Arc;

use super::told::{cancelled, check_answer, declined, expired, no_tickets, unfit};
use super::{Question, Reply};
use crate::content::ToolError;
use crate::ticket::{Answer, Decision, ResumeMode, Settled, Ticket, WaitKind, WaitingTicket};

/// A handle that waits for the reply to a registered question. Dropping it cancels the question.
#[derive(Debug)]
#[must_use = "a question whose receiver is dropped is cancelled"]
pub struct QuestionReceiver {
    waiting: WaitingTicket,
    question: Question,
}

impl QuestionReceiver {
    pub(super) fn new(waiting: WaitingTicket, question: Question) -> Self {
        Self { waiting, question }
    }

    /// The ticket of the question.
    pub fn ticket(&self) -> &Arc<Ticket> {
        self.waiting.ticket()
    }

    /// Waits for the reply.
    ///
    /// # Errors
    ///
    /// Fails if there is no reply, by the codes of [`ToolContext::ask`](crate::ToolContext::ask): declined, too late,
    /// or cancelled.
    pub async fn recv(mut self) -> Result<Reply, ToolError> {
        let settled = self.waiting.settled().await.map_err(no_tickets)?;
        let ticket = self.waiting.ticket();
        let summary = ticket.summary();
        let answers = match settled {
            Settled::Answered(answers) => answers,
            Settled::Cancelled | Settled::SessionEnded => return Err(cancelled()),
            Settled::Expired => return Err(expired(WaitKind::Question, &summary)),
        };
        let (Some(request), Some(Some(answer))) = (ticket.requests().first(), answers.first())
        else {
            return Err(no_tickets("the ticket was settled without an answer"));
        };
        if answer.is_refusal() {
            return Err(declined(WaitKind::Question, &summary, answer.reason()));
        }
        check_answer(WaitKind::Question, request, ResumeMode::RunAgain, answer)
            .map_err(|why| unfit(&summary, &why))?;
        reply(&self.question, Some(answer))
    }
}

/// Reads an answer that was found to fit.
pub(crate) fn reply(question: &Question, answer: Option<&Answer>) -> Result<Reply, ToolError> {
    let said = match answer.map(Answer::decision) {
        Some(Decision::Value(value)) => value,
        _ => &serde_json::Value::Null,
    };
    let checked = question.check(said);
    checked.map_err(|why| unfit(question.prompt(), &why.to_string()))
}
