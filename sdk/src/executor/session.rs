//! Sessions and turns: the scopes that calls run in.

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::catalog::Catalog;
use super::catalogs::Pinned;
use super::in_place::At;
use super::narrow::Narrowing;
use super::nested::Nested;
use super::places::slots;
#[cfg(feature = "journal")]
use super::replaying::ReplayWaits;
use super::session_tools::SessionTools;
use super::task::Tasks;
use super::waits::SessionWaits;
use super::{Base, Preview, SessionOptions, Shared, ToolOutcome, pipeline};
use crate::id::{InvocationId, RunIdentity, SessionId, TurnId};
#[cfg(feature = "journal")]
use crate::journal::Replay;
use crate::message::{ToolCall, ToolError};
use crate::permission::SessionGrants;
use crate::registry::{Availability, ToolSnapshot};
use crate::tool::{
    Calls, Cancellation, Desk, Nesting, SessionScope, SuspendedTurns, TurnScope, Waits,
};

/// One conversation or run of a host: see [`Executor::session`](super::Executor::session).
///
/// Cloning is cheap; all clones are one session.
#[derive(Clone)]
pub struct Session {
    pub(super) executor: Arc<Shared>,
    pub(super) core: Arc<SessionCore>,
}

/// A session without its executor.
pub(super) struct SessionCore {
    pub(super) scope: Arc<SessionScope>,
    /// The calls that run by themselves.
    pub(super) tasks: Arc<Tasks>,
    /// Numbers turns and invocations alike: both rise, and one counter costs less than two.
    count: AtomicU64,
    pub(super) tools: Arc<SessionTools>,
    /// Whether its tools are perhaps not its executor's.
    narrows: bool,
    /// The recorded run that its calls are answered by.
    #[cfg(feature = "journal")]
    pub(super) replay: Option<Replay>,
}

impl SessionCore {
    /// The session that calls without one are in. It never ends.
    pub(super) fn of_all(prefix: u64, base: &Base) -> Self {
        let id = SessionId::new("default");
        let grants = base.people.grants(&id);
        let tools = SessionTools::new(Narrowing::default(), None, None, None);
        let options = SessionOptions::new();
        Self::with(id, options, prefix, base, grants, None, tools)
    }

    fn new(id: SessionId, mut options: SessionOptions, shared: &Shared) -> Self {
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
    fn below(&self, id: SessionId, mut options: SessionOptions, shared: &Shared) -> Self {
        let base = &shared.base;
        let grants = self.scope.grants.below(id.clone());
        let above = Some(Arc::clone(&self.scope));
        let mut narrowing = std::mem::take(&mut options.narrowing);
        narrowing.rules.extend(base.sub_rules.clone());
        #[cfg(feature = "journal")]
        if options.replay.is_none() {
            options.replay.clone_from(&self.replay);
        }
        let of_above = Some(Arc::clone(&self.tools));
        let checker = shared.checker_of(&mut options);
        let tools = SessionTools::new(narrowing, checker, of_above, Some(&shared.catalogs));
        Self::with(
            id,
            options,
            shared.next_session(),
            base,
            grants,
            above,
            tools,
        )
    }

    fn with(
        id: SessionId,
        options: SessionOptions,
        prefix: u64,
        base: &Base,
        grants: SessionGrants,
        above: Option<Arc<SessionScope>>,
        tools: SessionTools,
    ) -> Self {
        let cancellation = above.as_ref().map_or_else(
            || Cancellation::new(CancellationToken::new(), Arc::clone(&base.alarms)),
            |above| above.cancellation.child_token(),
        );
        let state = base.states.open(&id);
        options.set_up(&state);
        let (waits, calls) = Self::ways(&options, base);
        let given = match &above {
            Some(above) => options.given.below(&above.given),
            None => options.given,
        };
        let resources = above
            .as_ref()
            .map_or(&base.resources, |above| &above.resources);
        let resources = options.resources.over(resources);
        let judge = match (tools.checker(), &above) {
            (Some(own), _) => &own.judge,
            (None, Some(above)) => &above.judge,
            (None, None) => &base.judge,
        };
        let judge = Arc::clone(judge);
        let of_above = above.as_ref().and_then(|above| above.timeout);
        let world = match &above {
            Some(above) => above.world.below(&id, prefix),
            None => base.world.session(&id, prefix),
        };
        let scope = Arc::new(SessionScope {
            id,
            prefix,
            grants,
            above,
            resources,
            judge,
            specs: Arc::clone(&base.specs),
            waits,
            desk: Desk::default(),
            suspended: SuspendedTurns::default(),
            slots: options.max_concurrent.map(slots),
            events: base.events.clone(),
            state,
            given,
            calls,
            world: world.with(options.world),
            timeout: shorter(options.timeout, of_above),
            cancellation,
            cancelled: AtomicBool::new(false),
        });
        Self {
            tasks: Arc::new(Tasks::new(Arc::clone(&scope))),
            scope,
            count: AtomicU64::new(1),
            narrows: tools.narrows(),
            tools: Arc::new(tools),
            #[cfg(feature = "journal")]
            replay: options.replay,
        }
    }

    /// The ways of its calls to people and to other tools.
    #[cfg_attr(
        not(feature = "journal"),
        expect(unused_variables, reason = "who replays has others")
    )]
    fn ways(options: &SessionOptions, base: &Base) -> (Arc<dyn Waits>, Arc<dyn Calls>) {
        #[cfg(feature = "journal")]
        if let Some(replay) = &options.replay {
            let calls = Arc::new(base.calls.replaying(replay));
            return (Arc::new(ReplayWaits), calls);
        }
        let waits = Arc::new(SessionWaits::new(Arc::clone(&base.people)));
        (waits, Arc::<Nested>::clone(&base.calls))
    }

    pub(super) fn next(&self) -> u64 {
        self.count.fetch_add(1, Ordering::Relaxed)
    }

    /// The tools of the session, as they are now.
    #[inline]
    pub(super) fn catalog<'s>(&self, shared: &'s Shared) -> Pinned<'s> {
        match shared.catalogs.version() {
            0 if !self.narrows => Pinned::First(shared.catalogs.first()),
            version => Pinned::Own(self.tools.at(&shared.catalogs, version).open),
        }
    }

    /// A call that is a turn of its own.
    pub(super) fn single<'s>(&'s self, shared: &'s Shared) -> Place<'s> {
        let number = self.next();
        Place {
            catalog: self.catalog(shared),
            session: &self.scope,
            turn: None,
            turn_id: TurnId::new(number),
            invocation_id: InvocationId::from_parts(self.scope.prefix, number),
            within: None,
            #[cfg(feature = "journal")]
            replay: self.replay.as_ref(),
        }
    }
}

/// The shorter of two limits, either of which there may not be.
#[inline]
pub(super) fn shorter(one: Option<Duration>, other: Option<Duration>) -> Option<Duration> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

/// Where a call runs.
#[derive(Clone)]
pub(super) struct Place<'s> {
    pub(super) catalog: Pinned<'s>,
    pub(super) session: &'s Arc<SessionScope>,
    pub(super) turn: Option<&'s Arc<TurnScope>>,
    pub(super) turn_id: TurnId,
    pub(super) invocation_id: InvocationId,
    /// Of a call that a tool makes.
    pub(super) within: Option<&'s Arc<Nesting>>,
    /// The recorded run that calls are answered by.
    #[cfg(feature = "journal")]
    pub(super) replay: Option<&'s Replay>,
}

impl Place<'_> {
    /// Whether the session has something that looks at its calls or holds them up.
    #[inline]
    pub(super) fn is_watched(&self) -> bool {
        #[cfg(feature = "journal")]
        if self.replay.is_some() {
            return true;
        }
        self.session.slots.is_some()
    }
}

impl Turn {
    /// The same of each call of the turn, with what the executor has.
    pub(super) fn is_watched(&self) -> bool {
        let core = &self.session.core;
        #[cfg(feature = "journal")]
        if core.replay.is_some() {
            return true;
        }
        self.shared().is_watched() || core.scope.slots.is_some()
    }
}

impl Session {
    pub(super) fn open(executor: Arc<Shared>, id: SessionId, options: SessionOptions) -> Self {
        let core = SessionCore::new(id, options, &executor);
        Self {
            executor,
            core: Arc::new(core),
        }
    }

    /// The session's id.
    pub fn id(&self) -> &SessionId {
        &self.core.scope.id
    }

    /// The tools that the session has now, frozen: what its model is to be told of.
    pub fn tools(&self) -> Arc<ToolSnapshot> {
        Arc::clone(&self.core.catalog(&self.executor).snapshot)
    }

    /// What the session does not have of the executor's tools, each with why, and what of its settings
    /// does nothing.
    pub fn availability(&self) -> Availability {
        let catalog = self.core.catalog(&self.executor);
        catalog.scope.availability.clone()
    }

    /// The run that the session belongs to, if the app has [told](SessionOptions::run).
    pub fn run(&self) -> Option<&RunIdentity> {
        self.core.scope.given.run.as_deref()
    }

    /// Opens a session below this one, for a sub-agent: cancelling this one cancels it too. It has the
    /// checker and the resources of this one, but for what
    /// [its options](SessionOptions::permissions) bring. What was
    /// refused here or above for more than one call is refused there; what was allowed here is allowed
    /// there. What is answered there stays there, and so do its tickets and its [state](Self::state). It
    /// has the tools that this one has, and by [its options](SessionOptions::tools) fewer; only what
    /// [a role always has](crate::RoleRules::always) may be more.
    pub fn sub_session(&self, id: impl Into<SessionId>) -> Self {
        self.sub_session_with(id, SessionOptions::new())
    }

    /// Opens a session below this one, with options of its own; see [`Session::sub_session`].
    pub fn sub_session_with(&self, id: impl Into<SessionId>, options: SessionOptions) -> Self {
        let executor = Arc::clone(&self.executor);
        let id = id.into();
        executor.approvals.adopt(id.clone(), self.id().clone());
        let core = self.core.below(id, options, &executor);
        Self {
            executor,
            core: Arc::new(core),
        }
    }

    /// Begins a turn: the calls of one message of the model.
    pub fn turn(&self) -> Turn {
        let id = TurnId::new(self.core.next());
        let cancellation = self.core.scope.cancellation.child_token();
        Turn {
            id,
            scope: Arc::new(TurnScope::new(id, cancellation)),
            catalog: match self.core.catalog(&self.executor) {
                Pinned::First(_) => None,
                Pinned::Own(catalog) => Some(catalog),
            },
            session: self.clone(),
        }
    }

    /// Runs one call, as a turn of its own.
    ///
    /// Dropping the future drops the tool where it stands.
    pub fn call<'a>(&'a self, call: ToolCall<'a>) -> impl Future<Output = ToolOutcome> + Send + 'a {
        pipeline::run(&self.executor, At::Session(&self.core), call)
    }

    /// Tells what a call would ask for and whether it would be allowed, by the very stages that a call
    /// goes through, without running it: its name is resolved, its arguments are read and repaired,
    /// and its requests are worked out and judged.
    ///
    /// ```
    /// use toolwright::{Executor, PermissionRequest, ToolCall, ToolRegistry, Verdict, tool};
    ///
    /// /// Deploy to a place.
    /// #[tool(permission = ask(place))]
    /// fn deploy(place: String) -> String {
    ///     format!("deployed to {place}")
    /// }
    ///
    /// fn ask(place: &str) -> PermissionRequest {
    ///     PermissionRequest::new("deploy", place, format!("Deploy to {place}"))
    /// }
    ///
    /// let executor = Executor::new(ToolRegistry::new().with(Deploy))?;
    /// let session = executor.session("s-1");
    /// let preview = session.preview(&ToolCall::new("deploy", r#"{"place": "test"}"#))?;
    /// assert_eq!(preview.requests()[0].summary(), "Deploy to test");
    /// assert!(matches!(preview.verdict(), Verdict::Ask(_)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those that the call would end with before anybody is asked: there is no such tool, a
    /// capability is missing, the arguments are invalid or too large, or the requests cannot be
    /// worked out. A denial is none: it is the preview's [verdict](Preview::verdict).
    pub fn preview(&self, call: &ToolCall<'_>) -> Result<Preview, ToolError> {
        Preview::new(&self.executor, &self.core.single(&self.executor), call)
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.core.scope.cancellation.is_cancelled()
    }

    /// Cancels the session and those below it: calls that wait end at once, and no call of them runs
    /// any more. Calls that were [interrupted](ToolOutcome::Interrupted) hold nothing that could be
    /// cancelled: their tickets stay, for another handle of the session, until it
    /// [ends](Self::end) or they are cancelled [one by one](crate::TicketBroker::cancel).
    pub fn cancel(&self) {
        self.core.scope.cancelled.store(true, Ordering::Relaxed);
        self.core.scope.cancellation.cancel();
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Session({:?})", self.id().as_str())
    }
}

/// The calls of one message of the model: see [`Session::turn`].
///
/// Cloning is cheap; all clones are one turn.
#[derive(Clone)]
pub struct Turn {
    session: Session,
    id: TurnId,
    pub(super) scope: Arc<TurnScope>,
    /// None for the tools that the executor was built with.
    catalog: Option<Arc<Catalog>>,
}

impl Turn {
    /// The turn's id.
    pub fn id(&self) -> TurnId {
        self.id
    }

    /// The tools that the turn has, frozen: those that its session had when it began.
    pub fn tools(&self) -> Arc<ToolSnapshot> {
        let first = || self.shared().catalogs.first();
        let catalog = self.catalog.as_ref().unwrap_or_else(first);
        Arc::clone(&catalog.snapshot)
    }

    /// The turn's session.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Runs one call.
    ///
    /// Dropping the future drops the tool where it stands.
    pub fn call<'a>(&'a self, call: ToolCall<'a>) -> impl Future<Output = ToolOutcome> + Send + 'a {
        pipeline::run(self.shared(), At::Turn(self), call)
    }

    pub(super) fn shared(&self) -> &Arc<Shared> {
        &self.session.executor
    }

    /// Of the next call.
    pub(super) fn place(&self) -> Place<'_> {
        let core = &self.session.core;
        let invocation = InvocationId::from_parts(core.scope.prefix, core.next());
        self.place_of(&self.scope, invocation)
    }

    /// Of a call that may have a scope of its own.
    pub(super) fn place_of<'t>(
        &'t self,
        scope: &'t Arc<TurnScope>,
        invocation_id: InvocationId,
    ) -> Place<'t> {
        Place {
            catalog: match &self.catalog {
                None => Pinned::First(self.shared().catalogs.first()),
                Some(catalog) => Pinned::Own(Arc::clone(catalog)),
            },
            session: &self.session.core.scope,
            turn: Some(scope),
            turn_id: self.id,
            invocation_id,
            within: None,
            #[cfg(feature = "journal")]
            replay: self.session.core.replay.as_ref(),
        }
    }

    /// Returns the reason of the gate that ended the turn by
    /// [`GateDecision::Block`](crate::GateDecision::Block), if one did. No call of such a turn runs any
    /// more; the session's next turn does.
    pub fn block_reason(&self) -> Option<&str> {
        self.scope.block().map(|block| block.reason.as_str())
    }

    /// Cancels the turn: calls that wait end at once, and no call of it runs any more. The
    /// session's other turns go on, and so may calls of this one that were interrupted: see
    /// [`Session::cancel`].
    pub fn cancel(&self) {
        self.scope.cancel();
    }
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Turn({} of {:?})", self.id, self.session.id().as_str())
    }
}
