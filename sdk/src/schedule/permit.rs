//! The permit that a call holds while its body runs: its place among the calls of one message, and a slot where only
//! so many may run at a time.

use std::future::poll_fn;
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker, ready};

use tokio::sync::{
    OwnedRwLockReadGuard, OwnedRwLockWriteGuard, OwnedSemaphorePermit, RwLock, Semaphore,
};
use tokio::task::coop::unconstrained;

use crate::util::future::BoxFuture;

/// The calls of one message that keep their order: those that may share it run together, any other
/// alone, after what came before it and before what came after.
///
/// The lock is fair: who asks first gets it first.
#[derive(Debug, Clone, Default)]
pub(crate) struct BatchLock(Arc<RwLock<()>>);

/// The requirements of a call, and the parts that it holds. The order in which they are taken is that of the fields:
/// no call waits for the lock while it holds a slot, which a call that has the lock may wait for.
#[derive(Debug)]
struct Requirements {
    /// And whether it may be shared.
    batch_lock: Option<(BatchLock, bool)>,
    of_session: Option<Arc<Semaphore>>,
    of_tool: Option<Arc<Semaphore>>,
    /// True if it waits for the tool's slot.
    waits_for_tool: bool,
}

/// The permit of a call. It is given back when the call [releases](Self::release) it or has ended.
pub(crate) struct ConcurrencyPermit {
    requirements: Requirements,
    /// The permit of the call that made this one.
    parent: Option<Arc<ConcurrencyPermit>>,
    /// True if the body goes on without the parts that it let go of, because it gave up a wait.
    lost_permit: AtomicBool,
    state: Mutex<PermitState>,
}

enum PermitState {
    Released,
    Acquiring {
        acquiring: BoxFuture<'static, Result<HeldGuards, Saturated>>,
        /// True if the call is at the point where it needs everything. Before, it takes no slot.
        needs_all: Arc<AtomicBool>,
        /// The wakers of those who wait for it: a body may wait for several things at once.
        wakers: Vec<Waker>,
    },
    Held {
        _held: HeldGuards,
    },
    /// The call has ended.
    Closed,
}

struct HeldGuards {
    _shared: Option<OwnedRwLockReadGuard<()>>,
    _alone: Option<OwnedRwLockWriteGuard<()>>,
    _of_session: Option<OwnedSemaphorePermit>,
    _of_tool: Option<OwnedSemaphorePermit>,
}

/// All slots of the tool are taken, and the call must not wait for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Saturated;

impl ConcurrencyPermit {
    /// Returns the permit of a call, or `None` where it needs none.
    ///
    /// A call that another one made is part of that one, which holds the lock and the slot of the session
    /// for both, and the slot of a tool that calls itself. It waits for a slot only if those above it
    /// hold none of another tool: two tools that call each other would wait for ever.
    #[inline]
    pub(crate) fn new(
        batch_lock: Option<(BatchLock, bool)>,
        of_session: Option<Arc<Semaphore>>,
        of_tool: Option<Arc<Semaphore>>,
        parent: Option<Arc<Self>>,
    ) -> Option<Arc<Self>> {
        // Nearly every call needs none, and does not get further.
        if batch_lock.is_none() && of_session.is_none() && of_tool.is_none() {
            return None;
        }
        Self::of_parts(batch_lock, of_session, of_tool, parent)
    }

    fn of_parts(
        batch_lock: Option<(BatchLock, bool)>,
        of_session: Option<Arc<Semaphore>>,
        of_tool: Option<Arc<Semaphore>>,
        parent: Option<Arc<Self>>,
    ) -> Option<Arc<Self>> {
        let requirements = match parent.as_deref() {
            None => Requirements {
                batch_lock,
                of_session,
                of_tool,
                waits_for_tool: true,
            },
            Some(parent) => Requirements {
                batch_lock: None,
                of_session: None,
                waits_for_tool: !parent.limits_tools(),
                of_tool: of_tool.filter(|slots| !parent.has(slots)),
            },
        };
        let is_needed = requirements.batch_lock.is_some()
            || requirements.of_session.is_some()
            || requirements.of_tool.is_some();
        is_needed.then(|| {
            Arc::new(Self {
                requirements,
                parent,
                lost_permit: AtomicBool::new(false),
                state: Mutex::new(PermitState::Released),
            })
        })
    }

    fn limits_tools(&self) -> bool {
        let parent = self.parent.as_deref();
        self.requirements.of_tool.is_some() || parent.is_some_and(Self::limits_tools)
    }

    fn has(&self, slots: &Arc<Semaphore>) -> bool {
        let own = self.requirements.of_tool.as_ref();
        own.is_some_and(|own| Arc::ptr_eq(own, slots))
            || self
                .parent
                .as_deref()
                .is_some_and(|parent| parent.has(slots))
    }

    fn state(&self) -> MutexGuard<'_, PermitState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues for the lock of the batch, without waiting for its turn.
    pub(crate) fn enqueue(&self) {
        let _ = self.poll(&mut Context::from_waker(Waker::noop()), false);
    }

    /// Waits until all is held.
    pub(crate) async fn acquire(&self) -> Result<(), Saturated> {
        poll_fn(|cx| self.poll(cx, true)).await
    }

    /// Takes all that the call needs, if it is free and the call has not queued for it. Returns true if all is held.
    pub(crate) fn try_acquire(&self) -> bool {
        let mut state = self.state();
        if matches!(*state, PermitState::Released)
            && let Some(held) = self.requirements.free()
        {
            *state = PermitState::Held { _held: held };
        }
        matches!(*state, PermitState::Held { .. })
    }

    fn poll(&self, cx: &mut Context<'_>, enters: bool) -> Poll<Result<(), Saturated>> {
        let mut state = self.state();
        if matches!(*state, PermitState::Released) {
            let needs_all = Arc::new(AtomicBool::new(enters));
            let all = self.requirements.all(Arc::clone(&needs_all));
            *state = PermitState::Acquiring {
                acquiring: Box::pin(unconstrained(all)),
                needs_all,
                wakers: Vec::new(),
            };
        }
        let PermitState::Acquiring {
            acquiring,
            needs_all,
            wakers,
        } = &mut *state
        else {
            return Poll::Ready(Ok(()));
        };
        if enters {
            needs_all.store(true, Ordering::Relaxed);
        }
        match acquiring.as_mut().poll(cx) {
            Poll::Pending => {
                if !wakers.iter().any(|known| known.will_wake(cx.waker())) {
                    wakers.push(cx.waker().clone());
                }
                Poll::Pending
            }
            Poll::Ready(held) => {
                let wakers = mem::take(wakers);
                let (next, ended) = match held {
                    Ok(held) => (PermitState::Held { _held: held }, Ok(())),
                    Err(saturated) => (PermitState::Released, Err(saturated)),
                };
                *state = next;
                drop(state);
                wakers.into_iter().for_each(Waker::wake);
                Poll::Ready(ended)
            }
        }
    }

    /// Waits until all is held once more, where a body goes on that gave up a wait.
    pub(crate) fn poll_reacquire(&self, cx: &mut Context<'_>) -> Poll<Result<(), Saturated>> {
        if !self.lost_permit.load(Ordering::Relaxed) {
            return Poll::Ready(Ok(()));
        }
        let back = ready!(self.poll(cx, true));
        self.lost_permit.store(false, Ordering::Relaxed);
        Poll::Ready(back)
    }

    /// A body that had [released](Self::release_while_waiting) its permit goes on without it. At its next step it
    /// [acquires](Self::poll_reacquire) one again.
    pub(crate) fn note_lost_permit(&self) {
        if self.parent.is_none() {
            self.lost_permit.store(true, Ordering::Relaxed);
        }
    }

    fn change_state(&self, next: PermitState) {
        let before = {
            let mut state = self.state();
            if matches!(*state, PermitState::Closed) {
                return;
            }
            mem::replace(&mut *state, next)
        };
        // The drop wakes other calls, so no lock is held here.
        if let PermitState::Acquiring {
            acquiring, wakers, ..
        } = before
        {
            drop(acquiring);
            wakers.into_iter().for_each(Waker::wake);
        }
    }

    /// Releases the permit; to [acquire](Self::acquire) it again, the call queues anew.
    pub(crate) fn release(&self) {
        self.change_state(PermitState::Released);
    }

    /// Releases the permit while a body waits for people. A call that another one made keeps it: the parent would
    /// hold its own while this one waits for its turn.
    pub(crate) fn release_while_waiting(&self) {
        if self.parent.is_none() {
            self.lost_permit.store(false, Ordering::Relaxed);
            self.release();
        }
    }
}

impl Requirements {
    /// Takes the slots, if all of them are free. A place in a batch is waited for.
    fn free(&self) -> Option<HeldGuards> {
        if self.batch_lock.is_some() {
            return None;
        }
        let slot = |slots: &Option<Arc<Semaphore>>| match slots {
            Some(slots) => Arc::clone(slots).try_acquire_owned().ok().map(Some),
            None => Some(None),
        };
        Some(HeldGuards {
            _shared: None,
            _alone: None,
            _of_session: slot(&self.of_session)?,
            _of_tool: slot(&self.of_tool)?,
        })
    }

    /// The future owns everything that it waits for, so that it does not keep the permit alive.
    fn all(
        &self,
        needs_all: Arc<AtomicBool>,
    ) -> impl Future<Output = Result<HeldGuards, Saturated>> + Send + 'static {
        let batch_lock = self.batch_lock.clone();
        let of_session = self.of_session.clone();
        let of_tool = self.of_tool.clone();
        let waits_for_tool = self.waits_for_tool;
        async move {
            let (mut shared, mut alone) = (None, None);
            match batch_lock {
                Some((BatchLock(batch_lock), true)) => shared = Some(batch_lock.read_owned().await),
                Some((BatchLock(batch_lock), false)) => {
                    alone = Some(batch_lock.write_owned().await);
                }
                None => {}
            }
            // A call that enters polls this future itself, so no waker is needed.
            poll_fn(|_| {
                if needs_all.load(Ordering::Relaxed) {
                    Poll::Ready(())
                } else {
                    Poll::Pending
                }
            })
            .await;
            // The semaphores are never closed, so acquiring cannot fail.
            let of_session = match of_session {
                Some(slots) => slots.acquire_owned().await.ok(),
                None => None,
            };
            let of_tool = match of_tool {
                None => None,
                Some(slots) if waits_for_tool => slots.acquire_owned().await.ok(),
                Some(slots) => Some(slots.try_acquire_owned().map_err(|_| Saturated)?),
            };
            Ok(HeldGuards {
                _shared: shared,
                _alone: alone,
                _of_session: of_session,
                _of_tool: of_tool,
            })
        }
    }
}

/// The permit of one call: it is closed when the call ends, in whatever way.
#[derive(Debug)]
pub(crate) struct PermitGuard(Arc<ConcurrencyPermit>);

impl PermitGuard {
    pub(crate) fn new(permit: Arc<ConcurrencyPermit>) -> Self {
        Self(permit)
    }

    pub(crate) fn permit(&self) -> &ConcurrencyPermit {
        &self.0
    }
}

impl Drop for PermitGuard {
    fn drop(&mut self) {
        self.0.change_state(PermitState::Closed);
    }
}

impl std::fmt::Debug for ConcurrencyPermit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ConcurrencyPermit")
            .field("wants", &self.requirements)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
