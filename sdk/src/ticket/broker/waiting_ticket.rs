//! Tickets whose call waits in its task, however the executor waits.

use std::fmt;
use std::sync::Arc;

use super::{Draft, Settled, TicketBroker, unavailable};
use crate::id::InvocationId;
use crate::ticket::key::random_bytes;
use crate::ticket::{
    KeyPurpose, KeyedDigest, Pause, PendingCall, PendingRequest, Requester, ResumeMode, Settling,
    SuspendedCall, Ticket, TicketError, Wait, WaitKind,
};

/// A ticket whose call waits in its task: it is abandoned if the call goes away before it is settled.
pub(crate) struct WaitingTicket {
    broker: TicketBroker,
    ticket: Arc<Ticket>,
    pause: Option<Arc<dyn Pause>>,
    is_ours: bool,
}

impl WaitingTicket {
    pub(crate) fn new(broker: TicketBroker, ticket: Arc<Ticket>) -> Self {
        Self {
            broker,
            ticket,
            pause: None,
            is_ours: true,
        }
    }

    pub(crate) fn ticket(&self) -> &Arc<Ticket> {
        &self.ticket
    }

    /// The ticket, which stays when the call goes.
    pub(crate) fn let_go(mut self) -> Arc<Ticket> {
        self.is_ours = false;
        Arc::clone(&self.ticket)
    }

    /// Waits until it is settled.
    ///
    /// # Errors
    ///
    /// As for [`TicketBroker::settled`]; the ticket is then abandoned.
    pub(crate) async fn settled(&mut self) -> Result<Settled, TicketError> {
        let settling = self.broker.settled(self.ticket.id());
        let settled = match &self.pause {
            Some(pause) => {
                let settling: Settling<'_> = Box::pin(settling);
                pause.paused(settling).await
            }
            None => settling.await,
        }?;
        self.is_ours = false;
        Ok(settled)
    }
}

impl fmt::Debug for WaitingTicket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WaitingTicket({})", self.ticket.id())
    }
}

impl Drop for WaitingTicket {
    fn drop(&mut self) {
        if self.is_ours {
            self.broker.abandon(self.ticket.id());
        }
    }
}

impl TicketBroker {
    /// Puts one request before people, for a call that waits in its task.
    pub(crate) async fn register(
        &self,
        by: Requester,
        kind: WaitKind,
        request: PendingRequest,
    ) -> Result<WaitingTicket, TicketError> {
        let draft = Draft {
            session: by.session,
            turn: by.turn,
            invocation: by.invocation.map_or_else(some_invocation, Ok)?,
            call: PendingCall {
                tool: by.tool,
                version: None,
                title: None,
                call_id: by.call_id,
                arguments: None,
                purpose: None,
            },
            wait: Wait {
                kind,
                requests: vec![request],
                resume: ResumeMode::RunAgain,
                begun: false,
            },
            definition: self.no_definition()?,
            suspended: SuspendedCall::default(),
            after: None,
        };
        let opened = self.open(vec![draft]).await?;
        let ticket = opened.into_iter().next();
        let ticket = ticket.ok_or_else(|| unavailable("no ticket was opened"))?;
        let mut waiting = WaitingTicket::new(self.clone(), ticket);
        waiting.pause = by.pause;
        Ok(waiting)
    }

    /// The definition of no tool: the ticket is answered, and a claim of it is refused.
    pub(super) fn no_definition(&self) -> Result<KeyedDigest, TicketError> {
        Ok(self.settings()?.key.sign(KeyPurpose::Definition, &[]))
    }
}

/// The id of a call that is known by less than an id of ours.
fn some_invocation() -> Result<InvocationId, TicketError> {
    random_bytes().map(|bytes| InvocationId::from_random(u128::from_le_bytes(bytes)))
}
