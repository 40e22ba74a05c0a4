//! The options of a session.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::context::{Clock, EnvironmentSettings};
use crate::context::{Resource, Resources, RunInfo};
use crate::event::EventSink;
use crate::executor::catalog::visibility::Narrowing;
use crate::id::RunIdentity;
use crate::permission::{AnyChecker, AsyncPermissionChecker, PermissionChecker};
use crate::record::CallSource;
use crate::registry::{FeatureGate, RoleRules, Selector, put_gate};
use crate::spec::CapabilityGrant;
use crate::state::{SessionState, StateCommand};

/// The options of a session, beyond its id: see [`Executor::session_with`](crate::Executor::session_with) and
/// [`Session::sub_session_with`](crate::Session::sub_session_with).
///
/// ```
/// use std::time::Duration;
/// use toolwright::{Executor, ToolRegistry};
/// use toolwright::executor::SessionOptions;
///
/// let executor = Executor::new(ToolRegistry::new())?;
/// let options = SessionOptions::new().timeout(Duration::from_secs(5));
/// let session = executor.session_with("s-1", options);
/// assert_eq!(session.id().as_str(), "s-1");
/// # Ok::<(), toolwright::BuildError>(())
/// ```
#[derive(Clone, Default)]
#[must_use = "a session is opened with them"]
pub struct SessionOptions {
    pub(crate) timeout: Option<Duration>,
    pub(crate) narrowing: Narrowing,
    pub(crate) max_concurrent: Option<usize>,
    pub(crate) run_info: RunInfo,
    pub(crate) checker: Option<AnyChecker>,
    pub(crate) resources: Resources,
    pub(crate) environment: EnvironmentSettings,
    pub(crate) source: Option<Arc<dyn CallSource>>,
    pub(crate) sinks: Vec<Arc<dyn EventSink>>,
    /// The initial values of the state.
    state: Vec<StateCommand>,
}

crate::util::documented::documented_default!(
    "tools of a session",
    if SessionOptions::new().narrowing.tools.is_none() {
        "all"
    } else {
        "some"
    }
);

impl SessionOptions {
    /// Returns options that change nothing: those of [`Executor::session`](crate::Executor::session).
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the longest time that a call of the session may take, counted from when its body first waits. The least of this, the
    /// tool's and the executor's holds. Default: no limit of the session's own; a session below another has that one's too.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Sets which tools the session has; a session below another selects of what that one has. What is
    /// not selected is not there: its model is not told of it, and no call reaches it, be it
    /// [nested](crate::ToolContext) or the app's own. Tools that are
    /// [for the app alone](crate::ToolRegistry::with_unadvertised) stay unless a pattern with `!`
    /// takes them away. Default: all tools of the executor or of the session above, explicit-only ones
    /// too.
    pub fn tools(mut self, tools: Selector) -> Self {
        self.narrowing.tools = Some(tools);
        self
    }

    /// Sets the checker of the tools and calls of the session, in place of the executor's
    /// [checker](crate::ExecutorBuilder::permission_checker). Default: that of the session above, if there is
    /// one, and otherwise the executor's.
    ///
    /// So a server with many users has one executor. Its verdicts on the tools are worked out once:
    /// sessions that get clones of one `Arc`, or one clone of these options each, share them. What is
    /// wrong with it for the executor's tools is listed by
    /// [`ToolAvailability::checker_problems`](crate::registry::ToolAvailability::checker_problems).
    ///
    /// ```
    /// use std::sync::Arc;
    /// use toolwright::{Executor, tool, ToolCall, ToolContext, ToolRegistry};
    /// use toolwright::executor::SessionOptions;
    /// use toolwright::permission::AllowAll;
    ///
    /// struct Notes(&'static str);
    ///
    /// /// Add a note.
    /// #[tool]
    /// fn add_note(text: String, notes: &Notes) -> String {
    ///     format!("{text} is with {}", notes.0)
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// let executor = Executor::builder(ToolRegistry::new().with(AddNote))
    ///     .session_resource::<Notes>()
    ///     .build()?;
    /// let editors = Arc::new(AllowAll);
    /// let ada = SessionOptions::new().permission_checker(Arc::clone(&editors)).resource(Notes("Ada's"));
    /// let bob = SessionOptions::new().resource(Notes("Bob's"));
    ///
    /// let call = || ToolCall::new("add_note", r#"{"text": "milk"}"#);
    /// let outcome = executor.session_with("ada", ada).call(call()).await;
    /// assert_eq!(outcome.text(), "milk is with Ada's");
    /// // By the executor's own checker, what may change things needs approval.
    /// assert!(!executor.session_with("bob", bob).call(call()).await.is_success());
    /// # Ok::<(), toolwright::BuildError>(())
    /// # }).unwrap();
    /// ```
    pub fn permission_checker(mut self, checker: impl PermissionChecker) -> Self {
        self.checker = Some(AnyChecker::new(checker));
        self
    }

    /// Sets the checker of the session where verdicts have to be waited for: see [`AsyncPermissionChecker`]. Default: as
    /// for [`permission_checker`](Self::permission_checker), whose place it takes.
    pub fn async_permission_checker(mut self, checker: impl AsyncPermissionChecker) -> Self {
        self.checker = Some(AnyChecker::new_async(checker));
        self
    }

    /// Adds a thing of the app for this session and those below it: see
    /// [`ExecutorBuilder::resource`](crate::ExecutorBuilder::resource). It takes the place of that of the
    /// same type which the session above or the executor has.
    ///
    /// If only sessions have a resource that a tool needs, the executor is built with
    /// [`session_resource`](crate::ExecutorBuilder::session_resource).
    pub fn resource<T: Resource>(self, resource: T) -> Self {
        self.resource_arc(Arc::new(resource))
    }

    /// Adds a thing of the app that is shared already, for instance as a trait object: see
    /// [`resource`](Self::resource).
    pub fn resource_arc<T: ?Sized + Resource>(mut self, resource: Arc<T>) -> Self {
        self.resources.put(resource);
        self
    }

    /// Sets what the session has whatever it selects. Where it is below another, this comes to what
    /// [the executor says](crate::ExecutorBuilder::sub_session_rules) of such. Default: no rules.
    pub fn role(mut self, rules: RoleRules) -> Self {
        self.narrowing.rules = vec![rules];
        self
    }

    /// Adds a feature that may be off for this session and those below it: see [`FeatureGate`]. It can
    /// close what the executor's gates leave open, and not open what they close. Default: none.
    pub fn feature_gate(mut self, gate: FeatureGate) -> Self {
        put_gate(&mut self.narrowing.gates, gate);
        self
    }

    /// Sets what the session grants at most: a tool has a capability here only if one of these grants it,
    /// and the executor does, and each session above. So it takes away and never adds, and it does not
    /// change while the session is open. Default: what the executor or the session above grants.
    ///
    /// The calls of a tool that requires more are denied before anything else is looked at, with
    /// [`ErrorKind::CapabilityDenied`](crate::content::ErrorKind::CapabilityDenied) and
    /// [all that is missing](crate::ToolError::missing_capabilities); see
    /// [`ExecutorBuilder::grant_capability`](crate::ExecutorBuilder::grant_capability). It holds for the
    /// calls that are made or resumed through this handle of the session and those below it.
    ///
    /// ```
    /// use toolwright::{Executor, tool, ToolCall, ToolRegistry};
    /// use toolwright::executor::SessionOptions;
    /// use toolwright::spec::CapabilityGrant;
    ///
    /// /// Tell the temperature outside.
    /// #[tool(read_only, capabilities("net:connect:weather.example"))]
    /// fn temperature() -> i32 {
    ///     21
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
    /// let executor = Executor::builder(ToolRegistry::new().with(Temperature))
    ///     .grant_capability("net:connect:*")
    ///     .build()?;
    /// assert_eq!(executor.session("s-1").call(ToolCall::new("temperature", "")).await.text(), "21");
    ///
    /// let files_only: CapabilityGrant = "fs:*:*".parse()?;
    /// let session = executor.session_with("s-2", SessionOptions::new().capabilities([files_only]));
    /// let denied = session.call(ToolCall::new("temperature", "")).await;
    /// let missing = denied.error().map(|error| error.missing_capabilities().to_vec());
    /// assert_eq!(missing.unwrap_or_default()[0].as_str(), "net:connect:weather.example");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn capabilities(mut self, grants: impl IntoIterator<Item = CapabilityGrant>) -> Self {
        self.narrowing.capabilities = Some(grants.into_iter().collect());
        self
    }

    /// Sets how many calls of the session may run at a time; 0 counts as 1. Default: any number.
    ///
    /// The others wait for their turn, which does not count as time of theirs, and can be cancelled
    /// meanwhile. A call that waits for people counts as one that does not run, and a call that another
    /// one makes through its context is part of that one. A session below this one has its own number.
    pub fn max_concurrent(mut self, calls: usize) -> Self {
        self.max_concurrent = Some(calls);
        self
    }
    /// Puts a value into the session's [state](crate::Session::state), under its type. A value of that
    /// type that the session has already, because another handle of it was opened, stays. Default: an empty state.
    pub fn state<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        self.state.push(StateCommand::begin_with(value));
        self
    }

    /// Says which run of an agent the session belongs to, for [`ToolContext::run`]. Default: that of the
    /// session above, if there is one, and otherwise none. A run of a session below another has that
    /// one's as its [parent](RunIdentity::parent), unless it names one.
    ///
    /// [`ToolContext::run`]: crate::ToolContext::run
    pub fn run(mut self, run: RunIdentity) -> Self {
        self.run_info.run = Some(Arc::new(run));
        self
    }

    /// Gives the calls of the session what the app says of its agent: model, settings, whatever its tools
    /// should know, of a type of the app's own. They get the same `Arc`, by
    /// [`ToolContext::agent_spec`]. Default: that of the session above, if there is one.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use toolwright::{Executor, tool, ToolCall, ToolContext, ToolRegistry};
    /// use toolwright::executor::SessionOptions;
    ///
    /// struct Agent {
    ///     model: &'static str,
    /// }
    ///
    /// /// Tell which model this is.
    /// #[tool(read_only)]
    /// fn which_model(ctx: &ToolContext) -> Option<&'static str> {
    ///     ctx.agent_spec::<Agent>().map(|agent| agent.model)
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// let executor = Executor::new(ToolRegistry::new().with(WhichModel))?;
    /// let options = SessionOptions::new().agent_spec(Arc::new(Agent { model: "small" }));
    /// let session = executor.session_with("s-1", options);
    /// assert_eq!(session.call(ToolCall::new("which_model", "{}")).await.text(), "small");
    /// # Ok::<(), toolwright::BuildError>(())
    /// # }).unwrap();
    /// ```
    ///
    /// [`ToolContext::agent_spec`]: crate::ToolContext::agent_spec
    pub fn agent_spec<T: Send + Sync + 'static>(mut self, agent: Arc<T>) -> Self {
        self.run_info.agent = Some(agent);
        self
    }

    /// Gives a state what it begins with.
    pub(crate) fn set_up(&self, state: &SessionState) {
        if !self.state.is_empty() {
            // Only changes and schedules can fail, and these commands set values.
            let _ = state.apply(&self.state);
        }
    }

    /// Sets where the results of the session and those below it come from: see [`CallSource`]. Default: that of
    /// the session above, if there is one, and otherwise the tools alone.
    ///
    /// The session goes on with no call that waits in a ticket: the source tells how that ended, and
    /// [`Session::resume`](crate::Session::resume) gives an error.
    pub fn call_source(mut self, source: impl CallSource) -> Self {
        self.source = Some(Arc::new(source));
        self
    }

    /// Adds who takes what happens in this session and those below it, after the sinks of
    /// [the executor](crate::ExecutorBuilder::events) and of the session above: so a server tells each of its clients of
    /// the client's own calls. Default: nobody more. What belongs to no session goes to the executor's sinks alone.
    ///
    /// ```
    /// use toolwright::{Executor, ToolCall, ToolContext, ToolRegistry, tool};
    /// use toolwright::event::MemoryEvents;
    /// use toolwright::executor::SessionOptions;
    ///
    /// /// Count the characters of a text.
    /// #[tool(pure)]
    /// fn count(text: String, ctx: &ToolContext) -> usize {
    ///     ctx.progress(0.5, "half of it");
    ///     text.chars().count()
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// let executor = Executor::new(ToolRegistry::new().with(Count))?;
    /// let events = MemoryEvents::new(100);
    /// let ada = executor.session_with("ada", SessionOptions::new().events(events.clone()));
    /// let call = || ToolCall::new("count", r#"{"text": "grüße"}"#);
    /// executor.session("bob").call(call()).await;
    /// assert!(events.take().is_empty());
    /// ada.call(call()).await;
    /// assert!(events.take().iter().any(|event| event.kind().as_str() == "progress"));
    /// # Ok::<(), toolwright::BuildError>(())
    /// # }).unwrap();
    /// ```
    pub fn events(mut self, sink: impl EventSink) -> Self {
        self.sinks.push(Arc::new(sink));
        self
    }

    /// Sets what tells the tools of the session the time: see
    /// [`ExecutorBuilder::clock`](crate::ExecutorBuilder::clock). Default: the clock of the session above,
    /// if there is one, and otherwise the executor's.
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.environment.clock = Some(Arc::new(clock));
        self
    }

    /// Sets the seed of the random numbers and ids of the session's tools: see
    /// [`ExecutorBuilder::seed`](crate::ExecutorBuilder::seed). Default: a seed made from that of the session above, or
    /// otherwise the executor's, and from the session's id.
    pub fn seed(mut self, seed: u64) -> Self {
        self.environment.seed = Some(seed);
        self
    }
}

impl fmt::Debug for SessionOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionOptions")
            .field("timeout", &self.timeout)
            .field("narrowing", &self.narrowing)
            .field("max_concurrent", &self.max_concurrent)
            .field("run_info", &self.run_info)
            .field("checker", &self.checker)
            .field("resources", &self.resources)
            .field("environment", &self.environment)
            .field("source", &self.source.is_some())
            .field("sinks", &self.sinks.len())
            .field("state", &self.state)
            .finish()
    }
}
