//! The part of a call that asks people.

use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use super::{Settled, TicketError};
use crate::id::{CallId, InvocationId, SessionId, ToolName, TurnId};

/// A wait for a ticket.
pub(crate) type Settling<'a> =
    Pin<Box<dyn Future<Output = Result<Settled, TicketError>> + Send + 'a>>;

/// A call whose time stands still while it waits.
pub(crate) trait Pause: Debug + Send + Sync {
    fn paused<'a>(&'a self, settling: Settling<'a>) -> Settling<'a>;
}

/// The call that asks a person: most simply a [`ToolContext`](crate::ToolContext).
#[derive(Debug, Clone)]
pub struct Requester {
    pub(crate) tool: ToolName,
    pub(crate) call_id: Option<CallId>,
    pub(crate) session: SessionId,
    pub(crate) turn: TurnId,
    pub(crate) invocation: Option<InvocationId>,
    pub(crate) pause: Option<Arc<dyn Pause>>,
}

impl Requester {
    /// A call by what is known of it: the tool, the session, the turn. Its own timeout goes on while it
    /// waits, which that of a [`ToolContext`](crate::ToolContext) does not.
    pub fn new(tool: ToolName, session: impl Into<SessionId>, turn: TurnId) -> Self {
        Self {
            tool,
            call_id: None,
            session: session.into(),
            turn,
            invocation: None,
            pause: None,
        }
    }

    /// Sets the model's id of the call.
    pub fn with_call_id(mut self, call_id: impl Into<CallId>) -> Self {
        self.call_id = Some(call_id.into());
        self
    }

    /// Sets the invocation of a call that runs here.
    pub(crate) fn running(mut self, invocation: InvocationId, pause: Arc<dyn Pause>) -> Self {
        self.invocation = Some(invocation);
        self.pause = Some(pause);
        self
    }
}
