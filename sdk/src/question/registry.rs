//! The face of the broker for questions.

use std::sync::Arc;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::told::{no_tickets, unavailable};
use super::wait_for::unwritable;
use super::{Question, QuestionReceiver};
use crate::content::ToolError;
use crate::id::{CallId, SessionId, TicketId, ToolName, TurnId};
use crate::ticket::{
    Answer, AnswerProgress, Answers, Requester, Ticket, TicketBroker, TicketError, TicketFilter,
    WaitKind,
};

/// The questions that wait for somebody: a tool registers one and waits for the reply, a host lists
/// them and responds.
///
/// It is a face of the executor's one [`TicketBroker`]: what is asked by
/// [`ToolContext::ask`](crate::ToolContext::ask) is here too. A tool gets it when it is
/// [made](crate::ExecutorBuilder::register_tools), a host from
/// [`Executor::interactions`](crate::Executor::interactions). Cloning is cheap.
#[derive(Debug, Clone)]
pub struct UserInteractionRegistry {
    tickets: TicketBroker,
}

/// The id of a question: its ticket, and its number there. The id of a ticket alone stands for its first question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct QuestionId {
    ticket: TicketId,
    #[serde(default)]
    number: usize,
}

impl QuestionId {
    /// A question of a ticket, by its number counted from 0.
    pub fn new(ticket: TicketId, number: usize) -> Self {
        Self { ticket, number }
    }

    /// The ticket.
    pub fn ticket(self) -> TicketId {
        self.ticket
    }

    /// The number of the question in its ticket, counted from 0.
    pub fn number(self) -> usize {
        self.number
    }
}

impl From<TicketId> for QuestionId {
    fn from(ticket: TicketId) -> Self {
        Self::new(ticket, 0)
    }
}

/// A question that nobody has answered yet.
#[derive(Debug, Clone, PartialEq)]
pub struct PendingQuestion {
    ticket: Arc<Ticket>,
    number: usize,
    question: Question,
}

impl PendingQuestion {
    /// The id to respond to.
    pub fn id(&self) -> QuestionId {
        QuestionId::new(self.ticket.id(), self.number)
    }

    /// The question.
    pub fn question(&self) -> &Question {
        &self.question
    }

    /// The session of the call that asks.
    pub fn session(&self) -> &SessionId {
        self.ticket.session()
    }

    /// The turn of the call that asks.
    pub fn turn(&self) -> TurnId {
        self.ticket.turn()
    }

    /// The model's own id of the call that asks, which may be missing or repeat.
    pub fn call_id(&self) -> Option<&CallId> {
        self.ticket.call().call_id()
    }

    /// The tool that asks.
    pub fn tool(&self) -> &ToolName {
        self.ticket.call().tool()
    }

    /// The deadline for answers: at this time of the system's clock, and later, an answer is refused.
    pub fn expires_at(&self) -> SystemTime {
        self.ticket.expires_at()
    }

    /// Its ticket, which may have other questions.
    pub fn ticket(&self) -> &Arc<Ticket> {
        &self.ticket
    }
}

impl UserInteractionRegistry {
    pub(crate) fn new(tickets: TicketBroker) -> Self {
        Self { tickets }
    }

    /// Puts a question before people, and gives what receives the reply. Dropping that cancels the
    /// question.
    ///
    /// The question belongs to a call, most simply by its [`ToolContext`](crate::ToolContext). The call waits in its
    /// task, even if the executor suspends calls that wait: such a question cannot be answered by
    /// [`Session::resume`](crate::Session::resume). A tool that is to work everywhere asks by
    /// [`ToolContext::ask`](crate::ToolContext::ask).
    ///
    /// ```
    /// use toolwright::{ToolContext, ToolError};
    /// use toolwright::question::{Question, UserInteractionRegistry};
    ///
    /// async fn approved(
    ///     plan: &str,
    ///     interactions: &UserInteractionRegistry,
    ///     ctx: &ToolContext,
    /// ) -> Result<bool, ToolError> {
    ///     let question = Question::yes_no("Is this the plan?").details(plan);
    ///     let receiver = interactions.register(ctx, question).await?;
    ///     let reply = receiver.recv().await?;
    ///     Ok(reply.is_yes() == Some(true))
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the question [cannot be asked](Question::validate), if nobody is there to be asked, or if the ticket
    /// cannot be stored.
    pub async fn register(
        &self,
        by: impl Into<Requester>,
        question: Question,
    ) -> Result<QuestionReceiver, ToolError> {
        let by = by.into();
        question.validate()?;
        let request = question.to_request().map_err(unwritable)?;
        if !self.tickets.is_attended() {
            return Err(unavailable(WaitKind::Question, request.summary()));
        }
        let waiting = self.tickets.register(by, WaitKind::Question, request);
        let waiting = waiting.await.map_err(no_tickets)?;
        Ok(QuestionReceiver::new(waiting, question))
    }

    /// The questions of a session that nobody has answered yet, the oldest first.
    ///
    /// # Errors
    ///
    /// Fails if the store of tickets cannot be read.
    pub async fn pending(
        &self,
        session: impl Into<SessionId>,
    ) -> Result<Vec<PendingQuestion>, TicketError> {
        let open = self.tickets.list(&TicketFilter::session(session)).await?;
        let mut questions = Vec::new();
        for pending in open {
            let ticket = pending.ticket();
            if ticket.kind() != WaitKind::Question {
                continue;
            }
            questions.extend(pending.left().into_iter().filter_map(|number| {
                Some(PendingQuestion {
                    ticket: Arc::clone(ticket),
                    number,
                    question: Question::of(ticket.requests().get(number)?)?,
                })
            }));
        }
        Ok(questions)
    }

    /// Answers a question: see [`Question::check`] for what it takes. Tells how far the ticket is.
    ///
    /// # Errors
    ///
    /// Fails if the answer does not fit ([`UnfitAnswer`](crate::ticket::TicketErrorKind::UnfitAnswer), whose text says
    /// what would), if there is an answer already, or if the question is gone; the kind says which.
    pub async fn respond(
        &self,
        question: impl Into<QuestionId>,
        answer: impl Into<serde_json::Value>,
    ) -> Result<AnswerProgress, TicketError> {
        self.say(question.into(), Answer::value(answer)).await
    }

    /// Declines to answer, with a reason that the model reads. Whoever asked several things at once
    /// gets none of them.
    ///
    /// # Errors
    ///
    /// Fails if there is an answer already, or if the question is gone; the kind says which.
    pub async fn decline(
        &self,
        question: impl Into<QuestionId>,
        reason: Option<&str>,
    ) -> Result<(), TicketError> {
        let no = Answer::no().with_reason(reason);
        self.say(question.into(), no).await.map(drop)
    }

    async fn say(
        &self,
        question: QuestionId,
        answer: Answer,
    ) -> Result<AnswerProgress, TicketError> {
        let answers = Answers::none().with(question.number, answer);
        self.tickets.answer(question.ticket, answers).await
    }

    /// Cancels the call that asks, which is not the same as a no.
    ///
    /// # Errors
    ///
    /// Fails if the question is gone, or if the store fails; the kind says which.
    pub async fn cancel(&self, question: impl Into<QuestionId>) -> Result<(), TicketError> {
        self.tickets.cancel(question.into().ticket).await
    }

    /// The tickets, of questions and of all else.
    pub fn tickets(&self) -> &TicketBroker {
        &self.tickets
    }
}
