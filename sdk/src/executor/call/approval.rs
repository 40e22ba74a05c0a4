//! The stage that asks people.

use std::sync::Arc;

use crate::content::ToolError;
use crate::context::TurnScope;
use crate::executor::call::state::{CallState, Stage};
use crate::executor::people::asked::{cannot_wait, would_suspend};
use crate::executor::people::service::{CallDraft, no_tickets};
use crate::question::cancelled;
use crate::ticket::{ClaimGuard, Draft, SuspendedCall, Ticket, Wait, WaitingTicket};

impl CallState {
    /// Opens a ticket.
    pub(crate) async fn ask(&mut self, asked: Wait) -> Stage {
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

    pub(crate) fn opened(&self, asked: Wait, ticket: Option<Arc<Ticket>>) -> Stage {
        match ticket {
            Some(ticket) => {
                let broker = self.shared.base.people.broker.clone();
                Stage::Opened(asked, WaitingTicket::new(broker, ticket))
            }
            None => Stage::refuse(ToolError::internal("the call cannot be made to wait")),
        }
    }

    /// A ticket to be.
    pub(crate) fn draft(&self, asked: &Wait) -> Result<Draft, ToolError> {
        // A cancelled call does not run any more, so nobody is asked about it.
        if self.is_cancelled() {
            return Err(cancelled());
        }
        let mode = self.shared.base.people.mode;
        if would_suspend(mode, self.call_stack.as_deref()) {
            return Err(cannot_wait(&self.entry().name, asked));
        }
        let repairs = self.notes.repairs.as_deref();
        let call = CallDraft {
            session: &self.session.id,
            identity: &self.identity,
            arguments: &self.arguments,
            purpose: self.notes.purpose.as_deref(),
            suspended: SuspendedCall {
                metadata: self.metadata.as_deref().cloned(),
                repairs: repairs.cloned().unwrap_or_default(),
                edited: self.edited,
                earlier: self.answered.clone(),
                hooked: self.hooked,
                rewritten: self.rewritten,
                ..SuspendedCall::default()
            },
            after: self.claim.as_ref().and_then(ClaimGuard::ticket),
        };
        let people = &self.shared.base.people;
        people.draft(&self.entry().name, self.spec()?, call, asked)
    }

    fn is_cancelled(&self) -> bool {
        let turn = self.turn.as_deref();
        self.session.cancellation.is_cancelled() || turn.is_some_and(TurnScope::is_cancelled)
    }
}
