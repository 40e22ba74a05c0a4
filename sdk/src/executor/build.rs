//! Setting up an executor.

use std::collections::BTreeMap;
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::sync::Semaphore;

#[cfg(feature = "json-schema")]
use super::OutputCheck;
use super::catalog::Catalog;
use super::catalogs::{Catalogs, Latest};
use super::excess::Excess;
use super::hooks::Hooks;
use super::nested::{DEFAULT_DEPTH, MAX_DEPTH, Nested};
use super::people::{People, Rules};
use super::places::slots;
use super::planner::Planner;
use super::reading::Reading;
use super::session::SessionCore;
use super::session_checker::SessionCheckers;
#[cfg(feature = "tracing")]
use super::trace::TraceOptions;
use super::{Base, BuildError, BuildProblem, Executor, Shared, WaitMode, unheard};
use crate::event::{EventSink, Events};
use crate::interaction::UserInteractionRegistry;
use crate::nesting::DEPTH;
use crate::pending::{
    BrokerSettings, GuardedTickets, MemoryTickets, TicketBroker, TicketKey, TicketStore,
};
use crate::permission::{AnyChecker, DefaultPolicy, Judge, PermissionRegistry, UNATTENDED_HINT};
use crate::port::STORE_TIMEOUT;
use crate::registry::{FeatureGate, RoleRules, ToolRegistry, put_gate};
use crate::spec::{CapabilityGrant, InvalidCapability};
use crate::tool::{Alarms, Resource, ResourceKey, Resources, WorldSettings, WorldSource};

#[cfg(test)]
mod documented;
mod people;
mod permissions;

/// How long a call may take unless its tool or the executor says otherwise.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);

/// How long a ticket can be answered unless the host says otherwise.
const TICKET_LIFETIME: Duration = Duration::from_secs(24 * 60 * 60);

/// How long a body may go on after a cancellation unless the host says otherwise.
const CANCEL_GRACE: Duration = Duration::from_millis(100);

/// Sets up an [`Executor`]; see [`Executor::builder`].
///
/// Defaults: [`DefaultPolicy`], nobody who is asked ([`WaitMode::Unattended`]), a timeout of 60 seconds, arguments of at most 1 MiB and 64 levels,
/// results of which the model sees at most 64 KiB, not [`strict`](Self::strict), so that arguments are repaired where they have to be, no
/// capabilities granted and no times measured.
#[must_use = "an executor comes of `build`"]
pub struct ExecutorBuilder {
    pub(super) registry: ToolRegistry,
    pub(super) interactions: UserInteractionRegistry,
    pub(super) approvals: PermissionRegistry,
    pub(super) problems: Vec<BuildProblem>,
    resources: Resources,
    session_resources: Vec<ResourceKey>,
    judge: Judge,
    timeout: Option<Duration>,
    reading: Reading,
    measures_time: bool,
    grants: Vec<CapabilityGrant>,
    invalid_grants: Vec<InvalidCapability>,
    mode: WaitMode,
    broker: TicketBroker,
    store: Option<Arc<dyn TicketStore>>,
    key: Option<TicketKey>,
    lifetime: Duration,
    store_timeout: Option<Duration>,
    cancel_grace: Duration,
    gates: Vec<FeatureGate>,
    sub_rules: Option<RoleRules>,
    slots: BTreeMap<String, Arc<Semaphore>>,
    pub(super) hooks: Hooks,
    pub(super) excess: Excess,
    #[cfg(feature = "json-schema")]
    pub(super) output_check: OutputCheck,
    max_call_depth: usize,
    sinks: Vec<Box<dyn EventSink>>,
    #[cfg(feature = "tracing")]
    trace: Option<TraceOptions>,
    #[cfg(feature = "journal")]
    pub(super) journal: Option<crate::journal::Journal>,
    pub(super) world: WorldSettings,
}

impl ExecutorBuilder {
    pub(super) fn new(registry: ToolRegistry) -> Self {
        let broker = TicketBroker::new();
        Self {
            registry,
            interactions: UserInteractionRegistry::new(broker.clone()),
            approvals: PermissionRegistry::new(broker.clone()),
            problems: Vec::new(),
            resources: Resources::default(),
            session_resources: Vec::new(),
            judge: Judge::new(AnyChecker::new(DefaultPolicy), UNATTENDED_HINT),
            timeout: Some(DEFAULT_TIMEOUT),
            reading: Reading::default(),
            measures_time: false,
            grants: Vec::new(),
            invalid_grants: Vec::new(),
            mode: WaitMode::default(),
            broker,
            store: None,
            key: None,
            lifetime: TICKET_LIFETIME,
            store_timeout: Some(STORE_TIMEOUT),
            cancel_grace: CANCEL_GRACE,
            gates: Vec::new(),
            sub_rules: None,
            slots: BTreeMap::new(),
            hooks: Hooks::default(),
            excess: Excess::default(),
            #[cfg(feature = "json-schema")]
            output_check: OutputCheck::default(),
            max_call_depth: DEFAULT_DEPTH,
            sinks: Vec::new(),
            #[cfg(feature = "tracing")]
            trace: None,
            #[cfg(feature = "journal")]
            journal: None,
            world: WorldSettings::default(),
        }
    }

    /// Adds a thing of the app, which tools take by reference: a parameter `&T` finds it by its
    /// type. A second of the same type takes the place of the first.
    pub fn resource<T: Resource>(self, resource: T) -> Self {
        self.resource_arc(Arc::new(resource))
    }

    /// Adds a thing of the app that is shared already, for instance as a trait object: a parameter
    /// `&dyn Files` finds an `Arc<dyn Files>`.
    pub fn resource_arc<T: ?Sized + Resource>(mut self, resource: Arc<T>) -> Self {
        self.resources.put(resource);
        self
    }

    /// Says that each session brings a resource of this type, by
    /// [`SessionOptions::resource`](super::SessionOptions::resource), so that tools which need it do not
    /// keep the executor from being built. Default: a resource that a tool needs is the executor's.
    ///
    /// In a session without it, calls of those tools end with an error before anybody is asked about
    /// them: kind [`Internal`](crate::ErrorKind::Internal), with the name of the type for the log.
    ///
    /// ```
    /// use toolwright::{Executor, SessionOptions, ToolCall, ToolRegistry, tool};
    ///
    /// struct Account(&'static str);
    ///
    /// /// Tell whose account this is.
    /// #[tool(read_only)]
    /// fn whose(account: &Account) -> &'static str {
    ///     account.0
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// let executor = Executor::builder(ToolRegistry::new().with(Whose))
    ///     .session_resource::<Account>()
    ///     .build()?;
    /// let session = executor.session_with("s-1", SessionOptions::new().resource(Account("Ada")));
    /// assert_eq!(session.call(ToolCall::new("whose", "{}")).await.text(), "Ada");
    /// # Ok::<(), toolwright::BuildError>(())
    /// # }).unwrap();
    /// ```
    pub fn session_resource<T: ?Sized + Resource>(mut self) -> Self {
        self.session_resources.push(ResourceKey::of::<T>());
        self
    }

    /// Sets how long a call may take unless its tool says otherwise; `None` for as long as it
    /// likes. Default: 60 seconds.
    ///
    /// The time counts from when the call first waits. A body that never waits cannot be stopped.
    pub fn timeout(mut self, timeout: impl Into<Option<Duration>>) -> Self {
        self.timeout = timeout.into();
        self
    }

    /// Sets how long a body may go on after its call was cancelled, to put in order what it has begun:
    /// it learns of it by [`ToolContext::cancelled`](crate::ToolContext::cancelled), and is dropped when
    /// that time is over. Default: 100 milliseconds; with zero, and where there are no timers, it is
    /// dropped at once.
    ///
    /// The call ends as cancelled, whatever the body gives in that time: that is thrown away and
    /// [counted](Executor::counts). A timeout drops the body at once: it was known from the start, and
    /// a body that needs time to end keeps some of it.
    pub fn cancel_grace(mut self, grace: Duration) -> Self {
        self.cancel_grace = grace;
        self
    }

    /// Says whether arguments that do not fit a tool's schema are refused as they are. Default: no;
    /// they are [repaired](crate::ToolSpec::repair) where it is plain what was meant, and the
    /// [result tells](crate::ToolResult::repairs) of each repair.
    ///
    /// Arguments that fit are never changed, whatever is set here.
    pub fn strict(mut self, strict: bool) -> Self {
        self.reading.strict = strict;
        self
    }

    /// Sets how large the arguments of a call may be, in bytes of JSON: of a text those that were
    /// sent, of a tree those of its shortest text. Default: 1 MiB (1,048,576 bytes).
    ///
    /// A call whose arguments are larger ends with
    /// [`ErrorKind::LimitExceeded`](crate::ErrorKind::LimitExceeded), and the tool does not see
    /// them.
    pub fn max_input_bytes(mut self, bytes: usize) -> Self {
        self.reading.max_bytes = bytes;
        self
    }

    /// Sets how many levels of objects and lists may stand in each other in the arguments of a call;
    /// the arguments object itself is the first. Default: 64. More than 127, which is as far as JSON
    /// is read, count as 127.
    ///
    /// A call whose arguments nest deeper ends as one of [`ExecutorBuilder::max_input_bytes`].
    pub fn max_input_depth(mut self, levels: usize) -> Self {
        self.reading.max_depth = levels.min(DEPTH);
        self
    }

    /// Sets how deep tools may [call each other](crate::ToolContext::call): 1 for tools that call tools
    /// which call none, 0 for tools that call none. Default: 8. More than 32 count as 32.
    ///
    /// A call that is deeper ends with
    /// [`ErrorKind::LimitExceeded`](crate::ErrorKind::LimitExceeded).
    pub fn max_call_depth(mut self, levels: usize) -> Self {
        self.max_call_depth = levels.min(MAX_DEPTH);
        self
    }

    /// Says whether results tell how long their calls took. Default: no, and no clock is read.
    pub fn measure_time(mut self, measure: bool) -> Self {
        self.measures_time = measure;
        self
    }

    /// Adds a feature that may be off: see [`FeatureGate`]. A second of the same name takes the place of
    /// the first. Default: none.
    pub fn feature_gate(mut self, gate: FeatureGate) -> Self {
        put_gate(&mut self.gates, gate);
        self
    }

    /// Sets what the sessions below others, those of sub-agents, always and never have of the tools:
    /// see [`RoleRules`]. Default: they have what the session above has, or select of it.
    pub fn sub_session_rules(mut self, rules: RoleRules) -> Self {
        self.sub_rules = Some(rules);
        self
    }

    /// Sets how many calls of a tool may run at a time in all sessions of the executor; 0 counts as 1.
    /// Default: any number. A tool that there is not keeps the executor from being built.
    ///
    /// The others wait for their turn, which does not count as time of theirs, and can be cancelled
    /// meanwhile. A call that waits for people counts as one that does not run. A tool that calls itself
    /// through its context is one call. A call that a tool with a limit makes of another tool with a
    /// limit does not wait, because the two could wait for each other: if no slot is free, it ends with
    /// [`ErrorKind::LimitExceeded`](crate::ErrorKind::LimitExceeded), and may be tried again.
    pub fn max_concurrent_of(mut self, tool: impl Into<String>, calls: usize) -> Self {
        self.slots.insert(tool.into(), slots(calls));
        self
    }

    /// Adds who takes what happens in the executor's sessions: the beginning and the end of each call,
    /// and what tools report meanwhile. Default: nobody, and then no event is made and no clock is
    /// read. Several take the same events, in the order in which they were added.
    ///
    /// A sink is called in the middle of things and must not block; whoever wants to await events takes
    /// an [`EventChannel`](crate::EventChannel).
    pub fn events(mut self, sink: impl EventSink) -> Self {
        self.sinks.push(Box::new(sink));
        self
    }

    /// Makes a span for each call, for whoever has set up a subscriber of the crate `tracing`; feature
    /// `tracing`. Default: no spans.
    ///
    /// The span has the level `INFO`, the target `toolwright`, the name `execute_tool`, and the
    /// attributes of the OpenTelemetry conventions for generative AI: `gen_ai.operation.name`,
    /// `gen_ai.tool.name`, `.type`, `.description`, `.call.id`, `.call.arguments` and `.call.result` where
    /// [they are asked for](TraceOptions), `gen_ai.conversation.id` (the session), and `error.type` (the
    /// error's code). `otel.name` is `execute_tool` and the tool's name. It begins when the call is made or
    /// resumed, and ends with its outcome; whatever the tool logs lies in it, on a thread for `blocking`
    /// bodies too.
    ///
    /// ```
    /// use toolwright::{Executor, ToolRegistry, TraceOptions};
    ///
    /// let executor = Executor::builder(ToolRegistry::new())
    ///     .trace(TraceOptions::new().arguments(true))
    ///     .build()?;
    /// # let _ = executor;
    /// # Ok::<(), toolwright::BuildError>(())
    /// ```
    #[cfg(feature = "tracing")]
    pub fn trace(mut self, options: TraceOptions) -> Self {
        self.trace = Some(options);
        self
    }

    /// Builds the executor.
    ///
    /// # Errors
    ///
    /// When a tool could not be made or registered, needs a resource that was not added, declares a bound
    /// that this executor cannot enforce, or has an input schema that nothing enforces, when a grant
    /// was no grant, and when something is wrong with the permission checker for these tools. The
    /// error tells of all problems.
    pub fn build(self) -> Result<Executor, BuildError> {
        let Self {
            registry,
            interactions,
            approvals,
            mut problems,
            resources,
            session_resources,
            judge,
            timeout,
            reading,
            measures_time,
            grants,
            invalid_grants,
            mode,
            broker,
            store,
            key,
            lifetime,
            store_timeout,
            cancel_grace,
            slots,
            hooks,
            excess,
            #[cfg(feature = "json-schema")]
            output_check,
            max_call_depth,
            sinks,
            #[cfg(feature = "tracing")]
            trace,
            #[cfg(feature = "journal")]
            journal,
            gates,
            sub_rules,
            world,
        } = self;
        let judge = Arc::new(judge);
        let excess = excess.with_reader(store_timeout);
        let has_slots = !slots.is_empty();
        let planner = Planner {
            judge: Arc::clone(&judge),
            resources: Arc::new(resources),
            session_resources,
            grants,
            timeout,
            slots,
            excess: excess.clone(),
            #[cfg(feature = "json-schema")]
            output_check,
        };
        let whole = planner.catalog(registry, &mut problems);
        planner.find_limited(&whole, &mut problems);
        problems.extend(invalid_grants.into_iter().map(BuildProblem::InvalidGrant));
        let (key, world) = random_unless(problems, key, world)?;
        #[cfg(feature = "journal")]
        let world = world.noting(journal.is_some());
        let catalogs = Catalogs::new(whole, gates);
        let events = Events::new(sinks);
        let rules = (key, reading, catalogs.latest());
        let store = store.map(|store| Arc::new(GuardedTickets::new(store, store_timeout)) as _);
        let people = people((mode, lifetime), (broker, store), rules, events.clone());
        let prefix = prefix();
        let shared = Arc::new_cyclic(|shared: &Weak<Shared>| {
            let base = Base {
                specs: Arc::<Catalog>::clone(catalogs.first()),
                judge,
                resources: Arc::clone(&planner.resources),
                people: Arc::new(people),
                #[cfg(feature = "journal")]
                store_timeout,
                alarms: Arc::new(Alarms::new(cancel_grace)),
                sub_rules,
                events,
                #[cfg(feature = "tracing")]
                trace,
                states: Arc::default(),
                world,
                #[cfg(feature = "journal")]
                journal,
                calls: Arc::new(Nested::of(shared)),
            };
            Shared {
                catalogs,
                planner,
                default_session: SessionCore::of_all(prefix, &base),
                interactions,
                approvals,
                reading,
                measures_time,
                told_of_held_threads: super::held_thread::Told::default(),
                watched: base.is_told() || base.is_recorded() || !hooks.is_empty() || has_slots,
                hooks,
                excess,
                prefix,
                sessions: AtomicU64::new(1),
                checkers: SessionCheckers::default(),
                max_call_depth,
                base,
            }
        });
        Ok(Executor { shared })
    }
}

/// Who asks people, and where what is asked waits.
fn people(
    (mode, lifetime): (WaitMode, Duration),
    (broker, store): (TicketBroker, Option<Arc<dyn TicketStore>>),
    (key, reading, latest): (TicketKey, Reading, &Arc<Latest>),
    events: Events,
) -> People {
    let rules = Arc::new(Rules {
        latest: Arc::clone(latest),
        key: key.clone(),
        reading,
    });
    let is_own_store = store.is_none();
    let store = store.unwrap_or_else(|| Arc::new(MemoryTickets::new()));
    let of_tools: Weak<Rules> = Arc::downgrade(&rules);
    let settings = BrokerSettings::new(store, key, lifetime, of_tools);
    let settings = settings
        .attended(mode != WaitMode::Unattended)
        .unheard(move |ticket| unheard::report(&events, ticket));
    broker.install(settings);
    People {
        broker,
        mode,
        rules,
        is_own_store,
    }
}

/// The key to sign tickets with, and where the world comes from, unless something is wrong.
fn random_unless(
    mut problems: Vec<BuildProblem>,
    key: Option<TicketKey>,
    world: WorldSettings,
) -> Result<(TicketKey, WorldSource), BuildError> {
    let key = key.map_or_else(TicketKey::random, Ok);
    let key = key.map_err(|error| problems.push(BuildProblem::NoTicketKey(error.to_string())));
    let real = WorldSource::real();
    let real = real.map_err(|error| problems.push(BuildProblem::NoRandomness(error.to_string())));
    match (key, real) {
        (Ok(key), Ok(real)) if problems.is_empty() => Ok((key, real.with(world))),
        _ => Err(BuildError::new(problems)),
    }
}

/// Ids must differ, not be secret: the hasher's random keys are enough.
fn prefix() -> u64 {
    RandomState::new().hash_one(std::process::id())
}

impl fmt::Debug for ExecutorBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExecutorBuilder")
            .field("registry", &self.registry)
            .field("resources", &self.resources)
            .field("timeout", &self.timeout)
            .field("grants", &self.grants)
            .finish_non_exhaustive()
    }
}
