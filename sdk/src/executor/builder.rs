//! Setting up an executor.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::context::{Clock, EnvironmentSettings, Resource, ResourceKey};
use crate::dispatch::Dispatcher;
use crate::event::EventSink;
use crate::executor::arguments::read::ReadLimits;
use crate::executor::build_error::{BuildError, BuildProblem};
use crate::executor::call::nested::DEFAULT_DEPTH;
use crate::executor::catalog::builder::{CatalogBuilder, Placement};
use crate::executor::catalog::output_check::OutputCheck;
use crate::executor::dispatch::placed::DispatchPort;
use crate::executor::executor::Executor;
use crate::executor::hooks::Hooks;
use crate::executor::output::large::LargeOutputs;
use crate::executor::people::mode::WaitMode;
use crate::executor::trace::TraceOptions;
use crate::permission::{
    AnyChecker, DefaultPolicy, PermissionEvaluator, PermissionRegistry, UNATTENDED_HINT,
};
use crate::question::UserInteractionRegistry;
use crate::record::CallRecorder;
use crate::registry::{FeatureGate, RoleRules, ToolRegistry, put_gate};
use crate::spec::InvalidCapability;
use crate::ticket::{TicketBroker, TicketKey, TicketStore};
use crate::util::port::STORE_TIMEOUT;

pub(crate) mod approvals;
mod build;
pub(crate) mod limits;
mod observe;
mod outputs;
mod permissions;
pub(crate) mod registration;
#[cfg(test)]
mod tests;

/// The time that a call may take by default.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);

/// The time in which a ticket can be answered by default.
const TICKET_LIFETIME: Duration = Duration::from_secs(24 * 60 * 60);

/// The time that a body may go on after a cancellation by default.
const CANCEL_GRACE: Duration = Duration::from_millis(100);

/// Sets up an [`Executor`]; see [`Executor::builder`].
///
/// Defaults: [`DefaultPolicy`], nobody who is asked ([`WaitMode::Unattended`]), a timeout of 60 seconds, arguments of at most 1 MiB and 64 levels,
/// at most 64 KiB of a result for the model, not [`strict`](Self::strict), so that arguments are repaired where they have to be, no
/// capabilities granted and no times measured.
///
/// [`limits`](Self::limits) has all that bounds calls, [`approvals`](Self::approvals) the ways in which they wait for people.
#[must_use = "call `.build()` to get an executor"]
pub struct ExecutorBuilder {
    pub(crate) registry: ToolRegistry,
    pub(crate) interactions: UserInteractionRegistry,
    pub(crate) approvals: PermissionRegistry,
    pub(crate) problems: Vec<BuildProblem>,
    pub(crate) planner: CatalogBuilder,
    reading: ReadLimits,
    measures_time: bool,
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
    pub(crate) hooks: Hooks,
    max_call_depth: usize,
    sinks: Vec<Arc<dyn EventSink>>,
    trace: Option<TraceOptions>,
    recorder: Option<Arc<dyn CallRecorder>>,
    pub(crate) environment: EnvironmentSettings,
}

impl ExecutorBuilder {
    pub(crate) fn new(registry: ToolRegistry) -> Self {
        let broker = TicketBroker::new();
        Self {
            registry,
            interactions: UserInteractionRegistry::new(broker.clone()),
            approvals: PermissionRegistry::new(broker.clone()),
            problems: Vec::new(),
            planner: CatalogBuilder {
                judge: Arc::new(PermissionEvaluator::new(
                    AnyChecker::new(DefaultPolicy),
                    UNATTENDED_HINT,
                )),
                resources: Arc::default(),
                session_resources: Vec::new(),
                grants: Vec::new(),
                timeout: Some(DEFAULT_TIMEOUT),
                slots: BTreeMap::new(),
                excess: LargeOutputs::default(),
                output_check: OutputCheck::default(),
                placement: Placement::default(),
            },
            reading: ReadLimits::default(),
            measures_time: false,
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
            hooks: Hooks::default(),
            max_call_depth: DEFAULT_DEPTH,
            sinks: Vec::new(),
            trace: None,
            recorder: None,
            environment: EnvironmentSettings::default(),
        }
    }

    /// Adds a thing of the app, which tools take by reference: a parameter `&T` finds it by its
    /// type. A second of the same type takes the place of the first. Default: no resources.
    pub fn resource<T: Resource>(self, resource: T) -> Self {
        self.resource_arc(Arc::new(resource))
    }

    /// Adds a thing of the app that is shared already, for instance as a trait object: a parameter
    /// `&dyn Files` finds an `Arc<dyn Files>`.
    pub fn resource_arc<T: ?Sized + Resource>(mut self, resource: Arc<T>) -> Self {
        Arc::make_mut(&mut self.planner.resources).put(resource);
        self
    }

    /// Says that each session brings a resource of this type, by
    /// [`SessionOptions::resource`](crate::executor::SessionOptions::resource), so that tools which need it do not
    /// keep the executor from being built. Default: a resource that a tool needs is the executor's.
    ///
    /// In a session without it, calls of those tools end with an error before anybody is asked about
    /// them: kind [`Internal`](crate::content::ErrorKind::Internal), with the name of the type for the log.
    ///
    /// ```
    /// use toolwright::{Executor, tool, ToolCall, ToolRegistry};
    /// use toolwright::executor::SessionOptions;
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
        self.planner.session_resources.push(ResourceKey::of::<T>());
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

    /// Says whether results tell how long their calls took. Default: no, and no clock is read.
    pub fn measure_time(mut self, measure: bool) -> Self {
        self.measures_time = measure;
        self
    }

    /// Sets what tells tools the time; see [`ToolContext::clock`](crate::ToolContext::clock). Timeouts,
    /// tickets and events go by the system's clock all the same. Default:
    /// [`SystemClock`](crate::context::SystemClock).
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.environment.clock = Some(Arc::new(clock));
        self
    }

    /// Sets the seed of the random numbers and ids of tools, so that they are the same in each run; see
    /// [`ToolContext::rng`](crate::ToolContext::rng). Default: none, so that they come from the system.
    ///
    /// A session gets a seed of this one and its id, and a call of that of its session and its number
    /// there: in two sessions of one id, the third call that is begun gets the same. Whoever knows a seed
    /// knows every number made from it, so keys and passwords must not be made from them.
    ///
    /// ```
    /// use toolwright::{Executor, ToolContext, ToolRegistry, tool};
    ///
    /// /// Draw a card.
    /// #[tool(read_only, determinism = bounded)]
    /// fn draw(ctx: &ToolContext) -> u64 {
    ///     ctx.rng().below(52)
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// let mut games = Vec::new();
    /// for _ in 0..2 {
    ///     let executor = Executor::builder(ToolRegistry::new().with(Draw)).seed(2_026).build()?;
    ///     let (first, second) = (executor.call("draw", "{}").await, executor.call("draw", "{}").await);
    ///     games.push((first.text(), second.text()));
    /// }
    /// assert_eq!(games[0], games[1]);
    /// # Ok::<(), toolwright::BuildError>(())
    /// # }).unwrap();
    /// ```
    pub fn seed(mut self, seed: u64) -> Self {
        self.environment.seed = Some(seed);
        self
    }

    /// Sets the dispatcher, which runs the calls of tools that are [durable](crate::ToolSpec::is_durable) or belong to a
    /// [pool](crate::ToolSpec::pool). All others run where they are called. Default: none, and an executor with such a
    /// tool is not built.
    ///
    /// The hosts of the dispatcher have the same tools and the same [`ticket_key`](crate::executor::Approvals::ticket_key).
    /// Whatever a call of such a tool needs of the app, its hosts need, and this executor does not. Commands to the
    /// state of the session, which the tool gives, stay with the host.
    pub fn dispatcher(mut self, dispatcher: impl Dispatcher) -> Self {
        let port = DispatchPort::new(Arc::new(dispatcher));
        self.planner.placement = Placement::Dispatched(Arc::new(port));
        self
    }

    /// Runs tools that are durable or belong to a pool here, like all others: for the executor of a
    /// [`ToolHost`](crate::executor::ToolHost), and for tests. Default: they need a [dispatcher](Self::dispatcher).
    pub fn hosts_pools(mut self) -> Self {
        self.planner.placement = Placement::Here;
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
}

impl fmt::Debug for ExecutorBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExecutorBuilder")
            .field("registry", &self.registry)
            .field("resources", &self.planner.resources)
            .field("timeout", &self.planner.timeout)
            .field("grants", &self.planner.grants)
            .finish_non_exhaustive()
    }
}

impl Executor {
    /// An executor of these tools with the default settings: see [`ExecutorBuilder`].
    ///
    /// # Errors
    ///
    /// Fails if two tools have one name, or if a tool needs a resource: add resources with [`Executor::builder`].
    pub fn new(registry: ToolRegistry) -> Result<Self, BuildError> {
        Self::builder(registry).build()
    }

    /// Sets up an executor of these tools.
    pub fn builder(registry: ToolRegistry) -> ExecutorBuilder {
        ExecutorBuilder::new(registry)
    }
}
