//! Waiting for a ticket to be settled, in the task of its call.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::time::Sleep;

use super::read::{VerifiedTicket, closed};
use super::{AnswerProgress, TicketBroker, TicketEvent, unavailable};
use crate::id::TicketId;
use crate::ticket::{Answer, CloseReason, StoreError, TicketError, WriteOutcome};
use crate::util::panic::catch_panic;

/// The end of a wait.
#[derive(Debug)]
pub(crate) enum Settled {
    /// All is answered, or enough of it; the ticket is used.
    Answered(Vec<Option<Answer>>),
    Cancelled,
    SessionEnded,
    Expired,
}

impl TicketBroker {
    /// Waits until a ticket is settled, and uses it.
    ///
    /// # Errors
    ///
    /// Fails if the store fails or holds data that does not verify, if somebody else used the ticket, or if the
    /// runtime has no timers, which the ticket's time needs.
    pub(crate) async fn settled(&self, id: TicketId) -> Result<Settled, TicketError> {
        self.tidy().await;
        let settings = self.settings()?;
        let mut timer = None;
        let mut over = false;
        let mut end = None;
        loop {
            let Some(row) = self.row(id).await? else {
                // A store removes expired tickets.
                let over = over || end.is_some_and(|end| end <= settings.now());
                return Ok(if over {
                    Settled::Expired
                } else {
                    Settled::SessionEnded
                });
            };
            if let Some(how) = row.closed {
                return ended(how);
            }
            if row.standing().is_settled() {
                self.shared.underway.none(id).await;
                let recorded = self.close(&row.ticket, CloseReason::Used).await?;
                return match self.used_up(row, recorded).await? {
                    Ok(row) => Ok(Settled::Answered(row.answers)),
                    Err(how) => ended(how),
                };
            }
            let end = *end.insert(row.ticket.expires_at());
            let left = end.duration_since(settings.now());
            let left = left.unwrap_or_default();
            if over || left.is_zero() {
                return match self.close(&row.ticket, CloseReason::Expired).await? {
                    WriteOutcome::Closed(how) => ended(how),
                    _ => Ok(Settled::Expired),
                };
            }
            let timer = match &mut timer {
                Some(timer) => timer,
                none => {
                    self.note_wait(&row.ticket);
                    none.insert(arm(left)?)
                }
            };
            let changed = settings.store.changed(id, row.kept_answers);
            match first(changed, timer).await? {
                Some(changed) => changed?,
                // The timer decides, so that setting the clock does not lengthen the wait.
                None => over = true,
            }
        }
    }

    /// Returns a settled ticket that was used, unless somebody was faster: then how it was closed.
    pub(super) async fn used_up(
        &self,
        row: VerifiedTicket,
        recorded: WriteOutcome,
    ) -> Result<Result<VerifiedTicket, CloseReason>, TicketError> {
        let id = row.ticket.id();
        match recorded {
            WriteOutcome::Now => {}
            WriteOutcome::Closed(how) => return Ok(Err(how)),
            WriteOutcome::Before => return Ok(Err(CloseReason::Used)),
            WriteOutcome::Unknown => return Ok(Err(CloseReason::SessionEnded)),
        }
        // Answers count until the ticket is closed, a refusal above all.
        let row = if row.answers.contains(&None) {
            self.row(id).await?.unwrap_or(row)
        } else {
            row
        };
        if row.standing() != AnswerProgress::Refused {
            self.tell(&TicketEvent::Resuming(Arc::clone(&row.ticket)));
        }
        Ok(Ok(row))
    }
}

fn ended(how: CloseReason) -> Result<Settled, TicketError> {
    match how {
        CloseReason::Used => Err(closed(how)),
        CloseReason::Cancelled => Ok(Settled::Cancelled),
        CloseReason::SessionEnded => Ok(Settled::SessionEnded),
        CloseReason::Expired => Ok(Settled::Expired),
    }
}

type Timer = Pin<Box<Sleep>>;

fn arm(left: Duration) -> Result<Timer, TicketError> {
    // Without this a thread that is in no runtime would panic below, and print it.
    Handle::try_current().map_err(|error| no_timers().with_source(error))?;
    // A runtime without timers panics when one is armed.
    catch_panic(|| Box::pin(tokio::time::sleep(left))).map_err(|_| no_timers())
}

/// The first of the two; `None` is the timer.
async fn first(
    changed: impl Future<Output = Result<(), StoreError>>,
    timer: &mut Timer,
) -> Result<Option<Result<(), StoreError>>, TicketError> {
    let mut changed = pin!(changed);
    poll_fn(|cx| {
        if let Poll::Ready(changed) = changed.as_mut().poll(cx) {
            return Poll::Ready(Ok(Some(changed)));
        }
        // A runtime that shuts down panics here.
        match catch_panic(|| timer.as_mut().poll(cx)) {
            Ok(polled) => polled.map(|()| Ok(None)),
            Err(_) => Poll::Ready(Err(no_timers())),
        }
    })
    .await
}

fn no_timers() -> TicketError {
    unavailable(
        "to wait for an answer until the ticket's time is over takes a Tokio runtime with timers: \
         `Builder::enable_time`",
    )
}
