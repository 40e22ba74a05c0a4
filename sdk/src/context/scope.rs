//! The data that the calls of a turn share, and the data of a single call.

use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use tokio::sync::watch;

use super::block::TurnBlock;
use super::cancellation::Cancellation;
use super::status_cell::{NextStatus, StatusCell};
use crate::content::{CallStatus, IllegalStep};
use crate::id::{InvocationId, TurnId};
use crate::schedule::ConcurrencyPermit;

/// The data that the calls of a turn share. A turn of one call needs none; a call that can be cancelled or looked at
/// separately, or that holds a [`ConcurrencyPermit`], has one of its own.
#[derive(Debug)]
pub(crate) struct TurnScope {
    /// The id of the turn.
    pub(crate) id: TurnId,
    origin: ScopeOrigin,
    /// Set before the token is cancelled.
    pub(crate) cancelled: AtomicBool,
    /// The block of the whole turn. It is set in the topmost scope alone, before that is cancelled.
    block: OnceLock<Arc<TurnBlock>>,
    own: Option<Own>,
}

/// The scope that a scope is part of, and its cancellation.
#[derive(Debug)]
enum ScopeOrigin {
    /// The cancellation was given.
    Given(Cancellation, Option<Arc<TurnScope>>),
    /// The cancellation is a child of that of the scope above, made when it is first asked for: a token costs more than
    /// all else of a call's own, and most calls neither look at it nor are cancelled one by one.
    Below(Arc<TurnScope>, OnceLock<Cancellation>),
}

/// A call's own.
#[derive(Debug)]
struct Own {
    invocation: InvocationId,
    permit: Option<Arc<ConcurrencyPermit>>,
    status: StatusCell,
}

impl Own {
    fn new(
        invocation: InvocationId,
        status: (CallStatus, bool),
        permit: Option<Arc<ConcurrencyPermit>>,
    ) -> Self {
        Self {
            invocation,
            permit,
            status: StatusCell::new(status),
        }
    }
}

/// The call goes on to another status.
pub(super) fn step(next: CallStatus) -> impl Fn(CallStatus) -> NextStatus<IllegalStep> {
    move |now| Ok((now.step(next)?, false))
}

/// The call has ended in a status, unless it waits in a ticket.
pub(super) fn end(last: Option<CallStatus>) -> impl Fn(CallStatus) -> NextStatus<IllegalStep> {
    move |now| match last {
        Some(last) if !now.is_final() => Ok((closed(now.step(last)?), true)),
        _ => Ok((closed(now), true)),
    }
}

/// Nothing more will be told of the call.
pub(super) fn close() -> impl Fn(CallStatus) -> NextStatus<Infallible> {
    |now| Ok((closed(now), true))
}

/// The status of a call of which nothing more is told: if it has not ended and does not wait in a ticket, it was stopped.
fn closed(status: CallStatus) -> CallStatus {
    if status.is_final() || status == CallStatus::Suspended {
        status
    } else {
        CallStatus::Cancelled
    }
}

impl TurnScope {
    /// The scope of a turn.
    pub(crate) fn new(id: TurnId, cancellation: Cancellation) -> Self {
        Self::with(id, ScopeOrigin::Given(cancellation, None))
    }

    fn with(id: TurnId, origin: ScopeOrigin) -> Self {
        Self {
            id,
            origin,
            cancelled: AtomicBool::new(false),
            block: OnceLock::new(),
            own: None,
        }
    }

    /// The scope of the calls that a call makes, below that of the call.
    pub(crate) fn child(id: TurnId, cancellation: Cancellation, parent: Option<Arc<Self>>) -> Self {
        Self {
            cancelled: AtomicBool::new(cancellation.is_cancelled()),
            ..Self::with(id, ScopeOrigin::Given(cancellation, parent))
        }
    }

    /// A call's own, below that of its turn or of the call that made it.
    pub(crate) fn of_call(
        id: TurnId,
        invocation: InvocationId,
        cancellation: Cancellation,
        parent: Option<Arc<Self>>,
        status: CallStatus,
        permit: Option<Arc<ConcurrencyPermit>>,
    ) -> Self {
        Self {
            own: Some(Own::new(invocation, (status, false), permit)),
            ..Self::with(id, ScopeOrigin::Given(cancellation, parent))
        }
    }

    /// The own scope of a call in a turn, which is cancelled with it. With its status, and true if that is the last.
    pub(super) fn of_task(
        turn: &Arc<Self>,
        invocation: InvocationId,
        status: (CallStatus, bool),
        permit: Option<Arc<ConcurrencyPermit>>,
    ) -> Self {
        let origin = ScopeOrigin::Below(Arc::clone(turn), OnceLock::new());
        Self {
            own: Some(Own::new(invocation, status, permit)),
            ..Self::with(turn.id, origin)
        }
    }

    /// The scope that this is part of.
    fn parent(&self) -> Option<&Arc<Self>> {
        match &self.origin {
            ScopeOrigin::Given(_, parent) => parent.as_ref(),
            ScopeOrigin::Below(parent, _) => Some(parent),
        }
    }

    pub(crate) fn cancellation(&self) -> &Cancellation {
        match &self.origin {
            ScopeOrigin::Given(cancellation, _) => cancellation,
            ScopeOrigin::Below(parent, made) => {
                made.get_or_init(|| parent.cancellation().child_token())
            }
        }
    }

    /// Returns true if the token is cancelled, or would be if it were made.
    pub(crate) fn is_cancelled(&self) -> bool {
        match &self.origin {
            ScopeOrigin::Given(cancellation, _) => cancellation.is_cancelled(),
            ScopeOrigin::Below(parent, made) => match made.get() {
                Some(cancellation) => cancellation.is_cancelled(),
                None => parent.is_cancelled(),
            },
        }
    }

    /// Cancels the token, and makes it for that where nobody has: whoever looks for it later, or at the same time,
    /// gets this one and no other.
    pub(crate) fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
        self.cancellation().cancel();
    }

    #[inline]
    pub(crate) fn was_told_to_cancel(&self) -> bool {
        let told = self.cancelled.load(Ordering::Relaxed);
        told || self
            .parent()
            .is_some_and(|parent| parent.was_told_to_cancel())
    }

    /// The topmost scope of the turn.
    pub(crate) fn whole(self: &Arc<Self>) -> &Arc<Self> {
        match self.parent() {
            Some(parent) => parent.whole(),
            None => self,
        }
    }

    /// The decision of a gate that ended the turn, if one did.
    pub(crate) fn block(&self) -> Option<&Arc<TurnBlock>> {
        match self.parent() {
            Some(parent) => parent.block(),
            None => self.block.get(),
        }
    }

    /// Ends the turn whose topmost scope this is. The first block stands.
    pub(super) fn end_by(&self, block: Arc<TurnBlock>) {
        let _ = self.block.set(block);
        self.cancel();
    }

    /// The seat of a call, or of the nearest call around it that has one.
    pub(crate) fn permit(&self) -> Option<&Arc<ConcurrencyPermit>> {
        let own = self.own.as_ref().and_then(|own| own.permit.as_ref());
        own.or_else(|| self.parent()?.permit())
    }

    /// Returns true if it is the scope of that call alone.
    pub(crate) fn is_of(&self, call: InvocationId) -> bool {
        self.own.as_ref().is_some_and(|own| own.invocation == call)
    }

    /// The status of the call whose scope this is, and true if it is the last.
    pub(crate) fn status(&self) -> (CallStatus, bool) {
        let own = self.own.as_ref();
        own.map_or_else(Default::default, |own| own.status.get())
    }

    pub(crate) fn watch(&self) -> Option<watch::Receiver<(CallStatus, bool)>> {
        Some(self.own.as_ref()?.status.watch())
    }

    /// Changes the status of the call whose scope this is.
    pub(super) fn change<E>(&self, next: impl Fn(CallStatus) -> NextStatus<E>) -> Result<(), E> {
        match &self.own {
            Some(own) => own.status.change(next),
            None => Ok(()),
        }
    }

    /// The call goes on to another status.
    pub(crate) fn step(&self, next: CallStatus) -> Result<(), IllegalStep> {
        self.change(step(next))
    }
}

#[cfg(test)]
pub(super) mod tests;
