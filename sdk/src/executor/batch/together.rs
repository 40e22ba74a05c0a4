//! What is done for several members of a batch at once: hooks see them together, and what has to be asked
//! about them is asked together.

use std::mem;
use std::sync::Arc;

use crate::executor::batch::members::{Batch, Begin};
use crate::executor::call::hooks::show_hooks;
use crate::executor::call::state::{Course, Step};
use crate::executor::people::answers::no_tickets;
use crate::executor::people::asked::Asked;
use crate::interaction::cancelled;
use crate::pending::{Ticket, TicketError, TicketErrorKind};

impl Batch<'_> {
    pub(crate) fn shown(&mut self, shown: Vec<Begin>) {
        for (at, course, step) in shown {
            self.go_or_ask(at, course, step);
        }
        self.open();
    }

    /// What is asked is asked together with what others ask.
    pub(crate) fn go_or_ask(&mut self, at: usize, course: Box<Course>, step: Step) {
        if matches!(step, Step::Ask(_)) {
            // Those behind it need not wait for people.
            course.leave_place();
            self.begun.push((at, course, step));
        } else {
            self.go(at, Box::pin(course.drive(step)));
        }
    }

    /// All have begun.
    pub(crate) fn go_on_together(&mut self) {
        // As they came, not as they were judged.
        self.begun.sort_by_key(|(at, ..)| *at);
        if self.turn.shared().hooks.before.is_empty() {
            return self.open();
        }
        let mut begun = mem::take(&mut self.begun);
        self.showing = Some(Box::pin(async move {
            show_hooks(&mut begun).await;
            begun
        }));
    }

    /// Opens the tickets of all who ask.
    fn open(&mut self) {
        let mut drafts = Vec::with_capacity(self.begun.len());
        let mut opening = Vec::with_capacity(self.begun.len());
        for (at, course, step) in mem::take(&mut self.begun) {
            let Step::Ask(asked) = step else {
                self.go(at, Box::pin(course.drive(step)));
                continue;
            };
            match course.draft(&asked) {
                Ok(draft) => {
                    drafts.push(draft);
                    opening.push((at, course, asked));
                }
                Err(error) => self.go(at, Box::pin(course.drive(Step::refuse(error)))),
            }
        }
        if drafts.is_empty() {
            return;
        }
        let shared = Arc::clone(self.turn.shared());
        let token = self.turn.scope.cancellation.token().clone();
        self.opening = Some(Box::pin(async move {
            let opened = shared.base.people.broker.open(drafts);
            let tickets = token.run_until_cancelled(opened).await;
            let cancelled = || Err(TicketError::new(TicketErrorKind::Cancelled));
            (opening, tickets.unwrap_or_else(cancelled))
        }));
    }

    pub(crate) fn opened(
        &mut self,
        asking: Vec<(usize, Box<Course>, Asked)>,
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
        for (at, course, asked) in asking {
            let step = match &failed {
                None => course.opened(asked, tickets.next()),
                Some(error) => Step::refuse(error.clone()),
            };
            self.go(at, Box::pin(course.drive(step)));
        }
    }
}
