//! Helpers for the unit tests of a tool author.
//!
//! The annotated function stays an ordinary function, so most tests call it as it is. A function
//! that takes a [`ToolContext`] gets one here:
//!
//! ```
//! use toolwright::{ToolContext, testing, tool};
//!
//! /// Tell which call this is.
//! #[tool(read_only)]
//! fn whoami(ctx: &ToolContext) -> String {
//!     format!("{} in {}", ctx.call_id().map_or("?", |id| id.as_str()), ctx.session_id())
//! }
//!
//! let ctx = testing::context().call_id("c-1").session_id("s-1").build();
//! assert_eq!(whoami(&ctx), "c-1 in s-1");
//! ```
//!
//! With the feature `contracts` the contracts of the ports are here as tests: `ticket_store_contract`,
//! `durable_ticket_store_contract`, `replica_ticket_store_contract`, `result_store_contract`, `state_store_contract` and
//! `dispatcher_contract`.

mod caller;
mod calls;
#[cfg(any(test, feature = "contracts"))]
pub(crate) mod contracts;
mod determinism;
pub(crate) mod differ;
mod lints;
mod not_deterministic;
mod waits;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

pub use caller::FakeToolCaller;
use calls::{AnswerCall, ScriptedCalls};
#[cfg(any(test, feature = "contracts"))]
pub use contracts::{
    dispatcher_contract, durable_ticket_store_contract, replica_ticket_store_contract,
    result_store_contract, state_store_contract, ticket_store_contract,
};
pub use determinism::{DeterminismCheck, determinism_check};
pub use lints::{assert_no_lints, assert_no_lints_but};
pub use not_deterministic::NotDeterministic;
use waits::Scripted;

use crate::arguments::Arguments;
use crate::content::{ToolCall, ToolError, ToolOutput};
use crate::context::{
    ArgumentsInFlight, CallExtras, CallIds, Cancellation, Resource, Resources, RunInfo,
    SessionScope, SuspendedTurns, ToolContext, WaitTracker,
};
use crate::context::{Clock, EnvironmentSettings, EnvironmentSource, FixedClock};
use crate::event::{EventSink, Events};
use crate::id::{CallId, InvocationId, RunIdentity, SessionId, ToolName, TurnId};
use crate::permission::{
    AllowAll, AnyChecker, AsyncPermissionChecker, PermissionChecker, PermissionEvaluator,
    SessionGrants,
};
use crate::schedule::DeadlineQueue;
use crate::spec::ToolSpec;
use crate::state::{SessionState, StateCommand};
use crate::ticket::Answer;

/// A context for a unit test: of a session `test`, turn 1, a tool `test`, and without a call id
/// unless one is set. What the tool asks for while it runs is allowed. Its clock stands still, and its
/// random numbers and ids are the same in each run of the test.
pub fn context() -> ContextBuilder {
    ContextBuilder {
        resources: Resources::default(),
        session_id: None,
        call_id: None,
        tool: None,
        metadata: None,
        checker: AnyChecker::new(AllowAll),
        arguments: Arguments::empty(),
        cancellation: CancellationToken::new(),
        answers: Vec::new(),
        sinks: Vec::new(),
        state: Vec::new(),
        run_info: RunInfo::default(),
        calls: None,
        environment: EnvironmentSettings::default(),
    }
}

/// Sets up a [`ToolContext`] for a unit test; see [`context`].
pub struct ContextBuilder {
    resources: Resources,
    session_id: Option<SessionId>,
    call_id: Option<CallId>,
    tool: Option<ToolSpec>,
    metadata: Option<Arc<Map<String, Value>>>,
    checker: AnyChecker,
    arguments: Arguments<'static>,
    cancellation: CancellationToken,
    answers: Vec<Answer>,
    sinks: Vec<Arc<dyn EventSink>>,
    state: Vec<StateCommand>,
    run_info: RunInfo,
    calls: Option<Arc<AnswerCall>>,
    environment: EnvironmentSettings,
}

impl fmt::Debug for ContextBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ContextBuilder")
            .field("resources", &self.resources)
            .field("session_id", &self.session_id)
            .field("call_id", &self.call_id)
            .field("tool", &self.tool)
            .finish_non_exhaustive()
    }
}

impl ContextBuilder {
    /// Adds a resource, which the tool finds by its type. Default: no resources.
    pub fn resource<T: Resource>(self, resource: T) -> Self {
        self.resource_arc(Arc::new(resource))
    }

    /// Adds a resource that is shared already, for instance as a trait object.
    pub fn resource_arc<T: ?Sized + Resource>(mut self, resource: Arc<T>) -> Self {
        self.resources.put(resource);
        self
    }

    /// Sets the session's id. Default: `test`.
    pub fn session_id(mut self, id: impl Into<SessionId>) -> Self {
        self.session_id = Some(id.into());
        self
    }

    /// Sets the model's id of the call. Default: none.
    pub fn call_id(mut self, id: impl Into<CallId>) -> Self {
        self.call_id = Some(id.into());
        self
    }

    /// Sets the tool's name. Default: `test`.
    pub fn tool_name(self, name: ToolName) -> Self {
        self.tool(&ToolSpec::new(name, "A tool in a unit test."))
    }

    /// Sets the tool, for a checker that goes by its spec. Default: a tool `test` without an effect.
    pub fn tool(mut self, spec: &ToolSpec) -> Self {
        self.tool = Some(spec.clone());
        self
    }

    /// Sets the checker of what the tool asks for while it runs; see
    /// [`ToolContext::check`]. Default: [`AllowAll`].
    ///
    /// ```
    /// use toolwright::{PermissionRequest, testing, tool, ToolContext, ToolError};
    /// use toolwright::permission::DenyAll;
    ///
    /// /// Open a door.
    /// #[tool]
    /// async fn open(door: String, ctx: &ToolContext) -> Result<String, ToolError> {
    ///     let request = PermissionRequest::new("door.open", &door, format!("Open {door}"));
    ///     ctx.check(request).await?;
    ///     Ok(format!("{door} is open"))
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// let ctx = testing::context().permission_checker(DenyAll).build();
    /// let denied = open("the vault".to_owned(), &ctx).await.unwrap_err();
    /// assert_eq!(denied.to_string(), "`test` was denied (Open the vault): no tool may run here");
    /// # });
    /// ```
    pub fn permission_checker(mut self, checker: impl PermissionChecker) -> Self {
        self.checker = AnyChecker::new(checker);
        self
    }

    /// Sets the checker of what the tool asks for while it runs, where verdicts have to be waited for; see
    /// [`AsyncPermissionChecker`]. Default: [`AllowAll`].
    pub fn async_permission_checker(mut self, checker: impl AsyncPermissionChecker) -> Self {
        self.checker = AnyChecker::new_async(checker);
        self
    }

    /// Sets the arguments that the checker sees. Default: none.
    pub fn arguments(mut self, arguments: impl Into<Arguments<'static>>) -> Self {
        self.arguments = arguments.into();
        self
    }

    /// Sets the host's metadata of the call. Default: none.
    pub fn metadata(mut self, metadata: Map<String, Value>) -> Self {
        self.metadata = Some(Arc::new(metadata));
        self
    }

    /// Sets the token by which the test cancels the call. Default: a token that is never cancelled.
    pub fn cancellation(mut self, token: CancellationToken) -> Self {
        self.cancellation = token;
        self
    }

    /// Sets what people answer to what the tool asks while it runs, one answer to each thing that it
    /// asks for, in this order. Default: nobody is there, nor is anybody once the answers are used up.
    ///
    /// ```
    /// use toolwright::{PermissionRequest, testing, tool, ToolContext, ToolError};
    /// use toolwright::permission::DefaultPolicy;
    /// use toolwright::ticket::Answer;
    ///
    /// /// Open a door.
    /// #[tool]
    /// async fn open(door: String, ctx: &ToolContext) -> Result<String, ToolError> {
    ///     let request = PermissionRequest::new("door.open", &door, format!("Open {door}"));
    ///     ctx.check(request).await?;
    ///     Ok(format!("{door} is open"))
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// let answers = [Answer::yes(), Answer::no().because("it is locked for a reason")];
    /// let ctx = testing::context().permission_checker(DefaultPolicy).answers(answers).build();
    /// assert_eq!(open("the gate".to_owned(), &ctx).await.unwrap(), "the gate is open");
    /// let denied = open("the vault".to_owned(), &ctx).await.unwrap_err();
    /// assert!(denied.message().contains("it is locked for a reason"));
    /// # });
    /// ```
    pub fn answers(mut self, answers: impl IntoIterator<Item = Answer>) -> Self {
        self.answers = answers.into_iter().collect();
        self
    }

    /// Adds a sink for what the tool reports: see [`ToolContext::progress`]. Default: nobody.
    ///
    /// ```
    /// use toolwright::{testing, tool, ToolContext};
    /// use toolwright::event::{EventChannel, EventKind};
    ///
    /// /// Sort some numbers.
    /// #[tool(pure)]
    /// fn sort(mut numbers: Vec<i64>, ctx: &ToolContext) -> Vec<i64> {
    ///     ctx.progress(None, "sorting");
    ///     numbers.sort_unstable();
    ///     numbers
    /// }
    ///
    /// let channel = EventChannel::new(16);
    /// let mut events = channel.subscribe();
    /// let ctx = testing::context().events(channel).build();
    /// assert_eq!(sort(vec![2, 1], &ctx), [1, 2]);
    /// let reported = events.try_recv().expect("the tool reports");
    /// let kind = reported.event().kind();
    /// assert!(matches!(kind, EventKind::Progress { message, .. } if message == "sorting"));
    /// ```
    pub fn events(mut self, sink: impl EventSink) -> Self {
        self.sinks.push(Arc::new(sink));
        self
    }

    /// Puts a value into the session's state, under its type; see [`ToolContext::state`]. Default: an empty state.
    ///
    /// ```
    /// use toolwright::{ToolContext, testing, tool};
    ///
    /// struct WorkingDirectory(String);
    ///
    /// /// Tell which directory this is.
    /// #[tool(read_only)]
    /// fn directory(ctx: &ToolContext) -> String {
    ///     ctx.state::<WorkingDirectory>().map_or_else(|| "/".to_owned(), |at| at.0.clone())
    /// }
    ///
    /// let ctx = testing::context().state(WorkingDirectory("/data".into())).build();
    /// assert_eq!(directory(&ctx), "/data");
    /// ```
    pub fn state<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        self.state.push(StateCommand::set(value));
        self
    }

    /// Sets the run that the call belongs to; see [`ToolContext::run`]. Default: none.
    pub fn run(mut self, run: RunIdentity) -> Self {
        self.run_info.run = Some(Arc::new(run));
        self
    }

    /// Sets the app's description of the agent; see [`ToolContext::agent_spec`]. Default: none.
    pub fn agent_spec<T: Send + Sync + 'static>(mut self, agent: Arc<T>) -> Self {
        self.run_info.agent = Some(agent);
        self
    }

    /// Sets what is answered to the calls that the tool makes; see [`ToolContext::call`]. Default: that
    /// there are no other tools.
    ///
    /// ```
    /// use toolwright::{ToolCall, ToolContext, ToolOutput, testing, tool};
    ///
    /// /// Shout what another tool says.
    /// #[tool(read_only)]
    /// async fn shout(ctx: &ToolContext) -> String {
    ///     ctx.call(ToolCall::new("say", "{}")).await.text().to_uppercase()
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// let ctx = testing::context()
    ///     .calls(|call| Ok(ToolOutput::text(format!("{} was called", call.name()))))
    ///     .build();
    /// assert_eq!(shout(&ctx).await, "SAY WAS CALLED");
    /// # });
    /// ```
    pub fn calls(
        mut self,
        answer: impl Fn(&ToolCall<'_>) -> Result<ToolOutput, ToolError> + Send + Sync + 'static,
    ) -> Self {
        self.calls = Some(Arc::new(answer));
        self
    }

    /// Sets the clock; see [`ToolContext::clock`]. Default: a [`FixedClock`] that shows
    /// 2000-01-01T00:00:00Z.
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.environment.clock = Some(Arc::new(clock));
        self
    }

    /// Sets the seed of random numbers and ids; see [`ToolContext::rng`]. Default: 0.
    pub fn seed(mut self, seed: u64) -> Self {
        self.environment.seed = Some(seed);
        self
    }

    /// Makes the context.
    pub fn build(self) -> ToolContext {
        let tool = self
            .tool
            .unwrap_or_else(|| ToolSpec::new(ToolName::test(), "A tool in a unit test."));
        let id = self.session_id.unwrap_or_else(|| SessionId::new("test"));
        let state = SessionState::default();
        // Only changes and schedules can fail, and these commands set values.
        let _ = state.apply(&self.state);
        let source = EnvironmentSource::fixed(Arc::new(FixedClock::default()), 0);
        let environment = source.with(self.environment).session(&id, 0);
        let invocation_id = InvocationId::from_parts(0, 1);
        let of_call = environment.of_call(invocation_id, None);
        if let Some(of_call) = &of_call {
            of_call.begin();
        }
        let session = SessionScope {
            state: Arc::new(state),
            run_info: self.run_info,
            calls: Arc::new(ScriptedCalls::new(self.calls)),
            grants: SessionGrants::new_at(id.clone(), 0),
            parent: None,
            below: None,
            prefix: 0,
            id,
            resources: Arc::new(self.resources),
            judge: Arc::new(PermissionEvaluator::new(
                self.checker,
                "The setting is `ContextBuilder::permission_checker`.",
            )),
            specs: Arc::new(tool),
            cancelled: self.cancellation.is_cancelled().into(),
            cancellation: Cancellation::new(
                self.cancellation,
                Arc::new(DeadlineQueue::new(Duration::ZERO)),
            ),
            waits: Arc::new(Scripted::new(self.answers)),
            wait_tracker: WaitTracker::default(),
            suspended: SuspendedTurns::default(),
            slots: None,
            environment,
            timeout: None,
            is_watched: false,
            events: Events::new(self.sinks, &Arc::default()),
        };
        let extras = CallExtras {
            metadata: self.metadata,
            kept: Some(Arc::new(ArgumentsInFlight {
                arguments: self.arguments,
                purpose: None,
            })),
            environment: of_call,
            ..CallExtras::default()
        };
        ToolContext::new(
            Arc::new(session),
            None,
            CallIds {
                turn: TurnId::new(1),
                invocation: invocation_id,
                call: self.call_id.as_ref(),
            },
            0,
            Some(Arc::new(extras)),
        )
    }
}
