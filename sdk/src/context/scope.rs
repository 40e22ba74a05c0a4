//! The data that the calls of a turn share, and the data of a single call.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use tokio::sync::watch;

use super::block::TurnBlock;
use super::cancellation::Cancellation;
use crate::content::{CallStatus, IllegalStep};
use crate::id::{InvocationId, TurnId};
use crate::schedule::ConcurrencyPermit;
use crate::util::lock::Lock;

/// The data that the calls of a turn share. A turn of one call needs none; a call that can be cancelled or looked at
/// separately, or that holds a [`ConcurrencyPermit`], has one of its own.
#[derive(Debug)]
pub(crate) struct TurnScope {
    /// The id of the turn.
    pub(crate) id: TurnId,
    cancellation: ScopeCancellation,
    /// Set before the token is cancelled.
    pub(crate) cancelled: AtomicBool,
    /// The one that this is part of.
    parent: Option<Arc<TurnScope>>,
    /// The block of the whole turn. It is set in the topmost scope alone, before that is cancelled.
    block: OnceLock<Arc<TurnBlock>>,
    own: Option<Own>,
}

/// The cancellation of a scope.
#[derive(Debug)]
enum ScopeCancellation {
    Given(Cancellation),
    /// A child of that of a scope, made when it is first asked for: a token costs more than all else of a call's own,
    /// and most calls neither look at it nor are cancelled one by one.
    ChildOf(Arc<TurnScope>, OnceLock<Cancellation>),
}

/// A call's own.
#[derive(Debug)]
struct Own {
    invocation: InvocationId,
    permit: Option<Arc<ConcurrencyPermit>>,
    status: Lock<Status>,
}

/// The status of a call, and a mark if it is the last.
#[derive(Debug)]
struct Status {
    now: CallStatus,
    is_last: bool,
    /// Once somebody has begun to watch: a channel costs more than all else of a call's own.
    watched: Option<watch::Sender<(CallStatus, bool)>>,
}

impl Own {
    fn new(
        invocation: InvocationId,
        status: CallStatus,
        permit: Option<Arc<ConcurrencyPermit>>,
    ) -> Self {
        Self {
            invocation,
            permit,
            status: Lock::new(Status {
                now: status,
                is_last: false,
                watched: None,
            }),
        }
    }
}

impl Status {
    fn tell(&self) {
        if let Some(watched) = &self.watched {
            watched.send_replace((self.now, self.is_last));
        }
    }

    fn close(&mut self) {
        if !self.now.is_final() && self.now != CallStatus::Suspended {
            self.now = CallStatus::Cancelled;
        }
        self.is_last = true;
        self.tell();
    }
}

impl TurnScope {
    /// The scope of a turn.
    pub(crate) fn new(id: TurnId, cancellation: Cancellation) -> Self {
        Self::with(id, ScopeCancellation::Given(cancellation))
    }

    fn with(id: TurnId, cancellation: ScopeCancellation) -> Self {
        Self {
            id,
            cancellation,
            cancelled: AtomicBool::new(false),
            parent: None,
            block: OnceLock::new(),
            own: None,
        }
    }

    /// The scope of the calls that a call makes, below that of the call.
    pub(crate) fn child(id: TurnId, cancellation: Cancellation, parent: Option<Arc<Self>>) -> Self {
        Self {
            cancelled: AtomicBool::new(cancellation.is_cancelled()),
            parent,
            ..Self::new(id, cancellation)
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
            parent,
            own: Some(Own::new(invocation, status, permit)),
            ..Self::new(id, cancellation)
        }
    }

    /// The own scope of a call that is to begin in a turn, and is cancelled with it.
    pub(crate) fn of_task(
        turn: &Arc<Self>,
        invocation: InvocationId,
        permit: Option<Arc<ConcurrencyPermit>>,
    ) -> Self {
        let cancellation = ScopeCancellation::ChildOf(Arc::clone(turn), OnceLock::new());
        Self {
            parent: Some(Arc::clone(turn)),
            own: Some(Own::new(invocation, CallStatus::New, permit)),
            ..Self::with(turn.id, cancellation)
        }
    }

    pub(crate) fn cancellation(&self) -> &Cancellation {
        match &self.cancellation {
            ScopeCancellation::Given(cancellation) => cancellation,
            ScopeCancellation::ChildOf(scope, made) => {
                made.get_or_init(|| scope.cancellation().child_token())
            }
        }
    }

    /// Returns true if the token is cancelled, or would be if it were made.
    pub(crate) fn is_cancelled(&self) -> bool {
        match &self.cancellation {
            ScopeCancellation::Given(cancellation) => cancellation.is_cancelled(),
            ScopeCancellation::ChildOf(scope, made) => match made.get() {
                Some(cancellation) => cancellation.is_cancelled(),
                None => scope.is_cancelled(),
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
    pub(super) fn was_told_to_cancel(&self) -> bool {
        let told = self.cancelled.load(Ordering::Relaxed);
        told || self.parent.as_deref().is_some_and(Self::was_told_to_cancel)
    }

    /// The topmost scope of the turn.
    pub(crate) fn whole(self: &Arc<Self>) -> &Arc<Self> {
        match &self.parent {
            Some(parent) => parent.whole(),
            None => self,
        }
    }

    /// The decision of a gate that ended the turn, if one did.
    pub(crate) fn block(&self) -> Option<&Arc<TurnBlock>> {
        match &self.parent {
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
        own.or_else(|| self.parent.as_deref()?.permit())
    }

    /// Returns true if it is the scope of that call alone.
    pub(crate) fn is_of(&self, call: InvocationId) -> bool {
        self.own.as_ref().is_some_and(|own| own.invocation == call)
    }

    pub(crate) fn status(&self) -> CallStatus {
        let own = self.own.as_ref();
        own.map_or_else(CallStatus::default, |own| own.status.lock().now)
    }

    pub(crate) fn watch(&self) -> Option<watch::Receiver<(CallStatus, bool)>> {
        let mut status = self.own.as_ref()?.status.lock();
        let now = (status.now, status.is_last);
        let watched = &mut status.watched;
        let watched = watched.get_or_insert_with(|| watch::Sender::new(now));
        Some(watched.subscribe())
    }

    /// The call goes on to another status.
    pub(crate) fn step(&self, next: CallStatus) -> Result<(), IllegalStep> {
        let Some(own) = &self.own else {
            return Ok(());
        };
        let mut status = own.status.lock();
        status.now = status.now.step(next)?;
        status.tell();
        Ok(())
    }

    /// The call has ended in a status, unless it waits in a ticket: nothing more will be told of it.
    pub(crate) fn end(&self, last: Option<CallStatus>) -> Result<(), IllegalStep> {
        let Some(own) = &self.own else {
            return Ok(());
        };
        let mut status = own.status.lock();
        let stepped = match last {
            Some(last) if !status.now.is_final() => status.now.step(last),
            _ => Ok(status.now),
        };
        if let Ok(now) = stepped {
            status.now = now;
        }
        status.close();
        stepped.map(drop)
    }

    /// Nothing more will be told of the call. If it has not ended and does not wait in a ticket, it was
    /// stopped.
    pub(crate) fn close(&self) {
        if let Some(own) = &self.own {
            own.status.lock().close();
        }
    }

    /// Returns true if nothing more will be told of the call.
    pub(crate) fn is_closed(&self) -> bool {
        let own = self.own.as_ref();
        own.is_some_and(|own| own.status.lock().is_last)
    }
}

#[cfg(test)]
mod tests;
