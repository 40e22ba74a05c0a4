//! A timer that is coarse, and costs nearly nothing to arm: one task in a runtime looks, every millisecond, for what was
//! armed and is still there.

use std::future::{Future, ready};
use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::runtime::{Handle, Id};
use tokio::time::Instant;

use super::deadline::{TimerFault, TimerSleep, sleep};
use crate::util::lock::Lock;

const TICK: Duration = Duration::from_millis(1);

/// The number of ticks with nothing armed after which the task ends. To begin one takes longer than many a batch does.
const LINGER: u32 = 32;

/// Something that is told if it is still there after a tick or two.
pub(crate) trait Overdue: Send + Sync {
    /// Called once, in a task of the runtime.
    fn is_overdue(self: Arc<Self>);
}

/// The coarse timers of an executor, one for each runtime.
#[derive(Default)]
pub(crate) struct CoarseTimers(Lock<Vec<(Id, RuntimeTimer)>>);

enum RuntimeTimer {
    Ticks(Weak<Ticks>),
    /// The runtime has no timers. To ask it once more would panic once more.
    Missing,
}

/// The things that were armed in a runtime; `None` once the task has ended.
struct Ticks(Lock<Option<Vec<Armed>>>);

struct Armed {
    what: Weak<dyn Overdue>,
    /// True if it has seen a tick.
    is_old: bool,
}

impl CoarseTimers {
    /// Tells something that it is overdue, unless it is gone a few milliseconds from now.
    ///
    /// # Errors
    ///
    /// Fails if the runtime has no timers.
    pub(crate) fn arm(&self, runtime: &Handle, what: &Weak<dyn Overdue>) -> Result<(), TimerFault> {
        let id = runtime.id();
        let mut timers = self.0.lock();
        let known = timers.iter().position(|(of, _)| *of == id);
        match known.map(|at| &timers[at].1) {
            Some(RuntimeTimer::Missing) => return Err(TimerFault::NoTimers),
            Some(RuntimeTimer::Ticks(ticks)) => {
                if let Some(ticks) = ticks.upgrade()
                    && ticks.add(what)
                {
                    return Ok(());
                }
            }
            None => {}
        }
        timers.retain(|(of, timer)| *of != id && timer.is_of_use());
        let inside = runtime.enter();
        let sleep = sleep(Instant::now() + TICK);
        drop(inside);
        let sleep = match sleep {
            Ok(sleep) => sleep,
            Err(fault) => {
                timers.push((id, RuntimeTimer::Missing));
                return Err(fault);
            }
        };
        let ticks = Arc::new(Ticks(Lock::new(Some(Vec::new()))));
        ticks.add(what);
        timers.push((id, RuntimeTimer::Ticks(Arc::downgrade(&ticks))));
        drop(timers);
        runtime.spawn(Ticks::run(ticks, sleep));
        // A worker may keep the last of those that it spawns for itself, and then hold its thread.
        runtime.spawn(ready(()));
        Ok(())
    }
}

impl RuntimeTimer {
    fn is_of_use(&self) -> bool {
        match self {
            Self::Ticks(ticks) => ticks.strong_count() > 0,
            Self::Missing => true,
        }
    }
}

impl Ticks {
    /// Returns false if the task has ended.
    fn add(&self, what: &Weak<dyn Overdue>) -> bool {
        let mut armed = self.0.lock();
        if let Some(armed) = &mut *armed {
            armed.push(Armed {
                what: Weak::clone(what),
                is_old: false,
            });
        }
        armed.is_some()
    }

    /// Takes out what has seen a tick before, and tells how many are left.
    fn tick(&self, overdue: &mut Vec<Weak<dyn Overdue>>) -> usize {
        let mut armed = self.0.lock();
        let Some(armed) = &mut *armed else {
            return 0;
        };
        armed.retain_mut(|armed| {
            if armed.is_old {
                overdue.push(Weak::clone(&armed.what));
            }
            !std::mem::replace(&mut armed.is_old, true)
        });
        armed.len()
    }

    /// Ends the task if nothing was armed meanwhile.
    fn end(&self) -> bool {
        let mut armed = self.0.lock();
        if armed.as_ref().is_none_or(Vec::is_empty) {
            *armed = None;
        }
        armed.is_none()
    }

    fn run(ticks: Arc<Self>, mut sleep: TimerSleep) -> impl Future<Output = ()> + Send + 'static {
        // Made before the future: a runtime that shuts down drops that unpolled.
        let ticks = EndOfTicks(ticks);
        async move {
            let mut empty = 0;
            let mut overdue = Vec::new();
            loop {
                sleep.as_mut().await;
                empty = match ticks.0.tick(&mut overdue) {
                    0 => empty + 1,
                    _ => 0,
                };
                for overdue in overdue.drain(..) {
                    if let Some(overdue) = overdue.upgrade() {
                        overdue.is_overdue();
                    }
                }
                if empty >= LINGER && ticks.0.end() {
                    return;
                }
                sleep.as_mut().reset(Instant::now() + TICK);
            }
        }
    }
}

/// Ends the ticks: things that are armed from then on need another task.
struct EndOfTicks(Arc<Ticks>);

impl Drop for EndOfTicks {
    fn drop(&mut self) {
        *self.0.0.lock() = None;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tokio::runtime::Builder;

    use super::*;

    #[derive(Default)]
    struct Count(AtomicUsize);

    impl Overdue for Count {
        fn is_overdue(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    fn arm(timers: &CoarseTimers, count: &Arc<Count>) -> Result<(), TimerFault> {
        let what: Weak<Count> = Arc::downgrade(count);
        let what: Weak<dyn Overdue> = what;
        timers.arm(&Handle::current(), &what)
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_still_there_is_told_once_and_the_task_ends_when_nothing_is_armed() {
        let timers = CoarseTimers::default();
        let (stays, goes) = (Arc::new(Count::default()), Arc::new(Count::default()));
        arm(&timers, &stays).unwrap();
        arm(&timers, &goes).unwrap();
        let gone = Arc::downgrade(&goes);
        drop(goes);
        tokio::time::sleep(10 * TICK).await;
        assert_eq!(stays.0.load(Ordering::SeqCst), 1);
        assert!(gone.upgrade().is_none());
        let alive = || Handle::current().metrics().num_alive_tasks();
        assert_eq!(alive(), 1);
        // The task that is there serves what is armed later, too.
        arm(&timers, &stays).unwrap();
        assert_eq!(alive(), 1);
        tokio::time::sleep(2 * LINGER * TICK).await;
        assert_eq!(stays.0.load(Ordering::SeqCst), 2);
        assert_eq!(alive(), 0);
        // And another one begins.
        arm(&timers, &stays).unwrap();
        tokio::time::sleep(10 * TICK).await;
        assert_eq!(stays.0.load(Ordering::SeqCst), 3);
        assert_eq!(timers.0.lock().len(), 1);
    }

    #[test]
    fn a_runtime_without_timers_is_asked_once() {
        let runtime = Builder::new_current_thread().build().unwrap();
        let _inside = runtime.enter();
        let (timers, count) = (CoarseTimers::default(), Arc::new(Count::default()));
        assert_eq!(arm(&timers, &count), Err(TimerFault::NoTimers));
        assert_eq!(arm(&timers, &count), Err(TimerFault::NoTimers));
        assert!(matches!(timers.0.lock()[..], [(_, RuntimeTimer::Missing)]));
    }

    #[test]
    fn a_runtime_that_has_ended_takes_its_timer_with_it() {
        let (timers, count) = (CoarseTimers::default(), Arc::new(Count::default()));
        for _ in 0..2 {
            let runtime = Builder::new_current_thread().enable_time().build().unwrap();
            let inside = runtime.enter();
            arm(&timers, &count).unwrap();
            drop(inside);
        }
        assert_eq!(timers.0.lock().len(), 1, "the first was removed");
        assert_eq!(count.0.load(Ordering::SeqCst), 0);
    }
}
