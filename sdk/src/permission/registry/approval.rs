//! The requests that wait for approval, as a host shows them.

use std::sync::Arc;

use crate::id::{CallId, SessionId, TicketId, ToolName, TurnId};
use crate::permission::PermissionRequest;
use crate::ticket::{OpenTicket, Ticket, TrustOption, WaitKind};

/// A call that waits for somebody to allow what it asks for.
///
/// Those of a turn can be shown as one prompt: [`PermissionRegistry::pending`] tells them together, and
/// [`PermissionRegistry::respond`] answers one of them. [`TicketBroker::answer`] answers all that a call asks for.
///
/// [`PermissionRegistry::pending`]: super::PermissionRegistry::pending
/// [`PermissionRegistry::respond`]: super::PermissionRegistry::respond
/// [`TicketBroker::answer`]: crate::ticket::TicketBroker::answer
#[derive(Debug, Clone, PartialEq)]
pub struct PendingApproval {
    ticket: Arc<Ticket>,
    asks: Vec<PendingAsk>,
}

/// A request that nobody has answered yet.
#[derive(Debug, Clone, PartialEq)]
pub struct PendingAsk {
    number: usize,
    request: PermissionRequest,
    why: Option<String>,
    trust: Vec<TrustOption>,
}

impl PendingApproval {
    /// Returns the open requests of a ticket, if it is for approval and can be read.
    pub(super) fn of(pending: &OpenTicket) -> Option<Self> {
        let ticket = pending.ticket();
        if ticket.kind() != WaitKind::Approval {
            return None;
        }
        let ask = |number: usize| {
            let asked = ticket.requests().get(number)?;
            Some(PendingAsk {
                number,
                request: PermissionRequest::from_pending(asked)?,
                why: asked.why().map(str::to_owned),
                trust: asked.trust_options().to_vec(),
            })
        };
        let asks: Vec<PendingAsk> = pending.left().into_iter().filter_map(ask).collect();
        (!asks.is_empty()).then(|| Self {
            ticket: Arc::clone(ticket),
            asks,
        })
    }

    /// Its ticket.
    pub fn ticket(&self) -> &Arc<Ticket> {
        &self.ticket
    }

    /// The id of its ticket, to respond to.
    pub fn id(&self) -> TicketId {
        self.ticket.id()
    }

    /// The session of the call.
    pub fn session(&self) -> &SessionId {
        self.ticket.session()
    }

    /// The turn of the call.
    pub fn turn(&self) -> TurnId {
        self.ticket.turn()
    }

    /// The model's own id of the call, which may be missing or repeat.
    pub fn call_id(&self) -> Option<&CallId> {
        self.ticket.call().call_id()
    }

    /// The tool.
    pub fn tool(&self) -> &ToolName {
        self.ticket.call().tool()
    }

    /// Returns the requests that are left to answer: at least one.
    pub fn asks(&self) -> &[PendingAsk] {
        &self.asks
    }
}

impl PendingAsk {
    /// Its number in the ticket, counted from 0.
    pub fn number(&self) -> usize {
        self.number
    }

    /// Returns the request, with its preview.
    pub fn request(&self) -> &PermissionRequest {
        &self.request
    }

    /// The reason why somebody is asked.
    pub fn why(&self) -> Option<&str> {
        self.why.as_deref()
    }

    /// Returns the options that `always` and `never` may name, the narrowest first.
    pub fn trust_options(&self) -> &[TrustOption] {
        &self.trust
    }
}
