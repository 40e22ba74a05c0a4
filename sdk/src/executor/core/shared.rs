//! The data that all sessions of an executor share.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Weak};
#[cfg(feature = "journal")]
use std::time::Duration;

use crate::event::Events;
use crate::executor::arguments::read::ReadLimits;
use crate::executor::catalog::builder::CatalogBuilder;
use crate::executor::catalog::session_checker::{SessionChecker, SessionCheckers};
use crate::executor::catalog::versions::Catalogs;
use crate::executor::core::session::SessionCore;
use crate::executor::hooks::Hooks;
use crate::executor::options::SessionOptions;
use crate::executor::output::large::LargeOutputs;
use crate::executor::people::service::ApprovalService;
#[cfg(feature = "tracing")]
use crate::executor::trace::TraceOptions;
use crate::id::ToolName;
#[cfg(feature = "journal")]
use crate::journal::Replay;
use crate::permission::{Judge, PermissionRegistry};
use crate::question::UserInteractionRegistry;
use crate::registry::RoleRules;
use crate::state::States;
use crate::tool::{Alarms, Resources, Specs, WorldSource};

/// The data that all sessions of an executor share.
pub(crate) struct ExecutorCore {
    pub(crate) base: SessionBase,
    pub(crate) interactions: UserInteractionRegistry,
    pub(crate) approvals: PermissionRegistry,
    pub(crate) catalogs: Catalogs,
    pub(crate) planner: CatalogBuilder,
    pub(crate) reading: ReadLimits,
    pub(crate) hooks: Hooks,
    pub(crate) excess: LargeOutputs,
    pub(crate) measures_time: bool,
    /// The tools that were reported for holding their thread.
    pub(crate) held_threads: Mutex<BTreeSet<ToolName>>,
    /// The depth to which tools may call each other.
    pub(crate) max_call_depth: usize,
    /// See [`ExecutorCore::is_watched`].
    pub(crate) watched: bool,
    /// Tells the sessions of this executor from those of any other.
    pub(crate) prefix: u64,
    pub(crate) sessions: AtomicU64,
    /// The permission checkers of sessions that have their own.
    pub(crate) checkers: SessionCheckers,
    pub(crate) default_session: SessionCore,
}

/// The data that sessions are made with.
pub(crate) struct SessionBase {
    pub(crate) specs: Arc<dyn Specs>,
    pub(crate) judge: Arc<Judge>,
    pub(crate) resources: Arc<Resources>,
    pub(crate) people: Arc<ApprovalService>,
    /// The time that one operation of a store may take. `None` if it is unlimited.
    #[cfg(feature = "journal")]
    pub(crate) store_timeout: Option<Duration>,
    pub(crate) alarms: Arc<Alarms>,
    /// The rules of sessions below others.
    pub(crate) sub_rules: Option<RoleRules>,
    pub(crate) events: Events,
    #[cfg(feature = "tracing")]
    pub(crate) trace: Option<TraceOptions>,
    pub(crate) states: Arc<States>,
    pub(crate) world: WorldSource,
    #[cfg(feature = "journal")]
    pub(crate) journal: Option<crate::journal::Journal>,
    pub(crate) calls: Arc<NestedCalls>,
}

impl SessionBase {
    /// Returns true if anybody observes calls.
    pub(crate) fn is_told(&self) -> bool {
        #[cfg(feature = "tracing")]
        if self.trace.is_some() {
            return true;
        }
        self.events.is_listening()
    }

    /// Returns true if calls are recorded.
    #[cfg_attr(
        not(feature = "journal"),
        expect(clippy::unused_self, reason = "with journals it is what may have one")
    )]
    pub(crate) fn is_recorded(&self) -> bool {
        #[cfg(feature = "journal")]
        return self.journal.is_some();
        #[cfg(not(feature = "journal"))]
        false
    }
}

impl ExecutorCore {
    /// Returns true if each call goes the full way from its start, because something is installed that looks at
    /// calls or holds them up: sinks of events, gates, hooks, a journal.
    #[inline]
    pub(crate) fn is_watched(&self) -> bool {
        self.watched
    }

    /// The checker that a session is opened with, if it has its own.
    pub(crate) fn checker_of(&self, options: &mut SessionOptions) -> Option<Arc<SessionChecker>> {
        let own = options.checker.take()?;
        Some(self.checkers.of(own, &self.base.judge))
    }

    pub(crate) fn next_session(&self) -> u64 {
        let number = self.sessions.fetch_add(1, Ordering::Relaxed);
        self.prefix.wrapping_add(number)
    }
}

/// Runs the calls that tools make, for as long as the executor is there.
#[derive(Clone)]
pub(crate) struct NestedCalls {
    pub(crate) shared: Weak<ExecutorCore>,
    #[cfg(feature = "journal")]
    pub(crate) replay: Option<Replay>,
}

impl NestedCalls {
    pub(crate) fn of(shared: &Weak<ExecutorCore>) -> Self {
        Self {
            shared: Weak::clone(shared),
            #[cfg(feature = "journal")]
            replay: None,
        }
    }

    /// The same for sessions that replay.
    #[cfg(feature = "journal")]
    pub(crate) fn replaying(&self, replay: &Replay) -> Self {
        Self {
            replay: Some(replay.clone()),
            ..self.clone()
        }
    }
}
