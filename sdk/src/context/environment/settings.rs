//! The app's settings of clock and randomness, for an executor and its sessions.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::seed::{LazySeed, Seed, SeedUse};
use super::{CallEnvironment, CallRng, Clock, Time};
use crate::context::nested::CallStack;
use crate::id::{InvocationId, SessionId};

/// The settings of an app for clock and randomness, for an executor or a session.
#[derive(Clone, Default)]
pub(crate) struct EnvironmentSettings {
    pub(crate) clock: Option<Arc<dyn Clock>>,
    pub(crate) seed: Option<u64>,
}

impl fmt::Debug for EnvironmentSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EnvironmentSettings")
            .field("clock", &self.clock.is_some())
            .field("seed", &self.seed.is_some())
            .finish()
    }
}

/// The clock and randomness of an executor's sessions.
#[derive(Clone)]
pub(crate) struct EnvironmentSource {
    clock: Option<Arc<dyn Clock>>,
    seed: Option<Seed>,
    /// The source of random numbers if there is no seed.
    secret: Seed,
    /// A recorder wants to know what calls are given.
    notes: bool,
}

impl EnvironmentSource {
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

    pub(crate) fn with(mut self, settings: EnvironmentSettings) -> Self {
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
    pub(crate) fn session(&self, id: &SessionId, handle: u64) -> SessionEnvironment {
        let child = |seed: &Seed| seed.child(SeedUse::Session, id.as_str().as_bytes());
        SessionEnvironment {
            source: Self {
                seed: self.seed.as_ref().map(child),
                ..self.clone()
            },
            handle,
            drawn: AtomicU64::new(0),
        }
    }
}

/// The clock and randomness of a session's calls.
pub(crate) struct SessionEnvironment {
    source: EnvironmentSource,
    handle: u64,
    /// The number of generators that were handed out without a seed.
    drawn: AtomicU64,
}

impl SessionEnvironment {
    /// The same, with what the app has said of this session.
    pub(crate) fn with(mut self, settings: EnvironmentSettings) -> Self {
        self.source = self.source.with(settings);
        self
    }

    /// The clock and randomness of a session below this one.
    pub(crate) fn child(&self, id: &SessionId, handle: u64) -> Self {
        self.source.session(id, handle)
    }

    /// Returns true if calls have the real clock and randomness.
    #[inline]
    pub(crate) fn is_real(&self) -> bool {
        let source = &self.source;
        source.clock.is_none() && source.seed.is_none() && !source.notes
    }

    /// The clock and randomness of a call, if they are not simply the real ones.
    #[inline]
    pub(crate) fn of_call(
        &self,
        id: InvocationId,
        call_stack: Option<&Arc<CallStack>>,
    ) -> Option<Arc<CallEnvironment>> {
        if self.is_real() {
            return None;
        }
        Some(self.made(id, call_stack))
    }

    #[cold]
    fn made(&self, id: InvocationId, call_stack: Option<&Arc<CallStack>>) -> Arc<CallEnvironment> {
        let source = &self.source;
        let above = call_stack.and_then(|call_stack| call_stack.environment.as_ref());
        let seed = match (above, &source.seed) {
            (Some(above), _) => above.seed_below().into(),
            (None, Some(seed)) => LazySeed::child(*seed, SeedUse::Call, id.count()),
            (None, None) => self.drawn(),
        };
        let clock = source.clock.clone();
        let time = if source.notes {
            Time::Noted(clock, <_>::default(), <_>::default())
        } else {
            Time::Live(clock)
        };
        Arc::new(CallEnvironment::new(seed, time))
    }

    /// A world that no call had before, whatever is set for the session.
    pub(crate) fn another(&self) -> Arc<CallEnvironment> {
        let time = Time::Live(None);
        Arc::new(CallEnvironment::new(self.drawn(), time))
    }

    /// A generator for a call that has the real world.
    pub(super) fn rng(&self) -> CallRng {
        CallRng::new(&self.drawn().get().0)
    }

    fn drawn(&self) -> LazySeed {
        let number = self.drawn.fetch_add(1, Ordering::Relaxed);
        LazySeed::child_of_two(self.source.secret, SeedUse::Unseeded, self.handle, number)
    }
}
