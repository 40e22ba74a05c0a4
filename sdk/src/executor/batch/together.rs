//! The work on several members of a batch at once: hooks see them together, and people are asked about them together.

use std::mem;
use std::sync::Arc;

use crate::executor::batch::run::{Batch, StartedMember};
use crate::executor::call::hooks::before_all;
use crate::executor::call::state::{CallState, Stage};
use crate::executor::people::service::no_tickets;
use crate::question::cancelled;
use crate::ticket::{Ticket, TicketError, TicketErrorKind, Wait};

impl Batch<'_> {
    pub(crate) fn shown(&mut self, shown: Vec<StartedMember>) {
        for (at, call_state, step) in shown {
            self.go_or_ask(at, call_state, step);
        }
        self.open();
    }

    /// Lets a call run, or keeps it until all calls ask their requests together.
    pub(crate) fn go_or_ask(&mut self, at: usize, call_state: Box<CallState>, step: Stage) {
        if matches!(step, Stage::Ask(_)) {
            // The calls behind it need not wait for people.
            call_state.leave_permit();
            self.begun.push((at, call_state, step));
        } else {
            self.go(at, Box::pin(call_state.drive(step)));
        }
    }

    /// All have begun.
    pub(crate) fn go_on_together(&mut self) {
        // People are asked in the order of the calls, not in the order in which they were evaluated.
        self.begun.sort_by_key(|(at, ..)| *at);
        if self.turn.shared().hooks.before.is_empty() {
            return self.open();
        }
        let mut begun = mem::take(&mut self.begun);
        self.showing = Some(Box::pin(async move {
            before_all(&mut begun).await;
            begun
        }));
    }

    /// Opens the tickets of all who ask.
    fn open(&mut self) {
        let mut drafts = Vec::with_capacity(self.begun.len());
        let mut opening = Vec::with_capacity(self.begun.len());
        for (at, call_state, step) in mem::take(&mut self.begun) {
            let Stage::Ask(asked) = step else {
                self.go(at, Box::pin(call_state.drive(step)));
                continue;
            };
            match call_state.draft(&asked) {
                Ok(draft) => {
                    drafts.push(draft);
                    opening.push((at, call_state, asked));
                }
                Err(error) => self.go(at, Box::pin(call_state.drive(Stage::refuse(error)))),
            }
        }
        if drafts.is_empty() {
            return;
        }
        let shared = Arc::clone(self.turn.shared());
        let token = self.turn.scope.cancellation().token().clone();
        self.opening = Some(Box::pin(async move {
            let opened = shared.base.people.broker.open(drafts);
            let tickets = token.run_until_cancelled(opened).await;
            let cancelled = || Err(TicketError::new(TicketErrorKind::Cancelled));
            (opening, tickets.unwrap_or_else(cancelled))
        }));
    }

    pub(crate) fn opened(
        &mut self,
        asking: Vec<(usize, Box<CallState>, Wait)>,
        tickets: Result<Vec<Arc<Ticket>>, TicketError>,
    ) {
        let (mut tickets, failed) = match tickets {
            Ok(tickets) => (tickets.into_iter(), None),
            Err(error) => {
                let refusal = match error.kind() {
                    TicketErrorKind::Cancelled => cancelled(),
                    _ => no_tickets(error),
                };
                (Vec::new().into_iter(), Some(refusal))
            }
        };
        for (at, call_state, asked) in asking {
            let step = match &failed {
                None => call_state.opened(asked, tickets.next()),
                Some(error) => Stage::refuse(error.clone()),
            };
            self.go(at, Box::pin(call_state.drive(step)));
        }
    }
}
