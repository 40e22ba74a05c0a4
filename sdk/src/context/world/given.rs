//! The app's settings of clock and randomness, for an executor and its sessions.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::seed::{For, Seed};
use super::{CallRng, CallWorld, Clock, SystemClock, Time};
use crate::context::nested::Nesting;
use crate::id::{InvocationId, SessionId};

/// The settings of an app for clock and randomness, for an executor or a session.
#[derive(Clone, Default)]
pub(crate) struct WorldSettings {
    pub(crate) clock: Option<Arc<dyn Clock>>,
    pub(crate) seed: Option<u64>,
}

impl fmt::Debug for WorldSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WorldSettings")
            .field("clock", &self.clock.is_some())
            .field("seed", &self.seed.is_some())
            .finish()
    }
}

/// The clock and randomness of an executor's sessions.
#[derive(Clone)]
pub(crate) struct WorldSource {
    clock: Option<Arc<dyn Clock>>,
    seed: Option<Seed>,
    /// The source of random numbers if there is no seed.
    secret: Seed,
    /// A recorder wants to know what calls are given.
    notes: bool,
}

impl WorldSource {
    /// The system's own, and nothing is noted.
    ///
    /// # Errors
    ///
    /// Fails if the system gives no random bytes.
    pub(crate) fn real() -> Result<Self, getrandom::Error> {
        Ok(Self {
            clock: None,
            seed: None,
            secret: Seed::random()?,
            notes: false,
        })
    }

    /// For unit tests: nothing of it is left to chance.
    pub(crate) fn fixed(clock: Arc<dyn Clock>, seed: u64) -> Self {
        let seed = Seed::chosen(seed);
        Self {
            clock: Some(clock),
            seed: Some(seed),
            secret: seed,
            notes: false,
        }
    }

    pub(crate) fn with(mut self, settings: WorldSettings) -> Self {
        self.clock = settings.clock.or(self.clock);
        self.seed = settings.seed.map(Seed::chosen).or(self.seed);
        self
    }

    /// Has it noted what calls are given.
    pub(crate) fn noting(mut self, notes: bool) -> Self {
        self.notes = notes;
        self
    }

    /// The clock and randomness of a session without settings of its own. Each handle of a session has a number of its
    /// own, and the seed depends on the id.
    pub(crate) fn session(&self, id: &SessionId, handle: u64) -> SessionWorld {
        let below = |seed: &Seed| seed.below(For::Session, id.as_str().as_bytes());
        SessionWorld {
            source: Self {
                seed: self.seed.as_ref().map(below),
                ..self.clone()
            },
            handle,
            drawn: AtomicU64::new(0),
        }
    }
}

/// The clock and randomness of a session's calls.
pub(crate) struct SessionWorld {
    source: WorldSource,
    handle: u64,
    /// The number of generators that were handed out without a seed.
    drawn: AtomicU64,
}

impl SessionWorld {
    /// The same, with what the app has said of this session.
    pub(crate) fn with(mut self, settings: WorldSettings) -> Self {
        self.source = self.source.with(settings);
        self
    }

    /// The clock and randomness of a session below this one.
    pub(crate) fn below(&self, id: &SessionId, handle: u64) -> Self {
        self.source.session(id, handle)
    }

    /// The clock and randomness of a call, if they are not simply the real ones.
    #[inline]
    pub(crate) fn of_call(
        &self,
        id: InvocationId,
        within: Option<&Arc<Nesting>>,
    ) -> Option<Arc<CallWorld>> {
        let source = &self.source;
        let is_real = source.clock.is_none() && source.seed.is_none() && !source.notes;
        if is_real {
            return None;
        }
        Some(self.made(id, within))
    }

    #[cold]
    fn made(&self, id: InvocationId, within: Option<&Arc<Nesting>>) -> Arc<CallWorld> {
        let source = &self.source;
        let above = within.and_then(|within| within.world.as_ref());
        let seed = match (above, &source.seed) {
            (Some(above), _) => above.seed_below(),
            (None, Some(seed)) => seed.below(For::Call, &id.count().to_le_bytes()),
            (None, None) => self.drawn(),
        };
        let clock = source.clock.clone();
        let clock = clock.unwrap_or_else(|| Arc::new(SystemClock));
        let time = if source.notes {
            Time::Noted(clock, <_>::default(), <_>::default())
        } else {
            Time::Live(clock)
        };
        Arc::new(CallWorld::new(seed, time))
    }

    /// A world that no call had before, whatever is set for the session.
    pub(crate) fn another(&self) -> Arc<CallWorld> {
        let time = Time::Live(Arc::new(SystemClock));
        Arc::new(CallWorld::new(self.drawn(), time))
    }

    /// A generator for a call that has the real world.
    pub(super) fn rng(&self) -> CallRng {
        CallRng::new(&self.drawn().0)
    }

    fn drawn(&self) -> Seed {
        let number = self.drawn.fetch_add(1, Ordering::Relaxed);
        let mut which = [0; 16];
        which[..8].copy_from_slice(&self.handle.to_le_bytes());
        which[8..].copy_from_slice(&number.to_le_bytes());
        self.source.secret.below(For::Unseeded, &which)
    }
}

impl fmt::Debug for SessionWorld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionWorld")
    }
}
