//! The public methods of a session.

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::content::{ToolCall, ToolError};
use crate::context::TurnScope;
use crate::executor::batch::handle::TaskHandle;
use crate::executor::batch::stream::CallStream;
use crate::executor::call::commands::apply;
use crate::executor::call::preview::Preview;
use crate::executor::call::resume::resume;
use crate::executor::call::run_call;
use crate::executor::catalog::tools::CatalogRef;
use crate::executor::core::handles::{Session, Turn};
use crate::executor::core::origin::CallOrigin;
use crate::executor::core::tasks::RunningCall;
use crate::executor::options::SessionOptions;
use crate::executor::tools_watch::ToolsWatch;
use crate::id::{InvocationId, RunIdentity, SessionId, TurnId};
use crate::outcome::ToolOutcome;
use crate::registry::{ToolAvailability, ToolSnapshot};
use crate::state::{MAX_SCHEDULED, ScheduledAction, StateCommand, StateSnapshot};
use crate::ticket::{Answers, Ticket, TicketError};

impl Session {
    /// The session's id.
    pub fn id(&self) -> &SessionId {
        &self.core.scope.id
    }

    /// The tools that the session has now, frozen: what its model is to be told of.
    pub fn tools(&self) -> Arc<ToolSnapshot> {
        Arc::clone(&self.core.catalog(&self.executor).snapshot)
    }

    /// The tools of the executor that the session does not have, each with the reason, and the settings of the session
    /// that have no effect.
    pub fn availability(&self) -> ToolAvailability {
        let catalog = self.core.catalog(&self.executor);
        catalog.scope.availability.clone()
    }

    /// The run that the session belongs to, if the app has [told](SessionOptions::run).
    pub fn run(&self) -> Option<&RunIdentity> {
        self.core.scope.run_info.run.as_deref()
    }

    /// Opens a session below this one, for a sub-agent: cancelling this one cancels it too. It has the
    /// checker and the resources of this one, but for what
    /// [its options](SessionOptions::permission_checker) bring. What was
    /// refused here or above for more than one call is refused there; what was allowed here is allowed
    /// there. What is answered there stays there, and so do its tickets and its [state](Self::state). It
    /// has the tools that this one has, and by [its options](SessionOptions::tools) fewer; only what
    /// [a role always has](crate::registry::RoleRules::always) may be more.
    pub fn sub_session(&self, id: impl Into<SessionId>) -> Self {
        self.sub_session_with(id, SessionOptions::new())
    }

    /// Opens a session below this one, with options of its own; see [`Session::sub_session`].
    pub fn sub_session_with(&self, id: impl Into<SessionId>, options: SessionOptions) -> Self {
        Self::open(&self.executor, id.into(), options, Some(&self.core))
    }

    /// Begins a turn: the calls of one message of the model.
    pub fn turn(&self) -> Turn {
        let id = TurnId::new(self.core.next());
        let cancellation = self.core.scope.cancellation.child_token();
        Turn {
            id,
            scope: Arc::new(TurnScope::new(id, cancellation)),
            catalog: match self.core.catalog(&self.executor) {
                CatalogRef::First(_) => None,
                CatalogRef::Own(catalog) => Some(catalog),
            },
            session: self.clone(),
        }
    }

    /// Runs one call, as a turn of its own.
    ///
    /// Dropping the future drops the tool where it stands.
    pub fn call<'a>(&'a self, call: ToolCall<'a>) -> impl Future<Output = ToolOutcome> + Send + 'a {
        run_call(CallOrigin::Session(self), call)
    }

    /// Tells what a call would ask for and whether it would be allowed, by the very stages that a call
    /// goes through, without running it: its name is resolved, its arguments are read and repaired,
    /// and its requests are worked out and judged.
    ///
    /// ```
    /// use toolwright::{Executor, PermissionRequest, tool, ToolCall, ToolRegistry};
    /// use toolwright::permission::Verdict;
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

    /// Cancels the session and those below it: calls that wait end at once, and no call of them runs
    /// any more. Calls that were [suspended](ToolOutcome::Suspended) hold nothing that could be
    /// cancelled: their tickets stay, for another handle of the session, until it
    /// [ends](Self::end) or they are cancelled [one by one](crate::ticket::TicketBroker::cancel).
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

impl Session {
    /// Runs the calls of one message, as a turn of their own: see [`Turn::call_all`].
    pub async fn call_all<'a>(
        &self,
        calls: impl IntoIterator<Item = ToolCall<'a>>,
    ) -> Vec<ToolOutcome> {
        self.turn().call_all(calls).await
    }

    /// Tells of each change of what [`Session::tools`] gives, for a host that tells its model of
    /// tools anew.
    ///
    /// ```
    /// use toolwright::{Executor, ToolRegistry, tool};
    ///
    /// /// Tell the time of day.
    /// #[tool(read_only)]
    /// fn time() -> &'static str {
    ///     "noon"
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
    /// let executor = Executor::new(ToolRegistry::new())?;
    /// let mut watch = executor.session("s-1").watch_tools();
    /// executor.update_tools(|tools| tools.register(Time))?;
    /// let change = watch.changed().await;
    /// assert_eq!(change.added()[0].as_str(), "time");
    /// assert_eq!(change.tools().len(), 1);
    /// # Ok::<(), toolwright::BuildError>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn watch_tools(&self) -> ToolsWatch {
        let session = Arc::clone(&self.core);
        ToolsWatch::new(Arc::clone(&self.executor), Some(session))
    }

    /// Goes on with a call that was [suspended](ToolOutcome::Suspended), in this process or
    /// another: with the same key, store and tools. Answers may come with it, or
    /// [another way](crate::ticket::TicketBroker::answer) before.
    ///
    /// If something is left to answer, the outcome is the same suspension. If somebody said no, it is
    /// a denial with the reason for the model. Otherwise the call runs, exactly once whoever resumes it
    /// how often: under its own invocation, and what was allowed is not asked again. What the checker
    /// or a grant denies now stays denied, and what the call asks for beyond what was allowed, because
    /// the world has changed meanwhile, is asked in a new ticket.
    ///
    /// Dropping the future drops the tool where it stands, and the ticket is used all the same.
    ///
    /// ```
    /// use toolwright::{Executor, tool, ToolCall, ToolOutcome, ToolRegistry};
    /// use toolwright::executor::WaitMode;
    /// use toolwright::ticket::Answer;
    ///
    /// /// Deploy to a place.
    /// #[tool]
    /// async fn deploy(place: String) -> String {
    ///     format!("deployed to {place}")
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// let executor = Executor::builder(ToolRegistry::new().with(Deploy))
    ///     .approvals(WaitMode::Suspending)
    ///     .build()?;
    /// let session = executor.session("s-1");
    /// let outcome = session.call(ToolCall::new("deploy", r#"{"place": "test"}"#)).await;
    /// let ToolOutcome::Suspended(suspension) = outcome else {
    ///     panic!("somebody has to be asked");
    /// };
    /// let outcome = session.resume(suspension.ticket(), Answer::yes()).await?;
    /// assert_eq!(outcome.text(), "deployed to test");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # }).unwrap();
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the ticket is not valid, by its [kind](TicketError::kind): it is forged, expired or used, belongs to
    /// another session, its call was cancelled, or the stored data or the tool has changed. Also fails if an answer
    /// does not fit, or if there is one already. Nothing ran because of this resume.
    pub fn resume<'a, A: Into<Answers>>(
        &'a self,
        ticket: &'a Ticket,
        answers: A,
    ) -> impl Future<Output = Result<ToolOutcome, TicketError>> + Send + use<'a, A> {
        let answers = answers.into();
        async move { resume(&self.executor, &self.core, ticket, answers).await }
    }

    /// Runs a call in a task of its own, as a turn of its own: see [`Turn::spawn`].
    pub fn spawn(&self, call: ToolCall<'_>) -> TaskHandle {
        self.turn().spawn(call)
    }

    /// The calls of the session that run by themselves now, or wait to: those that were
    /// [spawned](Turn::spawn) and the members of [batches](Turn::call_all), in the order in which they
    /// came. A call that its host runs in place is not among them, and none that has ended.
    pub fn running(&self) -> Vec<RunningCall> {
        self.core.tasks.running()
    }

    /// Cancels one of the [running](Self::running) calls, as [`TaskHandle::cancel`] does; its siblings
    /// go on. Tells whether there is such a call.
    pub fn cancel_call(&self, call: InvocationId) -> bool {
        let task = self.core.tasks.get(call);
        if let Some(task) = &task {
            task.cancel();
        }
        task.is_some()
    }

    /// The most scheduled actions that can wait in a session: 1,024. See [`Session::take_scheduled`].
    pub const MAX_SCHEDULED: usize = MAX_SCHEDULED;

    /// The state of the session as it is now. It belongs to the session's id: all handles of this
    /// executor that have the id share it, from when it is first set until the session
    /// [ends](Self::end). It is not kept with tickets, so that a call which is resumed in another process
    /// finds the state of that process.
    ///
    /// A [session below](Self::sub_session) another has a state of its own, which begins empty, and sees
    /// nothing of that above it: what a sub-agent is to know is given to it by
    /// [`SessionOptions::state`](crate::executor::SessionOptions::state).
    pub fn state(&self) -> StateSnapshot {
        self.core.scope.state.snapshot()
    }

    /// Sets the value of a type in the session's state. Calls that run already do not see it.
    pub fn set_state<T: Send + Sync + 'static>(&self, value: T) {
        // Only changes and schedules can fail, and this command sets a value.
        let _ = self.apply([StateCommand::set(value)]);
    }

    /// Applies commands to the session, as if a call had given them: all or none.
    ///
    /// ```
    /// use toolwright::{Executor, ToolRegistry};
    /// use toolwright::state::StateCommand;
    ///
    /// #[derive(Clone, Default)]
    /// struct Rounds(u32);
    ///
    /// let session = Executor::new(ToolRegistry::new())?.session("s-1");
    /// session.apply([StateCommand::update(|rounds: &mut Rounds| rounds.0 += 1)])?;
    /// assert_eq!(session.state().get::<Rounds>().map(|rounds| rounds.0), Some(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if a change panics, or if too many actions are scheduled. Nothing was applied.
    pub fn apply(&self, commands: impl IntoIterator<Item = StateCommand>) -> Result<(), ToolError> {
        let scope = &self.core.scope;
        apply(&scope.state, commands.into_iter().collect(), |kind| {
            scope.events.emit(Some(&scope.id), None, || kind);
        })
    }

    /// Takes what was [scheduled](StateCommand::schedule) in the session and not taken yet, the first first.
    /// When an action is due counts from when its call succeeded: an app that must be in time listens to
    /// [`EventKind::Scheduled`](crate::event::EventKind::Scheduled) for when to take them.
    pub fn take_scheduled(&self) -> Vec<ScheduledAction> {
        self.core.scope.state.take_scheduled()
    }

    /// Runs the calls of one message, as a turn of their own: see [`Turn::stream_all`].
    pub fn stream_all<'a>(&self, calls: impl IntoIterator<Item = ToolCall<'a>>) -> CallStream {
        self.turn().stream_all(calls)
    }
}
