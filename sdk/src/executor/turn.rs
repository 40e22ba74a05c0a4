//! The public methods of a turn.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use crate::content::ToolCall;
use crate::executor::batch::handle::TaskHandle;
use crate::executor::batch::stream::CallStream;
use crate::executor::batch::{run, spawn};
use crate::executor::call::run_call;
use crate::executor::core::handles::{Session, Turn};
use crate::executor::core::origin::CallOrigin;
use crate::id::TurnId;
use crate::outcome::ToolOutcome;
use crate::registry::ToolSnapshot;

impl Turn {
    /// The turn's id.
    pub fn id(&self) -> TurnId {
        self.id
    }

    /// The tools that the turn has, frozen: those that its session had when it began.
    pub fn tools(&self) -> Arc<ToolSnapshot> {
        let first = || &self.shared().catalogs.first;
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
        run_call(CallOrigin::Turn(self), call)
    }

    /// Returns the reason of the gate that ended the turn by
    /// [`GateDecision::Block`](crate::hook::GateDecision::Block), if one did. No call of such a turn runs any
    /// more; the session's next turn does.
    pub fn block_reason(&self) -> Option<&str> {
        self.scope.block().map(|block| block.reason.as_str())
    }

    /// Cancels the turn: calls that wait end at once, and no call of it runs any more. The
    /// session's other turns go on, and so may calls of this one that were suspended: see
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

impl Turn {
    /// Runs the calls of one message, and gives their outcomes in the order of the calls.
    ///
    /// Calls of tools that are pure or only read run side by side. The task of the caller begins them, one after another,
    /// and goes on with those that were woken. On a runtime of several threads that has timers, tasks for the threads come
    /// to its help if the batch is not over after a few milliseconds: whichever of them is free takes the next call, so
    /// that an `async` body that holds its thread holds up no other for longer. Bodies of sync functions
    /// never wait: they hold their thread, and run one after another in the task of the caller. A body that holds the
    /// thread of the caller keeps that from whatever else its task does, as with a single call. A tool that takes long is
    /// `#[tool(blocking)]`, or `async` with an `await` wherever it takes time. A call of any other tool runs alone: after
    /// those before it have ended, and before those that come after it begin. A tool that is
    /// [concurrent](crate::ToolSpec::is_concurrent) runs beside any other. A call that waits for people holds up none, and
    /// when it goes on, it does so after those that have begun to wait meanwhile. All that takes a Tokio runtime; without
    /// one they run one after another.
    ///
    /// All requests that have to be answered before these calls run are made at once, so that a host can show them as
    /// one prompt; calls without requests run meanwhile. A call that fails, is denied or waits leaves the others
    /// alone. A gate's [`Block`](crate::hook::GateDecision::Block) ends them all. Two calls of one id are two calls.
    /// While they run, they are among those of [`Session::running`], and can be cancelled one by one.
    ///
    /// Dropping the future drops the tools where they stand.
    ///
    /// ```
    /// use toolwright::{Executor, ToolCall, ToolRegistry, tool};
    ///
    /// /// Double a number.
    /// #[tool(pure)]
    /// fn double(n: i64) -> i64 {
    ///     n * 2
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// let executor = Executor::new(ToolRegistry::new().with(Double))?;
    /// let calls = [1, 2, 3].map(|n| ToolCall::new("double", serde_json::json!({"n": n})));
    /// let outcomes = executor.session("s-1").turn().call_all(calls).await;
    /// let texts: Vec<String> = outcomes.iter().map(|outcome| outcome.text()).collect();
    /// assert_eq!(texts, ["2", "4", "6"]);
    /// # Ok::<(), toolwright::BuildError>(())
    /// # }).unwrap();
    /// ```
    pub async fn call_all<'a>(
        &self,
        calls: impl IntoIterator<Item = ToolCall<'a>>,
    ) -> Vec<ToolOutcome> {
        run::call_all(self, calls.into_iter().collect()).await
    }

    /// Runs a call in a task of its own. The host's loop goes on, and looks after the call by the
    /// handle, or by [`Session::running`].
    ///
    /// This needs a Tokio runtime: without one the call does not run, and its outcome says so.
    ///
    /// ```
    /// use toolwright::{Executor, tool, ToolCall, ToolRegistry};
    /// use toolwright::content::CallStatus;
    ///
    /// /// Double a number.
    /// #[tool(pure)]
    /// async fn double(n: i64) -> i64 {
    ///     n * 2
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// let executor = Executor::new(ToolRegistry::new().with(Double))?;
    /// let session = executor.session("s-1");
    /// let handle = session.spawn(ToolCall::new("double", r#"{"n": 4}"#));
    /// assert_eq!(handle.status(), CallStatus::New);
    /// assert_eq!(session.running().len(), 1);
    /// assert_eq!(handle.join().await.text(), "8");
    /// assert!(session.running().is_empty());
    /// # Ok::<(), toolwright::BuildError>(())
    /// # }).unwrap();
    /// ```
    pub fn spawn(&self, call: ToolCall<'_>) -> TaskHandle {
        spawn::spawn(self, call)
    }

    /// Runs the calls of one message as [`call_all`](Self::call_all) does, and gives each outcome as
    /// soon as it is there.
    ///
    /// ```
    /// use toolwright::{Executor, ToolCall, ToolRegistry, tool};
    ///
    /// /// Double a number.
    /// #[tool(pure)]
    /// async fn double(n: i64) -> i64 {
    ///     n * 2
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// let executor = Executor::new(ToolRegistry::new().with(Double))?;
    /// let calls = [1, 2, 3].map(|n| ToolCall::new("double", serde_json::json!({"n": n})));
    /// let mut outcomes = executor.session("s-1").turn().stream_all(calls);
    /// let mut sum = 0;
    /// while let Some((_, outcome)) = outcomes.next().await {
    ///     sum += outcome.text().parse::<i64>().unwrap();
    /// }
    /// assert_eq!(sum, 12);
    /// # Ok::<(), toolwright::BuildError>(())
    /// # }).unwrap();
    /// ```
    pub fn stream_all<'a>(&self, calls: impl IntoIterator<Item = ToolCall<'a>>) -> CallStream {
        let calls = calls.into_iter().map(ToolCall::into_owned).collect();
        CallStream::new(self, calls)
    }
}
