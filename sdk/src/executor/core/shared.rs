//! The data that all sessions of an executor share.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use crate::context::EnvironmentSource;
use crate::context::{Resources, Specs};
use crate::event::Events;
use crate::executor::arguments::read::ReadLimits;
use crate::executor::catalog::builder::CatalogBuilder;
use crate::executor::catalog::session_checker::SessionCheckers;
use crate::executor::catalog::versions::Catalogs;
use crate::executor::core::session::SessionCore;
use crate::executor::hooks::Hooks;
use crate::executor::people::service::ApprovalService;
use crate::executor::trace::TraceOptions;
use crate::id::ToolName;
use crate::permission::{PermissionEvaluator, PermissionRegistry};
use crate::question::UserInteractionRegistry;
use crate::record::{CallRecorder, CallSource};
use crate::registry::RoleRules;
use crate::schedule::{CoarseTimers, DeadlineQueue};
use crate::state::States;
use crate::util::lock::Lock;

/// The data that all sessions of an executor share.
pub(crate) struct ExecutorCore {
    pub(crate) base: SessionBase,
    pub(crate) interactions: UserInteractionRegistry,
    pub(crate) approvals: PermissionRegistry,
    pub(crate) catalogs: Catalogs,
    pub(crate) planner: CatalogBuilder,
    pub(crate) reading: ReadLimits,
    pub(crate) hooks: Hooks,
    pub(crate) measures_time: bool,
    /// The tools that were reported for holding their thread.
    pub(crate) held_threads: Lock<BTreeSet<ToolName>>,
    /// The depth to which tools may call each other.
    pub(crate) max_call_depth: usize,
    pub(crate) watched: Watched,
    /// True if calls have spans.
    pub(crate) is_traced: bool,
    /// The timers of batches.
    pub(crate) timers: CoarseTimers,
    /// Tells the sessions of this executor from those of any other.
    pub(crate) prefix: u64,
    pub(crate) sessions: AtomicU64,
    /// The permission checkers of sessions that have their own.
    pub(crate) checkers: SessionCheckers,
    pub(crate) default_session: SessionCore,
}

/// The calls that something installed looks at or holds up. Where there is any, each call of a batch has a state from its
/// start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Watched {
    /// No call.
    No,
    /// Each call, but nothing holds it up before its body has ended: there are sinks of events or hooks after calls.
    Seen,
    /// Each call: there are gates, hooks before calls, slots or a journal.
    All,
}

/// The data that sessions are made with.
pub(crate) struct SessionBase {
    pub(crate) specs: Arc<dyn Specs>,
    pub(crate) judge: Arc<PermissionEvaluator>,
    pub(crate) resources: Arc<Resources>,
    pub(crate) people: Arc<ApprovalService>,
    /// The time that one operation of a store may take. `None` if it is unlimited.
    pub(crate) store_timeout: Option<Duration>,
    pub(crate) deadlines: Arc<DeadlineQueue>,
    /// The rules of sessions below others.
    pub(crate) sub_rules: Option<RoleRules>,
    /// The sinks of all sessions.
    pub(crate) events: Events,
    /// The number of the next event.
    pub(crate) event_numbers: Arc<AtomicU64>,
    pub(crate) trace: Option<TraceOptions>,
    pub(crate) states: Arc<States>,
    pub(crate) environment: EnvironmentSource,
    pub(crate) recorder: Option<Arc<dyn CallRecorder>>,
    pub(crate) calls: Arc<NestedCalls>,
}

impl SessionBase {
    /// Returns true if calls have spans and there is somebody who takes them, or logs.
    #[cold]
    #[inline(never)]
    pub(crate) fn is_traced(&self) -> bool {
        self.trace.is_some_and(TraceOptions::is_heard)
    }

    /// Returns true if calls are recorded.
    pub(crate) fn is_recorded(&self) -> bool {
        self.recorder.is_some()
    }
}

impl ExecutorCore {
    /// Returns true if something looks at the calls of all sessions or holds them up.
    #[inline]
    pub(crate) fn is_watched(&self) -> bool {
        self.watched != Watched::No || self.has_spans()
    }

    /// Returns true if a call of a session without slots may run in one step of its tool.
    #[inline]
    pub(crate) fn lets_run_directly(&self) -> bool {
        self.watched != Watched::All && !self.measures_time && !self.has_spans()
    }

    /// Returns true if no call is plain: a journal is installed, or calls have spans.
    #[inline]
    pub(crate) fn needs_state(&self) -> bool {
        self.base.is_recorded() || self.has_spans()
    }

    #[inline]
    fn has_spans(&self) -> bool {
        self.is_traced && self.base.is_traced()
    }

    pub(crate) fn next_session(&self) -> u64 {
        let number = self.sessions.fetch_add(1, Ordering::Relaxed);
        self.prefix.wrapping_add(number)
    }
}

/// Runs the calls that tools make, for as long as the executor is there.
pub(crate) struct NestedCalls {
    pub(crate) shared: Weak<ExecutorCore>,
    /// The source of the results of these calls, if it is not the tools alone.
    pub(crate) source: Option<Arc<dyn CallSource>>,
}
