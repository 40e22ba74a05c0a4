//! The progress of a ticket.

use std::sync::Arc;

use crate::id::TicketId;
use crate::ticket::{Answer, Decision, Ticket};

/// A ticket that is open, and what was answered so far.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenTicket {
    pub(super) ticket: Arc<Ticket>,
    pub(super) answers: Vec<Option<Answer>>,
}

impl OpenTicket {
    /// The ticket.
    pub fn ticket(&self) -> &Arc<Ticket> {
        &self.ticket
    }

    /// The ticket's id.
    pub fn id(&self) -> TicketId {
        self.ticket.id()
    }

    /// The answer to a request, by its number counted from 0, if there is one.
    pub fn answer(&self, request: usize) -> Option<&Answer> {
        self.answers.get(request)?.as_ref()
    }

    /// The numbers of the requests that somebody has yet to answer; none once it is
    /// [settled](AnswerProgress::is_settled).
    pub fn left(&self) -> Vec<usize> {
        match self.standing() {
            AnswerProgress::Waiting { left } => left,
            _ => Vec::new(),
        }
    }

    /// The progress of the ticket.
    pub fn standing(&self) -> AnswerProgress {
        AnswerProgress::of(&self.answers)
    }
}

/// The progress of a ticket after an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum AnswerProgress {
    /// Some requests have no answer yet.
    #[non_exhaustive]
    Waiting {
        /// Their numbers, counted from 0.
        left: Vec<usize>,
    },
    /// All is answered and nothing refused, or the arguments were edited: the call can go on.
    Ready,
    /// A request was refused, which settles the ticket: the call will not run.
    Refused,
}

impl AnswerProgress {
    /// Returns true if no more answers are needed.
    pub fn is_settled(&self) -> bool {
        !matches!(self, Self::Waiting { .. })
    }

    pub(super) fn of(answers: &[Option<Answer>]) -> Self {
        let mut given = answers.iter().flatten();
        if given.clone().any(Answer::is_refusal) {
            return Self::Refused;
        }
        if given.any(|answer| matches!(answer.decision(), Decision::Edited(_))) {
            return Self::Ready;
        }
        let unanswered =
            |(number, answer): (usize, &Option<Answer>)| answer.is_none().then_some(number);
        let left: Vec<usize> = answers.iter().enumerate().filter_map(unanswered).collect();
        if left.is_empty() {
            Self::Ready
        } else {
            Self::Waiting { left }
        }
    }
}
