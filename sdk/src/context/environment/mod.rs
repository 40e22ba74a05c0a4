//! The time, random numbers and ids that the executor gives to tools. They can be fixed in a test, written down, and
//! handed out once more.

mod clock;
mod fresh_id;
mod rng;
mod seed;
mod settings;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

pub use clock::{CallClock, Clock, FixedClock, SystemClock};
pub use fresh_id::FreshId;
pub use rng::CallRng;
pub(crate) use seed::Seed;
use seed::{LazySeed, SeedUse};
pub(crate) use settings::{EnvironmentSettings, EnvironmentSource, SessionEnvironment};

use super::tool_context::ToolContext;

use crate::util::lock::Lock;

/// The most readings of the clock that are noted for a call: more do not belong into a record.
pub(crate) const MAX_READINGS: usize = 1_024;

/// The numbers that are handed out before the body runs begin here, so that the body's numbers do not depend on
/// earlier looks at the call.
const BEFORE: u64 = 1 << 63;

/// The environment of one call, where it is not simply the real one.
pub(crate) struct CallEnvironment {
    seed: LazySeed,
    time: Time,
    generators: AtomicU64,
    /// The number of calls that the tool has made.
    calls: AtomicU64,
}

/// The clock that a call reads; `None` is that of the system.
enum Time {
    Live(Option<Arc<dyn Clock>>),
    /// Noted for a recorder.
    Noted(Option<Arc<dyn Clock>>, Lock<Vec<i64>>, AtomicBool),
    /// As a record has it.
    Recorded(Box<[i64]>, AtomicU64),
}

impl CallEnvironment {
    fn new(seed: LazySeed, time: Time) -> Self {
        Self {
            seed,
            time,
            generators: AtomicU64::new(BEFORE),
            calls: AtomicU64::new(0),
        }
    }

    /// With the seed of a call of before, and what it read of the time.
    pub(crate) fn recorded(seed: Seed, readings: Vec<i64>) -> Self {
        let time = Time::Recorded(readings.into(), AtomicU64::new(0));
        Self::new(seed.into(), time)
    }

    /// The body begins, for the first time or once more: it gets what it got before.
    pub(crate) fn begin(&self) {
        self.generators.store(0, Ordering::Relaxed);
        self.calls.store(0, Ordering::Relaxed);
        match &self.time {
            Time::Live(_) => {}
            Time::Noted(_, noted, overflowed) => {
                noted.lock().clear();
                overflowed.store(false, Ordering::Relaxed);
            }
            Time::Recorded(_, next) => next.store(0, Ordering::Relaxed),
        }
    }

    fn now(&self) -> SystemTime {
        match &self.time {
            Time::Live(clock) => read(clock.as_deref()),
            Time::Noted(clock, noted, overflowed) => {
                let now = read(clock.as_deref());
                let mut noted = noted.lock();
                match nanos(now) {
                    Some(now) if noted.len() < MAX_READINGS => noted.push(now),
                    _ => overflowed.store(true, Ordering::Relaxed),
                }
                now
            }
            Time::Recorded(readings, next) => {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let index = usize::try_from(index).unwrap_or(usize::MAX);
                let reading = readings.get(index).or(readings.last());
                reading.map_or(SystemTime::UNIX_EPOCH, |nanos| time(*nanos))
            }
        }
    }

    fn rng(&self) -> CallRng {
        let number = self.generators.fetch_add(1, Ordering::Relaxed);
        let seed = self
            .seed
            .get()
            .child(SeedUse::Generator, &number.to_le_bytes());
        CallRng::new(&seed.0)
    }

    /// The seed of a call that the tool makes.
    fn seed_below(&self) -> Seed {
        let number = self.calls.fetch_add(1, Ordering::Relaxed);
        self.seed
            .get()
            .child(SeedUse::Nested, &number.to_le_bytes())
    }

    /// The seed of the call's random numbers and ids. Code that has it can compute everything the call was given.
    pub(crate) fn seed(&self) -> Seed {
        self.seed.get()
    }

    /// The times that the body has read, in nanoseconds since 1970 and in this order; `None` if there were too many to
    /// note, and if nothing is noted.
    pub(crate) fn readings(&self) -> Option<Vec<i64>> {
        match &self.time {
            Time::Noted(_, noted, overflowed) if !overflowed.load(Ordering::Relaxed) => {
                Some(noted.lock().clone())
            }
            _ => None,
        }
    }

    /// The number of times that the body has read the recorded time.
    pub(crate) fn times_read(&self) -> u64 {
        match &self.time {
            Time::Recorded(_, next) => next.load(Ordering::Relaxed),
            _ => 0,
        }
    }
}

fn read(clock: Option<&dyn Clock>) -> SystemTime {
    clock.map_or_else(SystemTime::now, Clock::now)
}

/// A time as a number, where one tells it: until the year 2262.
fn nanos(time: SystemTime) -> Option<i64> {
    match time.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_nanos()).ok(),
        Err(before) => i64::try_from(before.duration().as_nanos())
            .ok()?
            .checked_neg(),
    }
}

/// The time of a number of nanoseconds.
fn time(nanos: i64) -> SystemTime {
    let by = Duration::from_nanos(nanos.unsigned_abs());
    let epoch = SystemTime::UNIX_EPOCH;
    let time = if nanos < 0 {
        epoch.checked_sub(by)
    } else {
        epoch.checked_add(by)
    };
    time.unwrap_or(epoch)
}

impl fmt::Debug for CallEnvironment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CallEnvironment")
    }
}

impl ToolContext {
    /// The clock of the call: the system's, unless the app has [set another](crate::ExecutorBuilder::clock)
    /// or the call is replayed.
    ///
    /// A tool that declares itself [bounded](crate::spec::Determinism::Bounded) reads the time nowhere else, and
    /// reads it in an order that does not depend on chance: one after another, or at least not in tasks
    /// that race.
    ///
    /// ```
    /// use std::time::{Duration, SystemTime};
    /// use toolwright::{testing, tool, ToolContext};
    /// use toolwright::context::FixedClock;
    ///
    /// /// Tell how old a file is, in seconds.
    /// #[tool(read_only, determinism = bounded)]
    /// fn age(modified: u64, ctx: &ToolContext) -> u64 {
    ///     ctx.clock().since(SystemTime::UNIX_EPOCH + Duration::from_secs(modified)).as_secs()
    /// }
    ///
    /// let clock = FixedClock::new(SystemTime::UNIX_EPOCH + Duration::from_secs(100));
    /// let ctx = testing::context().clock(clock.clone()).build();
    /// assert_eq!(age(40, &ctx), 60);
    /// clock.advance(Duration::from_secs(5));
    /// assert_eq!(age(40, &ctx), 65);
    /// ```
    pub fn clock(&self) -> CallClock {
        CallClock(self.call.environment().cloned())
    }

    /// A generator of random numbers, another one each time: they come from the system, unless the app has
    /// [set a seed](crate::ExecutorBuilder::seed) or the call is replayed. Then the first generator of the
    /// call gives what the first gave before, the second what the second gave, and so on.
    ///
    /// A tool that declares itself [bounded](crate::spec::Determinism::Bounded) gets its random numbers nowhere
    /// else, and takes its generators in an order that does not depend on chance.
    ///
    /// ```
    /// use toolwright::{ToolContext, testing, tool};
    ///
    /// /// Throw a die.
    /// #[tool(read_only, determinism = bounded)]
    /// fn throw(ctx: &ToolContext) -> u64 {
    ///     ctx.rng().below(6) + 1
    /// }
    ///
    /// let first = throw(&testing::context().seed(7).build());
    /// assert_eq!(throw(&testing::context().seed(7).build()), first);
    /// ```
    pub fn rng(&self) -> CallRng {
        match self.call.environment() {
            Some(environment) => environment.rng(),
            None => self.session.environment.rng(),
        }
    }

    /// An id that nobody else has. In a session with a seed, and in a replay, it is the one of before: see
    /// [`ToolContext::rng`].
    ///
    /// ```
    /// use toolwright::{ToolContext, testing, tool};
    ///
    /// /// Name a draft.
    /// #[tool(read_only, determinism = bounded)]
    /// fn name_draft(ctx: &ToolContext) -> String {
    ///     format!("draft {}", ctx.new_id())
    /// }
    ///
    /// let name = name_draft(&testing::context().build());
    /// assert_eq!(name.len(), "draft 00000000-0000-4000-8000-000000000000".len());
    /// assert_eq!(name_draft(&testing::context().build()), name);
    /// ```
    pub fn new_id(&self) -> FreshId {
        FreshId::draw(&mut self.rng())
    }
}
