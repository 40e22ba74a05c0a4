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
pub(crate) struct Lane(Arc<RwLock<()>>);

/// The requirements of a call, and the parts that it holds. The order in which they are taken is that of the fields:
/// no call waits for a place in a lane while it holds a slot, which a call of that lane may wait for.
#[derive(Debug)]
struct Wants {
    /// And whether it may be shared.
    lane: Option<(Lane, bool)>,
    of_session: Option<Arc<Semaphore>>,
    of_tool: Option<Arc<Semaphore>>,
    /// True if it waits for the tool's slot.
    is_patient: bool,
}

/// A call's seat. What is held is let go of when the call [leaves](Self::leave) or has ended.
pub(crate) struct Seat {
    wants: Wants,
    /// The seat of the call that made this one.
    above: Option<Arc<Seat>>,
    /// True if the call is at the point where it needs everything. Before, it takes no slot.
    enters: Arc<AtomicBool>,
    /// True if the body goes on without the parts that it let go of, because it gave up a wait.
    astray: AtomicBool,
    place: Mutex<Place>,
}

enum Place {
    Out,
    Coming {
        coming: BoxFuture<'static, Result<Held, Full>>,
        /// The wakers of those who wait for it: a body may wait for several things at once.
        wakers: Vec<Waker>,
    },
    In {
        _held: Held,
    },
    /// The call has ended.
    Closed,
}

struct Held {
    _shared: Option<OwnedRwLockReadGuard<()>>,
    _alone: Option<OwnedRwLockWriteGuard<()>>,
    _of_session: Option<OwnedSemaphorePermit>,
    _of_tool: Option<OwnedSemaphorePermit>,
}

/// All slots of the tool are taken, and the call must not wait for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Full;

impl Seat {
    /// The seat of a call; none where there is nothing to hold.
    ///
    /// A call that another one made is part of that one, which holds a place and a slot of the session
    /// for both, and the slot of a tool that calls itself. It waits for a slot only if those above it
    /// hold none of another tool: two tools that call each other would wait for ever.
    pub(crate) fn new(
        lane: Option<(Lane, bool)>,
        of_session: Option<Arc<Semaphore>>,
        of_tool: Option<Arc<Semaphore>>,
        above: Option<Arc<Self>>,
    ) -> Option<Arc<Self>> {
        let wants = match above.as_deref() {
            None => Wants {
                lane,
                of_session,
                of_tool,
                is_patient: true,
            },
            Some(above) => Wants {
                lane: None,
                of_session: None,
                is_patient: !above.limits_tools(),
                of_tool: of_tool.filter(|slots| !above.has(slots)),
            },
        };
        let is_needed =
            wants.lane.is_some() || wants.of_session.is_some() || wants.of_tool.is_some();
        is_needed.then(|| {
            Arc::new(Self {
                wants,
                above,
                enters: Arc::default(),
                astray: AtomicBool::new(false),
                place: Mutex::new(Place::Out),
            })
        })
    }

    fn limits_tools(&self) -> bool {
        let above = self.above.as_deref();
        self.wants.of_tool.is_some() || above.is_some_and(Self::limits_tools)
    }

    fn has(&self, slots: &Arc<Semaphore>) -> bool {
        let own = self.wants.of_tool.as_ref();
        own.is_some_and(|own| Arc::ptr_eq(own, slots))
            || self.above.as_deref().is_some_and(|above| above.has(slots))
    }

    fn place(&self) -> MutexGuard<'_, Place> {
        self.place.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a place in the lane behind those who have one, without waiting for its turn.
    pub(crate) fn line_up(&self) {
        let _ = self.poll(&mut Context::from_waker(Waker::noop()));
    }

    /// Waits until all is held.
    pub(crate) async fn enter(&self) -> Result<(), Full> {
        self.enters.store(true, Ordering::Relaxed);
        poll_fn(|cx| self.poll(cx)).await
    }

    fn poll(&self, cx: &mut Context<'_>) -> Poll<Result<(), Full>> {
        let mut place = self.place();
        if matches!(*place, Place::Out) {
            *place = Place::Coming {
                coming: Box::pin(unconstrained(self.wants.all(Arc::clone(&self.enters)))),
                wakers: Vec::new(),
            };
        }
        let Place::Coming { coming, wakers } = &mut *place else {
            return Poll::Ready(Ok(()));
        };
        match coming.as_mut().poll(cx) {
            Poll::Pending => {
                if !wakers.iter().any(|known| known.will_wake(cx.waker())) {
                    wakers.push(cx.waker().clone());
                }
                Poll::Pending
            }
            Poll::Ready(held) => {
                let wakers = mem::take(wakers);
                let (next, ended) = match held {
                    Ok(held) => (Place::In { _held: held }, Ok(())),
                    Err(full) => (Place::Out, Err(full)),
                };
                *place = next;
                drop(place);
                wakers.into_iter().for_each(Waker::wake);
                Poll::Ready(ended)
            }
        }
    }

    /// Waits until all is held once more, where a body goes on that gave up a wait.
    pub(crate) fn poll_back(&self, cx: &mut Context<'_>) -> Poll<Result<(), Full>> {
        if !self.astray.load(Ordering::Relaxed) {
            return Poll::Ready(Ok(()));
        }
        let back = ready!(self.poll(cx));
        self.astray.store(false, Ordering::Relaxed);
        Poll::Ready(back)
    }

    /// A body that had [stepped out](Self::step_out) goes on, and has not waited for its turn. At its next
    /// step it [does](Self::poll_back).
    pub(crate) fn note_astray(&self) {
        if self.above.is_none() {
            self.astray.store(true, Ordering::Relaxed);
        }
    }

    fn let_go(&self, next: Place) {
        let before = {
            let mut place = self.place();
            if matches!(*place, Place::Closed) {
                return;
            }
            mem::replace(&mut *place, next)
        };
        // The drop wakes other calls, so no lock is held here.
        if let Place::Coming { coming, wakers } = before {
            drop(coming);
            wakers.into_iter().for_each(Waker::wake);
        }
    }

    /// Lets go of all, to [enter](Self::enter) once more behind those who have a place then.
    pub(crate) fn leave(&self) {
        self.let_go(Place::Out);
    }

    /// Lets go while a body waits for people. Where calls above hold a seat too, all is kept: they would
    /// hold theirs while this one waits for its turn.
    pub(crate) fn step_out(&self) {
        if self.above.is_none() {
            self.astray.store(false, Ordering::Relaxed);
            self.leave();
        }
    }
}

impl Wants {
    /// The future owns everything that it waits for, so that it does not keep the seat alive.
    fn all(
        &self,
        enters: Arc<AtomicBool>,
    ) -> impl Future<Output = Result<Held, Full>> + Send + 'static {
        let lane = self.lane.clone();
        let of_session = self.of_session.clone();
        let of_tool = self.of_tool.clone();
        let is_patient = self.is_patient;
        async move {
            let (mut shared, mut alone) = (None, None);
            match lane {
                Some((Lane(lane), true)) => shared = Some(lane.read_owned().await),
                Some((Lane(lane), false)) => alone = Some(lane.write_owned().await),
                None => {}
            }
            // A call that enters polls this future itself, so no waker is needed.
            poll_fn(|_| {
                if enters.load(Ordering::Relaxed) {
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
                Some(slots) if is_patient => slots.acquire_owned().await.ok(),
                Some(slots) => Some(slots.try_acquire_owned().map_err(|_| Full)?),
            };
            Ok(Held {
                _shared: shared,
                _alone: alone,
                _of_session: of_session,
                _of_tool: of_tool,
            })
        }
    }
}

/// A call that has a seat: whatever becomes of the call, it is given up.
#[derive(Debug)]
pub(crate) struct Seated(Arc<Seat>);

impl Seated {
    pub(crate) fn new(seat: Arc<Seat>) -> Self {
        Self(seat)
    }

    pub(crate) fn seat(&self) -> &Seat {
        &self.0
    }
}

impl Drop for Seated {
    fn drop(&mut self) {
        self.0.let_go(Place::Closed);
    }
}

impl std::fmt::Debug for Seat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Seat")
            .field("wants", &self.wants)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
