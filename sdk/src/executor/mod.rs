//! What runs calls: the one way from a model's call to a tool and back.

mod asked;
mod batch;
mod before;
mod begin;
mod blocking;
mod body;
mod build;
#[cfg(feature = "journal")]
mod caller;
mod capabilities;
mod catalog;
mod catalogs;
mod changes;
#[cfg(feature = "json-schema")]
mod checked;
mod commands;
mod counts;
mod course;
mod crew;
mod described;
mod edit;
mod end;
mod ending;
mod excess;
mod finish;
mod gating;
mod guard;
mod held_thread;
mod hook_run;
mod hooks;
mod hosted;
mod in_place;
#[cfg(feature = "journal")]
mod journaled;
mod judging;
mod limit;
mod member;
mod mode;
mod narrow;
mod nested;
mod options;
mod people;
mod permits;
mod pipeline;
mod places;
mod planner;
mod preview;
mod problem;
mod purpose;
mod reading;
#[cfg(feature = "journal")]
mod recorder;
mod registration;
#[cfg(feature = "journal")]
mod replayed;
#[cfg(feature = "journal")]
mod replaying;
mod rest;
mod resume;
#[cfg(feature = "journal")]
mod run_again;
mod session;
mod session_checker;
mod session_tools;
mod settle;
mod spawn;
mod state;
mod stream;
mod task;
#[cfg(feature = "tracing")]
mod trace;
#[cfg(feature = "journal")]
mod unanswered;
mod unequipped;
mod unheard;
mod waits;
mod witness;
mod world;

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
#[cfg(feature = "journal")]
use std::time::Duration;

pub use build::ExecutorBuilder;
use catalogs::Catalogs;
pub use changes::{ToolsChange, ToolsWatch};
#[cfg(feature = "json-schema")]
pub use checked::OutputCheck;
pub use counts::CallCounts;
pub use end::SessionEndError;
use excess::Excess;
pub use hook_run::RunningHook;
use hooks::Hooks;
use in_place::At;
pub use mode::WaitMode;
use nested::Nested;
pub use options::SessionOptions;
use people::People;
use planner::Planner;
pub use preview::Preview;
pub use problem::{BuildError, BuildProblem};
use reading::Reading;
pub use registration::{RegistrationError, Registries};
use session::SessionCore;
pub use session::{Session, Turn};
use session_checker::{SessionChecker, SessionCheckers};
pub use stream::CallStream;
pub use task::{RunningCall, StatusWatch, TaskHandle};
#[cfg(feature = "tracing")]
pub use trace::TraceOptions;

use crate::event::Events;
use crate::id::SessionId;
use crate::interaction::UserInteractionRegistry;
use crate::message::{Arguments, ToolCall};
use crate::pending::TicketBroker;
use crate::permission::{Judge, PermissionRegistry};
use crate::registry::{RoleRules, ToolRegistry, ToolSnapshot};
use crate::state::States;
use crate::tool::{Alarms, Interruption, Resources, Specs, ToolOutcome, WorldSource};

/// Runs the calls of a set of tools: the only way to them, and the same for each.
///
/// A call goes through fixed stages, in this order:
///
/// 1. Its name is resolved, and the tool's capabilities are checked.
/// 2. Its arguments are parsed and validated, and [repaired](crate::ToolSpec::repair) if that is what
///    they need.
/// 3. [Gates](crate::ToolGate) decide by the session's state.
/// 4. What it asks for is worked out, and permissions are checked.
/// 5. [Hooks](crate::BeforeTool) see it: they may veto it or change its arguments, which takes it back
///    to stage 2, once.
/// 6. People approve what needs approval.
/// 7. It waits for the calls of its batch that go before it, and for a free slot; the gates decide once
///    more if the state has changed.
/// 8. The tool runs in place.
/// 9. [Hooks](crate::AfterTool) see how it ended. Its output is checked against the tool's output
///    schema, if that is asked for, and the [commands](crate::Command) of a call that succeeded are
///    applied.
/// 10. Its output is cut to its [limit](ExecutorBuilder::max_output_bytes).
///
/// What comes out is a [`ToolOutcome`], whatever happened. A stage up to the seventh that says no ends
/// the call: it does not run, and only hooks of stage 9 still see it. What is not installed costs
/// nothing.
///
/// What the checker would ask a person about is denied unless [`ExecutorBuilder::waiting`] says that
/// somebody is there: [`WaitMode`] tells of the ways to wait.
///
/// Cloning is cheap; all clones share one executor.
///
/// ```
/// use toolwright::{Executor, ToolCall, ToolRegistry, tool};
///
/// /// Count the characters of a text.
/// #[tool(pure)]
/// fn count(text: String) -> usize {
///     text.chars().count()
/// }
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// let executor = Executor::builder(ToolRegistry::new().with(Count)).build()?;
/// let session = executor.session("s-1");
/// let call = ToolCall::new("count", r#"{"text": "grüße"}"#).with_id("call-1");
/// let outcome = session.call(call).await;
/// assert_eq!(outcome.text(), "5");
/// assert_eq!(outcome.result().call_id().map(|id| id.as_str()), Some("call-1"));
/// # Ok::<(), toolwright::BuildError>(())
/// # }).unwrap();
/// ```
#[derive(Clone)]
pub struct Executor {
    shared: Arc<Shared>,
}

/// What all sessions of an executor share.
struct Shared {
    base: Base,
    interactions: UserInteractionRegistry,
    approvals: PermissionRegistry,
    catalogs: Catalogs,
    planner: Planner,
    reading: Reading,
    hooks: Hooks,
    excess: Excess,
    measures_time: bool,
    told_of_held_threads: held_thread::Told,
    /// How deep tools may call each other.
    max_call_depth: usize,
    /// See [`Shared::is_watched`].
    watched: bool,
    /// Tells the sessions of this executor from those of any other.
    prefix: u64,
    sessions: AtomicU64,
    /// The permission checkers of sessions that have their own.
    checkers: SessionCheckers,
    default_session: SessionCore,
}

/// What sessions are made of.
struct Base {
    specs: Arc<dyn Specs>,
    judge: Arc<Judge>,
    resources: Arc<Resources>,
    people: Arc<People>,
    /// The time that one operation of a store may take. `None` if it is unlimited.
    #[cfg(feature = "journal")]
    store_timeout: Option<Duration>,
    alarms: Arc<Alarms>,
    /// Of sessions below others.
    sub_rules: Option<RoleRules>,
    events: Events,
    #[cfg(feature = "tracing")]
    trace: Option<TraceOptions>,
    states: Arc<States>,
    world: WorldSource,
    #[cfg(feature = "journal")]
    journal: Option<crate::journal::Journal>,
    calls: Arc<Nested>,
}

impl Base {
    /// Whether somebody wants to know what becomes of calls.
    fn is_told(&self) -> bool {
        #[cfg(feature = "tracing")]
        if self.trace.is_some() {
            return true;
        }
        self.events.is_listening()
    }
}

impl Base {
    /// Whether calls are written down.
    #[cfg_attr(
        not(feature = "journal"),
        expect(clippy::unused_self, reason = "with journals it is what may have one")
    )]
    fn is_recorded(&self) -> bool {
        #[cfg(feature = "journal")]
        return self.journal.is_some();
        #[cfg(not(feature = "journal"))]
        false
    }
}

impl Shared {
    /// Whether each call goes the full way from its start, because something is installed that looks at
    /// calls or holds them up: sinks of events, gates, hooks, a journal.
    #[inline]
    fn is_watched(&self) -> bool {
        self.watched
    }

    /// The checker that a session is opened with, if it has its own.
    fn checker_of(&self, options: &mut SessionOptions) -> Option<Arc<SessionChecker>> {
        let own = options.checker.take()?;
        Some(self.checkers.of(own, &self.base.judge))
    }

    fn next_session(&self) -> u64 {
        let number = self.sessions.fetch_add(1, Ordering::Relaxed);
        self.prefix.wrapping_add(number)
    }
}

impl Executor {
    /// An executor of these tools with the default settings: see [`ExecutorBuilder`].
    ///
    /// # Errors
    ///
    /// When two tools have one name, or a tool needs a resource: that takes
    /// [`Executor::builder`].
    pub fn new(registry: ToolRegistry) -> Result<Self, BuildError> {
        Self::builder(registry).build()
    }

    /// Sets up an executor of these tools.
    pub fn builder(registry: ToolRegistry) -> ExecutorBuilder {
        ExecutorBuilder::new(registry)
    }

    /// The tools as they are now, frozen: those that a session has which selects none. What the model
    /// of another is to be told of is [`Session::tools`].
    pub fn tools(&self) -> Arc<ToolSnapshot> {
        Arc::clone(&self.shared.catalogs.open().snapshot)
    }

    /// Where calls wait for people: the host's way to what is asked.
    pub fn tickets(&self) -> &TicketBroker {
        &self.shared.base.people.broker
    }

    /// What waits for approval, and what was granted.
    pub fn permissions(&self) -> &PermissionRegistry {
        &self.shared.approvals
    }

    /// The questions that wait for somebody.
    pub fn interactions(&self) -> &UserInteractionRegistry {
        &self.shared.interactions
    }

    /// Opens a session: a scope of turns and of cancellation. Tickets and grants belong to the id, so
    /// that a session can go on in another process; two handles of one id are cancelled each by itself.
    pub fn session(&self, id: impl Into<SessionId>) -> Session {
        self.session_with(id, SessionOptions::new())
    }

    /// Opens a session with options of its own; see [`Executor::session`].
    pub fn session_with(&self, id: impl Into<SessionId>, options: SessionOptions) -> Session {
        Session::open(Arc::clone(&self.shared), id.into(), options)
    }

    /// Runs one call in a session that all such calls of this executor share, named `default`.
    pub fn call<'a>(
        &'a self,
        name: &'a str,
        arguments: impl Into<Arguments<'a>>,
    ) -> impl Future<Output = ToolOutcome> + Send + 'a {
        let at = At::Session(&self.shared.default_session);
        pipeline::run(&self.shared, at, ToolCall::new(name, arguments))
    }
}

impl fmt::Debug for Executor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Executor")
            .field("tools", &self.tools())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::task::{Context, Poll, Waker};

    use serde_json::Value;

    use super::*;
    use crate::id::ToolName;
    use crate::spec::{Effect, ToolSpec};
    use crate::tool::{ToolContext, tool_fn};

    /// A host keeps the future of each call in flight, and what is moved into it is moved at each call.
    #[test]
    fn the_future_of_a_call_stays_small() {
        let executor = Executor::new(ToolRegistry::new()).unwrap();
        let session = executor.session("s");
        let size = size_of_val(&session.call(ToolCall::new("a", "{}")));
        assert!(size <= 128, "{size} bytes");
    }

    /// Whatever a tool reports: without a sink no event is built, and nothing that it says is formatted.
    #[test]
    fn without_a_sink_reports_of_a_call_allocate_nothing() {
        let spec = ToolSpec::new(ToolName::test(), "Report.").with_effect(Effect::Pure);
        let tool = tool_fn(spec, async |arguments: Value, ctx: ToolContext| {
            for done in 0..arguments["times"].as_u64().unwrap_or_default() {
                ctx.progress(0.5, format_args!("{done} steps are done"));
                ctx.report_activity("plan", &["first", "second"], true);
            }
            Ok::<_, String>("")
        });
        let executor = Executor::new(ToolRegistry::new().with(tool)).unwrap();
        let measured = |arguments: &str| {
            let mut call = std::pin::pin!(executor.call("test", arguments));
            let counted = allocation_counter::measure(|| {
                let polled = call.as_mut().poll(&mut Context::from_waker(Waker::noop()));
                assert!(matches!(polled, Poll::Ready(outcome) if outcome.is_success()));
            });
            counted.count_total
        };
        // What is found out at the first call is known at the others.
        measured(r#"{"times": 0}"#);
        assert_eq!(measured(r#"{"times": 9}"#), measured(r#"{"times": 0}"#));
    }
}
