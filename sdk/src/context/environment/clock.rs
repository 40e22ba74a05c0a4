//! The source of the time.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::CallEnvironment;

use crate::util::lock::Lock;

/// Tells tools the time: [`SystemClock`] unless the app says otherwise, by
/// [`ExecutorBuilder::clock`](crate::ExecutorBuilder::clock) or
/// [`SessionOptions::clock`](crate::executor::SessionOptions::clock).
///
/// It is asked in the middle of a call and must not block.
pub trait Clock: Send + Sync + 'static {
    /// The time now.
    fn now(&self) -> SystemTime;
}

impl<C: Clock + ?Sized> Clock for Arc<C> {
    fn now(&self) -> SystemTime {
        (**self).now()
    }
}

/// The clock of the system.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> SystemTime {
        SystemTime::now()
    }
}

/// A clock that stands still until it is set, for tests. Clones are one clock.
///
/// ```
/// use std::time::{Duration, SystemTime};
/// use toolwright::context::{Clock, FixedClock};
///
/// let clock = FixedClock::new(SystemTime::UNIX_EPOCH);
/// let same = clock.clone();
/// same.advance(Duration::from_secs(60));
/// assert_eq!(clock.now(), SystemTime::UNIX_EPOCH + Duration::from_secs(60));
/// ```
#[derive(Debug, Clone)]
pub struct FixedClock(Arc<Lock<SystemTime>>);

impl FixedClock {
    /// A clock that shows this time.
    pub fn new(time: SystemTime) -> Self {
        Self(Arc::new(Lock::new(time)))
    }

    /// Sets the time, earlier or later.
    pub fn set(&self, time: SystemTime) {
        *self.0.lock() = time;
    }

    /// Lets time go by. A clock that would come to a time that the system cannot tell stays.
    pub fn advance(&self, by: Duration) {
        let mut time = self.0.lock();
        *time = time.checked_add(by).unwrap_or(*time);
    }
}

/// 2000-01-01T00:00:00Z, which is no time that a test takes for now.
impl Default for FixedClock {
    fn default() -> Self {
        Self::new(SystemTime::UNIX_EPOCH + Duration::from_secs(946_684_800))
    }
}

impl Clock for FixedClock {
    fn now(&self) -> SystemTime {
        *self.0.lock()
    }
}

/// The clock of a call: see [`ToolContext::clock`](crate::ToolContext::clock).
#[derive(Clone)]
pub struct CallClock(pub(super) Option<Arc<CallEnvironment>>);

impl CallClock {
    /// The time now.
    pub fn now(&self) -> SystemTime {
        match &self.0 {
            Some(environment) => environment.now(),
            None => SystemTime::now(),
        }
    }

    /// The time that has gone by since an earlier reading; zero if the clock was set back meanwhile. It reads the
    /// clock once.
    pub fn since(&self, earlier: SystemTime) -> Duration {
        self.now().duration_since(earlier).unwrap_or_default()
    }
}

impl fmt::Debug for CallClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CallClock")
    }
}
