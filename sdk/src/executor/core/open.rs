//! The opening of sessions.

use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::context::{Calls, Cancellation, SessionScope, SuspendedTurns, WaitTracker, Waits};
use crate::executor::catalog::session_tools::SessionTools;
use crate::executor::catalog::visibility::Narrowing;
use crate::executor::concurrency::slots;
use crate::executor::core::session::SessionCore;
use crate::executor::core::shared::{ExecutorCore, NestedCalls, SessionBase};
use crate::executor::core::tasks::Tasks;
use crate::executor::options::SessionOptions;
use crate::executor::people::sourced_waits::SourcedWaits;
use crate::executor::people::waits::SessionWaits;
use crate::id::SessionId;
use crate::permission::SubSessionEntry;

impl SessionCore {
    /// The session that calls without one are in. It never ends.
    pub(crate) fn of_all(prefix: u64, base: &SessionBase) -> Self {
        let tools = SessionTools::new(Narrowing::default(), None, None, None);
        let id = SessionId::new("default");
        Self::with(id, SessionOptions::new(), prefix, base, None, tools)
    }

    /// A session, perhaps below another one.
    pub(crate) fn new(
        id: SessionId,
        mut options: SessionOptions,
        parent: Option<&Self>,
        shared: &ExecutorCore,
    ) -> Self {
        let base = &shared.base;
        let mut narrowing = std::mem::take(&mut options.narrowing);
        if let Some(parent) = parent {
            narrowing.rules.extend(base.sub_rules.clone());
            options.source = options.source.or_else(|| parent.source.clone());
        }
        let checker = options.checker.take();
        let checker = checker.map(|own| shared.checkers.of(own, &base.judge));
        let of_parent = parent.map(|parent| Arc::clone(&parent.tools));
        let tools = SessionTools::new(narrowing, checker, of_parent, Some(&shared.catalogs));
        let parent = parent.map(|parent| {
            let scope = Arc::clone(&parent.scope);
            let above = scope.grants.lineage().to_vec();
            (scope, shared.approvals.adopt(id.clone(), above))
        });
        Self::with(id, options, shared.next_session(), base, parent, tools)
    }

    fn with(
        id: SessionId,
        options: SessionOptions,
        prefix: u64,
        base: &SessionBase,
        parent: Option<(Arc<SessionScope>, Arc<SubSessionEntry>)>,
        tools: SessionTools,
    ) -> Self {
        let (parent, below) = parent.unzip();
        let grants = match &parent {
            Some(parent) => parent.grants.child(id.clone()),
            None => base.people.grants(&id),
        };
        let cancellation = parent.as_ref().map_or_else(
            || Cancellation::new(CancellationToken::new(), Arc::clone(&base.deadlines)),
            |parent| parent.cancellation.child_token(),
        );
        let state = base.states.open(&id);
        options.set_up(&state);
        let (waits, calls) = Self::ways(&options, base);
        let run_info = match &parent {
            Some(parent) => options.run_info.child(&parent.run_info),
            None => options.run_info,
        };
        let resources = parent
            .as_ref()
            .map_or(&base.resources, |parent| &parent.resources);
        let resources = options.resources.over(resources);
        let judge = match (tools.checker(), &parent) {
            (Some(own), _) => &own.judge,
            (None, Some(parent)) => &parent.judge,
            (None, None) => &base.judge,
        };
        let judge = Arc::clone(judge);
        base.people.rules.checkers.note(&id, &judge);
        let of_parent = parent.as_ref().and_then(|parent| parent.timeout);
        let events = parent
            .as_ref()
            .map_or(&base.events, |parent| &parent.events);
        let events = events.and(options.sinks, &base.event_numbers);
        let environment = match &parent {
            Some(parent) => parent.environment.child(&id, prefix),
            None => base.environment.session(&id, prefix),
        };
        let scope = Arc::new(SessionScope {
            id,
            prefix,
            grants,
            parent,
            below,
            resources,
            judge,
            specs: Arc::clone(&base.specs),
            waits,
            wait_tracker: WaitTracker::default(),
            suspended: SuspendedTurns::default(),
            is_watched: options.max_concurrent.is_some() || events.is_listening(),
            slots: options.max_concurrent.map(slots),
            events,
            state,
            run_info,
            calls,
            environment: environment.with(options.environment),
            timeout: shorter(options.timeout, of_parent),
            cancellation,
            cancelled: AtomicBool::new(false),
        });
        Self {
            tasks: Arc::new(Tasks::new(Arc::clone(&scope))),
            scope,
            count: AtomicU64::new(1),
            narrows: tools.narrows(),
            tools: Arc::new(tools),
            source: options.source,
        }
    }

    /// The ways of its calls to people and to other tools.
    fn ways(options: &SessionOptions, base: &SessionBase) -> (Arc<dyn Waits>, Arc<dyn Calls>) {
        if let Some(source) = &options.source {
            let calls = NestedCalls {
                shared: Weak::clone(&base.calls.shared),
                source: Some(Arc::clone(source)),
            };
            return (Arc::new(SourcedWaits), Arc::new(calls));
        }
        let waits = Arc::new(SessionWaits::new(Arc::clone(&base.people)));
        (waits, Arc::<NestedCalls>::clone(&base.calls))
    }
}

/// The shorter of two limits; `None` means no limit.
#[inline]
pub(crate) fn shorter(one: Option<Duration>, other: Option<Duration>) -> Option<Duration> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}
