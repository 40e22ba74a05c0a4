//! The facts that a running call knows about itself, and the things that it may use.

use std::any::type_name;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::{Map, Value};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::block::SuspendedTurns;
use super::call::{CallExtras, CallIds, CallScope};
use super::cancellation::{Cancellation, LeftBehind};
use super::check::Specs;
use super::environment::SessionEnvironment;
use super::nested::Calls;
use super::resource::Resources;
use super::run_info::RunInfo;
use super::scope::TurnScope;
use super::wait::{ResumeInfo, Waits};
use super::wait_tracker::WaitTracker;
use crate::content::ToolError;
use crate::event::Events;
use crate::id::{CallId, InvocationId, SessionId, ToolName, TurnId};
use crate::permission::{Caller, PermissionEvaluator, SessionGrants, SubSessionEntry};
use crate::state::{SessionState, StateSnapshot};
use crate::util::cold::cold_path;

/// The context of a running call: ids, resources of the app, cancellation.
///
/// It is read-only and narrow: nothing of the loop that runs the tool can be reached from it. A
/// `#[tool]` takes it as `&ToolContext`, anywhere among its parameters; a unit test gets one from
/// [`testing::context`](crate::testing::context). A clone is cheap and stands for the same call.
#[derive(Clone)]
pub struct ToolContext {
    pub(crate) session: Arc<SessionScope>,
    pub(crate) turn: Option<Arc<TurnScope>>,
    pub(crate) call: CallScope,
    /// As it was when the call began to run.
    pub(crate) state: StateSnapshot,
}

/// The data that the calls of a session share.
pub(crate) struct SessionScope {
    pub(crate) id: SessionId,
    /// Tells the invocations of this session from those of any other.
    pub(crate) prefix: u64,
    pub(crate) resources: Arc<Resources>,
    pub(crate) judge: Arc<PermissionEvaluator>,
    pub(crate) specs: Arc<dyn Specs>,
    pub(crate) cancellation: Cancellation,
    /// Set before the token is cancelled.
    pub(crate) cancelled: AtomicBool,
    /// The port that asks people.
    pub(crate) waits: Arc<dyn Waits>,
    pub(crate) wait_tracker: WaitTracker,
    pub(crate) suspended: SuspendedTurns,
    pub(crate) grants: SessionGrants,
    /// True if its calls are observed or held up, by what it has of its own or by its executor's sinks.
    pub(crate) is_watched: bool,
    /// The permits of calls that may run at a time.
    pub(crate) slots: Option<Arc<Semaphore>>,
    pub(crate) state: Arc<SessionState>,
    pub(crate) run_info: RunInfo,
    /// The port that runs the calls of its tools.
    pub(crate) calls: Arc<dyn Calls>,
    /// The sinks of its events.
    pub(crate) events: Events,
    /// The clock and the randomness of its calls.
    pub(crate) environment: SessionEnvironment,
    /// The longest that a call of the session may take.
    pub(crate) timeout: Option<Duration>,
    /// The session above, whose cancellation is also this one's.
    pub(crate) parent: Option<Arc<SessionScope>>,
    /// Keeps a session below others known as such.
    pub(crate) below: Option<Arc<SubSessionEntry>>,
}

/// The turn of a call. One that is a turn of its own has its number.
#[inline]
fn turn_of(scope: Option<&Arc<TurnScope>>, count: u64) -> TurnId {
    scope.map_or_else(|| TurnId::new(count), |scope| scope.id)
}

impl SessionScope {
    #[inline]
    pub(crate) fn was_told_to_cancel(&self) -> bool {
        let told = self.cancelled.load(Ordering::Relaxed);
        told || self.parent.as_deref().is_some_and(Self::was_told_to_cancel)
    }

    /// Returns true if the executor was told to cancel a call of the session and, if it is of one, of a turn. It looks at
    /// two flags: the tokens take a lock.
    #[inline]
    pub(crate) fn was_told_to_cancel_call(&self, turn: Option<&TurnScope>) -> bool {
        self.was_told_to_cancel() || turn.is_some_and(TurnScope::was_told_to_cancel)
    }

    /// The same of a call that waits: what made it may have ended, and that sets no flag.
    #[inline]
    pub(crate) fn ends_call(&self, turn: Option<&TurnScope>) -> bool {
        self.was_told_to_cancel_call(turn) || turn.is_some_and(TurnScope::is_cancelled)
    }
}

impl ToolContext {
    #[inline]
    pub(crate) fn new(
        session: Arc<SessionScope>,
        turn: Option<Arc<TurnScope>>,
        ids: CallIds<'_>,
        tool: usize,
        mut extras: Option<Arc<CallExtras>>,
    ) -> Self {
        let CallIds {
            turn: turn_id,
            invocation,
            call: call_id,
        } = ids;
        let count = invocation.count();
        let follows = turn_of(turn.as_ref(), count) == turn_id
            && InvocationId::from_parts(session.prefix, count) == invocation;
        if !follows {
            cold_path();
            Arc::make_mut(extras.get_or_insert_default()).ids = Some((turn_id, invocation));
        }
        Self {
            state: session.state.snapshot(),
            session,
            turn,
            call: CallScope {
                call_id: call_id.cloned(),
                count,
                number: tool,
                extras,
            },
        }
    }

    #[inline]
    pub(crate) fn ids(&self) -> (TurnId, InvocationId) {
        let extras = self.call.extras.as_ref();
        extras.and_then(|extras| extras.ids).unwrap_or_else(|| {
            let count = self.call.count;
            let invocation = InvocationId::from_parts(self.session.prefix, count);
            (turn_of(self.turn.as_ref(), count), invocation)
        })
    }

    /// The context of a body that its call may leave behind. Dropping the guard cancels the body.
    pub(crate) fn left_behind(mut self) -> (Self, LeftBehind) {
        let own = self.cancel_scope().child_token();
        let left_behind = LeftBehind::new(own.clone());
        let extras = self.call.extras.get_or_insert_default();
        Arc::make_mut(extras).own = Some(own);
        (self, left_behind)
    }

    /// The session of the call.
    pub fn session_id(&self) -> &SessionId {
        &self.session.id
    }

    /// The turn of the call; rises within a session.
    pub fn turn_id(&self) -> TurnId {
        self.ids().0
    }

    /// The model's own id of the call, which may be missing or repeat.
    pub fn call_id(&self) -> Option<&CallId> {
        self.call.call_id.as_ref()
    }

    /// Our id of the call, which is unique.
    pub fn invocation_id(&self) -> InvocationId {
        self.ids().1
    }

    /// The canonical name of the tool, whatever name it was called by.
    pub fn tool_name(&self) -> &ToolName {
        self.specs().name(self.call.number)
    }

    /// The metadata that the host gave to the call.
    pub fn metadata(&self) -> Option<&Map<String, Value>> {
        self.call.metadata().map(|metadata| &**metadata)
    }

    /// The call's origin, for its judges.
    pub(crate) fn caller(&self) -> Caller<'_> {
        let (turn, invocation) = self.ids();
        Caller {
            session: Some(&self.session.id),
            turn: Some(turn),
            invocation: Some(invocation),
            call_id: self.call_id(),
            run: self.run(),
            metadata: self.metadata(),
        }
    }

    /// The answers of people to this call before its body began: an approval, or, if the body was suspended and runs
    /// again, the answers to its own requests. `None` for a call that nobody was asked about.
    ///
    /// A body that asks by [`check`](Self::check) need not look here: what was answered before is
    /// answered at once.
    pub fn resumed(&self) -> Option<&ResumeInfo> {
        self.call.resumed().map(|resumed| &**resumed)
    }

    /// A resource of the app by its type, if there is one. A `#[tool]` gets the same by a
    /// parameter `&T`, and then the executor is not built without it.
    pub fn resource<T: ?Sized + 'static>(&self) -> Option<&T> {
        self.session.resources.get()
    }

    /// A resource of the app by its type.
    ///
    /// # Errors
    ///
    /// Fails if there is none: kind [`Unavailable`](crate::content::ErrorKind::Unavailable), with the name of the type
    /// for the log.
    pub fn require<T: ?Sized + 'static>(&self) -> Result<&T, ToolError> {
        self.resource().ok_or_else(|| {
            ToolError::unavailable("the app has not provided something that the tool needs")
                .with_source(format!("resource `{}` is not there", type_name::<T>()))
        })
    }

    /// Returns true if the call, its turn or its session was cancelled. A call that waits is ended by the executor; a
    /// body that computes for long checks this now and then. For a `blocking` body it is also true once its time is
    /// over: the call has ended, and nobody waits for the body.
    ///
    /// ```
    /// use std::sync::mpsc::{Sender, channel};
    /// use std::thread::sleep;
    /// use std::time::Duration;
    /// use toolwright::{Executor, tool, ToolContext, ToolRegistry};
    /// use toolwright::content::ErrorKind;
    ///
    /// struct Ended(std::sync::Mutex<Sender<()>>);
    ///
    /// /// Compute for ever.
    /// #[tool(pure, blocking, timeout = "20ms")]
    /// fn compute(ctx: &ToolContext, ended: &Ended) {
    ///     while !ctx.is_cancelled() {
    ///         sleep(Duration::from_millis(1));
    ///     }
    ///     let _ = ended.0.lock().map(|ended| ended.send(()));
    /// }
    ///
    /// # tokio::runtime::Runtime::new()?.block_on(async {
    /// let (sender, ended) = channel();
    /// let executor = Executor::builder(ToolRegistry::new().with(Compute))
    ///     .resource(Ended(sender.into()))
    ///     .build()?;
    /// let outcome = executor.call("compute", "{}").await.into_result();
    /// assert_eq!(outcome.error().map(|error| error.kind()), Some(ErrorKind::TimedOut));
    /// ended.recv()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// ```
    /// # fn work(ctx: &toolwright::ToolContext) {
    /// for chapter in 0..1_000 {
    ///     if ctx.is_cancelled() {
    ///         return;
    ///     }
    ///     # let _ = chapter;
    /// }
    /// # }
    /// ```
    pub fn is_cancelled(&self) -> bool {
        match (self.call.own(), &self.turn) {
            (None, Some(turn)) => turn.is_cancelled(),
            _ => self.cancel_scope().is_cancelled(),
        }
    }

    /// Waits until the call, its turn or its session is cancelled, for `select!` in a body that has
    /// something to put in order first.
    pub async fn cancelled(&self) {
        self.cancel_scope().token().cancelled().await;
    }

    /// A token to hand on to what the body starts: it is cancelled when the call ends without its body
    /// returning, that is when the call, its turn or its session is cancelled, its time is over, its
    /// future is dropped, or the body panics. A body that returns leaves it as it is; from then on only
    /// the turn and the session cancel it.
    ///
    /// It is a child: cancelling it cancels nothing of the call.
    ///
    /// ```
    /// use toolwright::{ToolContext, tool};
    ///
    /// /// Watch a folder.
    /// #[tool]
    /// async fn watch(folder: String, ctx: &ToolContext) -> Result<String, tokio::task::JoinError> {
    ///     let token = ctx.cancellation();
    ///     let watching = tokio::spawn(async move {
    ///         tokio::select! {
    ///             () = token.cancelled() => "stopped".to_owned(),
    ///             () = std::future::ready(()) => format!("something changed in {folder}"),
    ///         }
    ///     });
    ///     watching.await
    /// }
    /// ```
    pub fn cancellation(&self) -> CancellationToken {
        let token = self.cancel_scope().token();
        if self.call.own().is_some() {
            // The call cancels this token when it leaves the body behind.
            return token.child_token();
        }
        self.session.wait_tracker.token(self.invocation_id(), token)
    }

    /// Read-only for tools: they see a cancellation and cause none.
    pub(crate) fn cancel_scope(&self) -> &Cancellation {
        match (self.call.own(), &self.turn) {
            (Some(own), _) => own,
            (None, Some(turn)) => turn.cancellation(),
            (None, None) => &self.session.cancellation,
        }
    }

    /// Returns true if the executor was told to cancel the call.
    #[inline]
    pub(crate) fn was_told_to_cancel(&self) -> bool {
        self.session.was_told_to_cancel_call(self.turn.as_deref())
    }

    /// The same of a call that waits.
    pub(crate) fn is_to_end(&self) -> bool {
        self.session.ends_call(self.turn.as_deref())
    }

    /// The longest time that the executor lets a call of the tool take.
    pub(crate) fn tool_timeout(&self) -> Option<Duration> {
        self.specs().timeout(self.call.number)
    }

    pub(crate) fn output_hint(&self) -> usize {
        self.specs().output_hint(self.call.number)
    }
}

impl fmt::Debug for ToolContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolContext")
            .field("tool", self.tool_name())
            .field("session_id", &self.session.id)
            .field("turn_id", &self.turn_id())
            .field("call_id", &self.call.call_id)
            .field("invocation_id", &self.invocation_id())
            .finish_non_exhaustive()
    }
}
