//! Answers whose work is not done: the grant of an `always` is put, and what else it covers is
//! answered, before a call goes on that may ask for the same again.

use std::collections::HashMap;

use tokio::sync::Notify;

use crate::id::TicketId;
use crate::util::lock::Lock;

#[derive(Default)]
pub(super) struct Underway {
    tickets: Lock<HashMap<TicketId, usize>>,
    ended: Notify,
}

impl Underway {
    /// Begins to answer a ticket; it ends with the guard.
    pub(super) fn begin(&self, ticket: TicketId) -> Answering<'_> {
        *self.tickets.lock().entry(ticket).or_default() += 1;
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
            if !self.tickets.lock().contains_key(&ticket) {
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
        let mut tickets = self.underway.tickets.lock();
        if let Some(count) = tickets.get_mut(&self.ticket) {
            *count -= 1;
            if *count == 0 {
                tickets.remove(&self.ticket);
                self.underway.ended.notify_waiters();
            }
        }
    }
}
