//! Answers whose work is not done: the grant of an `always` is put, and what else it covers is
//! answered, before a call goes on that may ask for the same again.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::id::TicketId;

#[derive(Default)]
pub(super) struct Underway {
    tickets: Mutex<HashMap<TicketId, usize>>,
    ended: Notify,
}

impl Underway {
    fn tickets(&self) -> MutexGuard<'_, HashMap<TicketId, usize>> {
        self.tickets.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins to answer a ticket; it ends with the guard.
    pub(super) fn begin(&self, ticket: TicketId) -> Answering<'_> {
        *self.tickets().entry(ticket).or_default() += 1;
        Answering {
            underway: self,
            ticket,
        }
    }

    /// Waits until nobody is about to answer a ticket.
    pub(super) async fn none(&self, ticket: TicketId) {
        loop {
            // Made before looking: no end after this is missed.
            let ended = self.ended.notified();
            if !self.tickets().contains_key(&ticket) {
                return;
            }
            ended.await;
        }
    }
}

pub(super) struct Answering<'a> {
    underway: &'a Underway,
    ticket: TicketId,
}

impl Drop for Answering<'_> {
    fn drop(&mut self) {
        let mut tickets = self.underway.tickets();
        if let Some(count) = tickets.get_mut(&self.ticket) {
            *count -= 1;
            if *count == 0 {
                tickets.remove(&self.ticket);
                self.underway.ended.notify_waiters();
            }
        }
    }
}
