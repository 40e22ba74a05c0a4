//! The opening of sessions, and the place of a call of a session.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};
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
use crate::permission::SessionGrants;

impl SessionCore {
    /// The session that calls without one are in. It never ends.
    pub(crate) fn of_all(prefix: u64, base: &SessionBase) -> Self {
        let id = SessionId::new("default");
        let grants = base.people.grants(&id);
        let tools = SessionTools::new(Narrowing::default(), None, None, None);
        let options = SessionOptions::new();
        Self::with(id, options, prefix, base, grants, None, tools)
    }

    pub(crate) fn new(id: SessionId, mut options: SessionOptions, shared: &ExecutorCore) -> Self {
        let base = &shared.base;
        let grants = base.people.grants(&id);
        let narrowing = std::mem::take(&mut options.narrowing);
        let checker = shared.checker_of(&mut options);
        let tools = SessionTools::new(narrowing, checker, None, Some(&shared.catalogs));
        Self::with(
            id,
            options,
            shared.next_session(),
            base,
            grants,
            None,
            tools,
        )
    }

    /// A session below this one.
    pub(crate) fn child(
        &self,
        id: SessionId,
        mut options: SessionOptions,
        shared: &ExecutorCore,
    ) -> Self {
        let base = &shared.base;
        let grants = self.scope.grants.child(id.clone());
        let parent = Some(Arc::clone(&self.scope));
        let mut narrowing = std::mem::take(&mut options.narrowing);
        narrowing.rules.extend(base.sub_rules.clone());
        if options.source.is_none() {
            options.source.clone_from(&self.source);
        }
        let of_parent = Some(Arc::clone(&self.tools));
        let checker = shared.checker_of(&mut options);
        let tools = SessionTools::new(narrowing, checker, of_parent, Some(&shared.catalogs));
        Self::with(
            id,
            options,
            shared.next_session(),
            base,
            grants,
            parent,
            tools,
        )
    }

    pub(crate) fn with(
        id: SessionId,
        options: SessionOptions,
        prefix: u64,
        base: &SessionBase,
        grants: SessionGrants,
        parent: Option<Arc<SessionScope>>,
        tools: SessionTools,
    ) -> Self {
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
        let environment = match &parent {
            Some(parent) => parent.environment.child(&id, prefix),
            None => base.environment.session(&id, prefix),
        };
        let scope = Arc::new(SessionScope {
            id,
            prefix,
            grants,
            parent,
            resources,
            judge,
            specs: Arc::clone(&base.specs),
            waits,
            wait_tracker: WaitTracker::default(),
            suspended: SuspendedTurns::default(),
            slots: options.max_concurrent.map(slots),
            events: base.events.clone(),
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
    pub(crate) fn ways(
        options: &SessionOptions,
        base: &SessionBase,
    ) -> (Arc<dyn Waits>, Arc<dyn Calls>) {
        if let Some(source) = &options.source {
            let calls = Arc::new(base.calls.with_source(source));
            return (Arc::new(SourcedWaits), calls);
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
