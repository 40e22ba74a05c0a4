//! Answering tickets.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::read::{VerifiedTicket, closed, forged_answer, unknown};
use super::{AnswerProgress, TicketBroker, TicketEvent};
use crate::id::{SessionId, TicketId};
use crate::ticket::{
    Answer, Answers, CloseReason, Decision, GrantLevel, TicketError, TicketErrorKind, TicketFilter,
    WriteOutcome,
};

impl TicketBroker {
    /// Says what somebody answered: to every request that is left, or to some by their number. Tells
    /// how far the ticket is then.
    ///
    /// All is checked before anything is kept. `always` and `never` put a grant too, and answer what
    /// else waits in the session and is covered by it. Where the future is dropped, answers that were
    /// kept stand, perhaps without their grant.
    ///
    /// # Errors
    ///
    /// Fails if the ticket is not open, a request has an answer already, the request does not exist, the answer does
    /// not fit it, or the store fails; the kind says which. If two answer one request at the same time, one gets
    /// [`AlreadyAnswered`](TicketErrorKind::AlreadyAnswered); if two answer all that is left, only one who was too
    /// late for every request does.
    pub async fn answer(
        &self,
        id: TicketId,
        answers: impl Into<Answers>,
    ) -> Result<AnswerProgress, TicketError> {
        self.answer_all(id, answers.into()).await
    }

    /// Checks answers as [`answer`](Self::answer) does, and keeps none of them: for a form that stays open until
    /// what a person has filled in fits.
    ///
    /// # Errors
    ///
    /// As for [`answer`](Self::answer). Answers that pass may be refused later, when the ticket has changed.
    pub async fn check(
        &self,
        id: TicketId,
        answers: impl Into<Answers>,
    ) -> Result<(), TicketError> {
        let row = self.open_row(id).await?;
        self.accepted(&row, answers.into()).map(drop)
    }

    /// Says no to every request that is left, with a reason that the model reads.
    ///
    /// # Errors
    ///
    /// As for [`answer`](Self::answer).
    pub async fn decline(&self, id: TicketId, reason: Option<&str>) -> Result<(), TicketError> {
        let no = Answer::no().with_reason(reason);
        self.answer(id, no).await.map(drop)
    }

    /// Cancels the call of a ticket: it ends as cancelled. That is not a no, which the model may take
    /// for a decision about what it wants to do.
    ///
    /// # Errors
    ///
    /// Fails if the ticket is not open, or if the store fails.
    pub async fn cancel(&self, id: TicketId) -> Result<(), TicketError> {
        self.tidy().await;
        self.cancelled(id).await
    }

    /// Closes the tickets of a session and removes all that is kept of it.
    pub(crate) async fn end_session(&self, session: &SessionId) -> Result<(), TicketError> {
        let store = &self.settings()?.store;
        for row in self
            .open_rows(&TicketFilter::session(session.clone()))
            .await?
        {
            self.close(&row.ticket, CloseReason::SessionEnded).await?;
        }
        let forgotten = store.forget_session(session).await;
        self.grants_changed();
        Ok(forgotten?)
    }

    async fn answer_all(
        &self,
        id: TicketId,
        answers: Answers,
    ) -> Result<AnswerProgress, TicketError> {
        let _underway = self.shared.underway.begin(id);
        let mut row = self.open_row(id).await?;
        let named: BTreeSet<usize> = answers.numbered.keys().copied().collect();
        let mut kept = Vec::new();
        let mut failed = None;
        // The error of an answer to all that is left, if others answered some requests first.
        let mut late = None;
        for (number, answer) in self.accepted(&row, answers)? {
            match self.keep(&mut row, number, &answer).await {
                Ok(()) => kept.push(answer),
                // An answer that came too late does not keep the others from being stored.
                Err(error) if error.kind() == TicketErrorKind::AlreadyAnswered => {
                    let place = if named.contains(&number) {
                        &mut failed
                    } else {
                        &mut late
                    };
                    place.get_or_insert(error);
                }
                Err(error) => {
                    failed.get_or_insert(error);
                    break;
                }
            }
        }
        self.remember(row.ticket.session(), &kept).await?;
        if let Some(error) = failed.or(late.filter(|_| kept.is_empty())) {
            return Err(error);
        }
        if !row.standing().is_settled() {
            // Others may have answered the rest meanwhile, and one of the callers has to see that the ticket is
            // settled.
            if let Some(now) = self.row(id).await? {
                row = now;
            }
        }
        Ok(row.standing())
    }

    /// The answers by the numbers of their requests, refusals first: if not all can be stored, these are.
    fn accepted(
        &self,
        row: &VerifiedTicket,
        answers: Answers,
    ) -> Result<Vec<(usize, Answer)>, TicketError> {
        let Answers {
            numbered: mut said,
            rest,
        } = answers;
        for &number in said.keys() {
            match row.answers.get(number) {
                Some(None) => {}
                Some(Some(_)) => return Err(already(number)),
                None => return Err(no_such(number, row.answers.len())),
            }
        }
        if row.standing().is_settled() && (rest.is_some() || !said.is_empty()) {
            return Err(TicketError::new(TicketErrorKind::AlreadyAnswered)
                .with_detail("nothing of the ticket is left to answer"));
        }
        if let Some(answer) = rest {
            for (number, place) in row.answers.iter().enumerate() {
                if place.is_none() {
                    said.entry(number).or_insert_with(|| answer.clone());
                }
            }
        }
        if said.is_empty() {
            return Ok(Vec::new());
        }
        let rules = self.settings()?.rules()?;
        for (&number, answer) in &said {
            rules.check(&row.stored, number, answer).map_err(|text| {
                let detail = match row.answers.len() {
                    1 => text,
                    _ => format!("request {number}: {text}"),
                };
                TicketError::new(TicketErrorKind::UnfitAnswer).with_detail(detail)
            })?;
        }
        let kept = |(number, answer): (usize, Answer)| (number, answer.with_reason_of_one_line());
        let mut said: Vec<_> = said.into_iter().map(kept).collect();
        said.sort_by_key(|(_, answer)| !answer.is_refusal());
        Ok(said)
    }

    /// Keeps an answer, and tells of it.
    async fn keep(
        &self,
        row: &mut VerifiedTicket,
        number: usize,
        answer: &Answer,
    ) -> Result<(), TicketError> {
        let settings = self.settings()?;
        let id = row.ticket.id();
        let sealed = settings
            .key
            .seal_answer(&row.ticket, number, answer.clone())?;
        match settings.store.answer(id, number, &sealed).await? {
            WriteOutcome::Now => {}
            WriteOutcome::Before => {
                let sound = self.row(id).await?;
                let sound =
                    sound.is_some_and(|row| matches!(row.answers.get(number), Some(Some(_))));
                let error = if sound { already } else { forged_answer };
                return Err(error(number));
            }
            WriteOutcome::Closed(how) => return Err(closed(how)),
            WriteOutcome::Unknown => return Err(unknown()),
        }
        row.answers[number] = Some(answer.clone());
        self.tell(&TicketEvent::Answered {
            ticket: Arc::clone(&row.ticket),
            request: number,
            answer: answer.clone(),
            grant: None,
        });
        Ok(())
    }

    /// Puts the grants that answers give.
    async fn remember(&self, session: &SessionId, answers: &[Answer]) -> Result<(), TicketError> {
        let mut given: Vec<&Decision> = Vec::new();
        for answer in answers {
            let (covers, level) = match answer.decision() {
                // An answer to several requests is one grant.
                decision if given.contains(&decision) => continue,
                Decision::Always(covers) => (covers, GrantLevel::Allow),
                Decision::Never(covers) => (covers, GrantLevel::Deny),
                _ => continue,
            };
            given.push(answer.decision());
            let grant = self.new_grant(session.clone(), covers.clone(), level)?;
            let grant = grant.with_reason(answer.reason());
            self.add_grant(grant).await.map_err(|error| {
                TicketError::new(error.kind())
                    .with_detail("the answer stands, but not for more than this call")
                    .with_source(error)
            })?;
        }
        Ok(())
    }
}

fn already(number: usize) -> TicketError {
    TicketError::new(TicketErrorKind::AlreadyAnswered).with_detail(format!("request {number}"))
}

fn no_such(number: usize, count: usize) -> TicketError {
    let detail = format!("{number} of {count}, which are counted from 0");
    TicketError::new(TicketErrorKind::NoSuchRequest).with_detail(detail)
}
