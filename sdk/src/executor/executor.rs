//! The public methods of an executor.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use crate::arguments::Arguments;
use crate::content::ToolCall;
use crate::event::EventKind;
use crate::executor::build_error::{BuildError, BuildProblem};
use crate::executor::call::run_call;
use crate::executor::core::counts::CallCounts;
use crate::executor::core::handles::Session;
use crate::executor::core::origin::CallOrigin;
use crate::executor::core::shared::ExecutorCore;
use crate::executor::hooks::RunningHook;
use crate::executor::options::SessionOptions;
use crate::executor::tools_watch::{ToolsChange, ToolsWatch};
use crate::id::SessionId;
use crate::outcome::ToolOutcome;
use crate::permission::PermissionRegistry;
use crate::question::UserInteractionRegistry;
use crate::registry::{FeatureGate, RegistryError, ToolRegistry, ToolSnapshot};
use crate::ticket::TicketBroker;

/// Runs the calls of a set of tools: the only way to them, and the same for each.
///
/// A call goes through fixed stages, in this order:
///
/// 1. Its name is resolved, and the tool's capabilities are checked.
/// 2. Its arguments are parsed and validated, and [repaired](crate::ToolSpec::repair) if that is what
///    they need.
/// 3. [Gates](crate::hook::ToolGate) decide by the session's state.
/// 4. Its permission requests are made and checked.
/// 5. [Hooks](crate::hook::BeforeTool) see it: they may veto it or change its arguments, which takes it back
///    to stage 2, once.
/// 6. People approve what needs approval.
/// 7. It waits for the calls of its batch that go before it, and for a free slot; the gates decide once
///    more if the state has changed.
/// 8. The tool runs in place.
/// 9. [Hooks](crate::hook::AfterTool) see how it ended. Its output is checked against the tool's output
///    schema, if that is asked for, and the [commands](crate::state::StateCommand) of a call that succeeded are
///    applied.
/// 10. Its output is cut to its [limit](crate::executor::Limits::max_output_bytes).
///
/// The result is always a [`ToolOutcome`]. If a stage up to the seventh refuses the call, the call does not run, and
/// only hooks of stage 9 still see it. Stages that nothing is installed for cost nothing.
///
/// A call that the checker would ask a person about is denied unless [`ExecutorBuilder::approvals`](crate::ExecutorBuilder::approvals) says that
/// somebody is there: [`WaitMode`](crate::executor::WaitMode) tells of the ways to wait.
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
    pub(crate) shared: Arc<ExecutorCore>,
}

impl Executor {
    /// The tools as they are now, frozen: those that a session has which selects none. What the model
    /// of another is to be told of is [`Session::tools`].
    pub fn tools(&self) -> Arc<ToolSnapshot> {
        Arc::clone(&self.shared.catalogs.open().snapshot)
    }

    /// The tickets of calls that wait for people: the host reads and answers requests here.
    pub fn tickets(&self) -> &TicketBroker {
        &self.shared.base.people.broker
    }

    /// The requests that wait for approval, and the grants.
    pub fn permissions(&self) -> &PermissionRegistry {
        &self.shared.approvals
    }

    /// The questions that wait for somebody.
    pub fn interactions(&self) -> &UserInteractionRegistry {
        &self.shared.interactions
    }

    /// Opens a session: a scope of turns and of cancellation. Tickets and grants belong to the id, so
    /// that a session can go on in another process; two handles of one id are cancelled separately.
    pub fn session(&self, id: impl Into<SessionId>) -> Session {
        self.session_with(id, SessionOptions::new())
    }

    /// Opens a session with options of its own; see [`Executor::session`].
    pub fn session_with(&self, id: impl Into<SessionId>, options: SessionOptions) -> Session {
        Session::open(&self.shared, id.into(), options, None)
    }

    /// Runs one call in a session that all such calls of this executor share, named `default`.
    pub fn call<'a>(
        &'a self,
        name: &'a str,
        arguments: impl Into<Arguments<'a>>,
    ) -> impl Future<Output = ToolOutcome> + Send + 'a {
        let at = CallOrigin::Executor(&self.shared);
        run_call(at, ToolCall::new(name, arguments))
    }
}

impl fmt::Debug for Executor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Executor")
            .field("tools", &self.tools())
            .finish_non_exhaustive()
    }
}

impl Executor {
    /// Puts other tools in the place of all that are there. Those that were made with
    /// [`ExecutorBuilder::register_tools`](crate::ExecutorBuilder::register_tools) go too.
    ///
    /// A turn goes on with the tools that it began with, and so does each call that runs; a call that
    /// begins later finds the new ones. One of a tool that was removed ends with an error that says
    /// so, and one that was [suspended](crate::ToolOutcome::Suspended) is resumed only if its
    /// tool has the same definition still. Sessions that [select](crate::executor::SessionOptions::tools) their
    /// tools do so anew. At its end, a session cleans up what it had of either.
    ///
    /// The tools that the executor was built with are kept for as long as it is there.
    ///
    /// ```
    /// use toolwright::{Executor, ToolCall, ToolRegistry, tool};
    ///
    /// /// Tell the time of day.
    /// #[tool(name = "time", read_only)]
    /// fn by_sundial() -> &'static str {
    ///     "noon"
    /// }
    ///
    /// /// Tell the time of day.
    /// #[tool(name = "time", read_only)]
    /// fn by_clock() -> &'static str {
    ///     "12:01"
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
    /// let executor = Executor::new(ToolRegistry::new().with(BySundial))?;
    /// let turn = executor.session("s-1").turn();
    /// executor.replace_tools(ToolRegistry::new().with(ByClock))?;
    /// assert_eq!(executor.call("time", "").await.text(), "12:01");
    /// assert_eq!(turn.call(ToolCall::new("time", "")).await.text(), "noon");
    /// # Ok::<(), toolwright::BuildError>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if an executor of these tools could not be built with the settings of this one: a tool could not be
    /// registered, or needs a resource that was not added, and so on. Nothing has changed then.
    pub fn replace_tools(&self, registry: ToolRegistry) -> Result<(), BuildError> {
        let mut problems = Vec::new();
        let whole = self.shared.planner.catalog(registry, &mut problems);
        if !problems.is_empty() {
            return Err(BuildError::of_change(problems));
        }
        self.telling(|| self.shared.catalogs.replace(whole, None));
        Ok(())
    }

    /// Changes the tools that are there: adds some, takes some out; see
    /// [`replace_tools`](Self::replace_tools). The function gets all of them, those of
    /// [features](FeatureGate) that are off too, and is called again if somebody else has changed
    /// them meanwhile.
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
    /// let executor = Executor::new(ToolRegistry::new())?;
    /// executor.update_tools(|tools| tools.register(Time))?;
    /// assert!(executor.tools().get("time").is_some());
    /// # Ok::<(), toolwright::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the function fails, and as [`replace_tools`](Self::replace_tools) does. Nothing has changed then.
    pub fn update_tools(
        &self,
        mut change: impl FnMut(&mut ToolRegistry) -> Result<(), RegistryError>,
    ) -> Result<(), BuildError> {
        loop {
            let before = self.shared.catalogs.tools();
            let mut registry = before.whole.snapshot.to_registry();
            let changed = change(&mut registry).map_err(BuildProblem::Registry);
            let mut problems: Vec<BuildProblem> = changed.err().into_iter().collect();
            let whole = self.shared.planner.catalog(registry, &mut problems);
            if !problems.is_empty() {
                return Err(BuildError::of_change(problems));
            }
            let version = Some(before.version);
            if self.telling(|| self.shared.catalogs.replace(whole, version)) {
                return Ok(());
            }
        }
    }

    /// Opens or closes a feature for all sessions: puts a gate in the place of that of its name. It is
    /// a change of tools as by [`replace_tools`](Self::replace_tools): turns that have begun go on
    /// with what they have, and whoever wants to stop them too cancels them.
    pub fn set_feature_gate(&self, gate: FeatureGate) {
        self.telling(|| self.shared.catalogs.put_gate(gate));
    }

    /// Tells of what a change does to the tools, if somebody wants to know.
    fn telling<T>(&self, change: impl FnOnce() -> T) -> T {
        let events = &self.shared.base.events;
        if !events.is_listening() {
            return change();
        }
        let before = self.tools();
        let done = change();
        let change = ToolsChange::between(&before, &self.tools());
        if !change.is_empty() {
            let ToolsChange {
                added,
                removed,
                changed,
                tools: _,
            } = change;
            events.emit(None, None, || EventKind::ToolsChanged {
                added,
                removed,
                changed,
            });
        }
        done
    }

    /// Tells of each change of the tools that a session has which selects nothing; see
    /// [`Session::watch_tools`].
    pub fn watch_tools(&self) -> ToolsWatch {
        ToolsWatch::new(Arc::clone(&self.shared), None)
    }

    /// Counts of bodies that were stopped.
    pub fn counts(&self) -> CallCounts {
        let (late_results, dropped_bodies) = self.shared.base.deadlines.counts();
        CallCounts {
            late_results,
            dropped_bodies,
        }
    }

    /// The hooks that look at calls now, in the order in which they began: each run of a
    /// [`BeforeTool`](crate::hook::BeforeTool) or [`AfterTool`](crate::hook::AfterTool), programs among them. Gates
    /// decide at once and are not among them.
    pub fn running_hooks(&self) -> Vec<RunningHook> {
        self.shared.hooks.running()
    }
}

#[cfg(test)]
mod tests {
    use std::task::{Context, Poll, Waker};

    use async_trait::async_trait;
    use serde_json::Value;

    use super::*;
    use crate::ExecutorBuilder;
    use crate::content::ToolError;
    use crate::context::ToolContext;
    use crate::dynamic::tool_fn;
    use crate::hook::{AfterCall, AfterDecision, AfterTool, BeforeDecision, BeforeTool, HookCall};
    use crate::id::ToolName;
    use crate::spec::{Effect, ToolSpec};

    /// A host keeps the future of each call in flight, and what is moved into it is moved at each call.
    #[test]
    fn the_future_of_a_call_stays_small() {
        let executor = Executor::new(ToolRegistry::new()).unwrap();
        let session = executor.session("s");
        let size = size_of_val(&session.call(ToolCall::new("a", "{}")));
        assert!(size <= 88, "{size} bytes");
    }

    struct Looks;

    #[async_trait]
    impl BeforeTool for Looks {
        async fn before(&self, _: &HookCall<'_>) -> Result<BeforeDecision, ToolError> {
            Ok(BeforeDecision::proceed())
        }
    }

    #[async_trait]
    impl AfterTool for Looks {
        async fn after(&self, _: &AfterCall<'_>) -> Result<AfterDecision, ToolError> {
            Ok(AfterDecision::keep())
        }
    }

    /// Allocators keep what is freed at hand up to some size, 1,032 bytes in that of glibc, and take a slower way above it:
    /// the future of a call whose hooks are asked is below.
    #[test]
    fn the_future_of_a_call_that_hooks_see_stays_small() {
        let measured = |set: fn(ExecutorBuilder) -> ExecutorBuilder| {
            let spec = ToolSpec::new(ToolName::test(), "Say nothing.").with_effect(Effect::Pure);
            let tool = tool_fn(spec, async |_: Value, _: ToolContext| Ok::<_, String>(""));
            let builder = Executor::builder(ToolRegistry::new().with(tool));
            let executor = set(builder).build().unwrap();
            let call = || {
                let mut call = std::pin::pin!(executor.call("test", "{}"));
                let polled = call.as_mut().poll(&mut Context::from_waker(Waker::noop()));
                assert!(matches!(polled, Poll::Ready(outcome) if outcome.is_success()));
            };
            // The first call fills caches that the others use.
            call();
            allocation_counter::measure(call).bytes_total
        };
        let plain = measured(|builder| builder);
        for hooked in [
            measured(|builder| builder.before(Looks)),
            measured(|builder| builder.after(Looks)),
        ] {
            // Beside it, the future of the hook itself is boxed.
            assert!(hooked - plain <= 1_032 + 64, "{hooked} and {plain} bytes");
        }
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
        // The first call fills caches that the others use.
        measured(r#"{"times": 0}"#);
        assert_eq!(measured(r#"{"times": 9}"#), measured(r#"{"times": 0}"#));
    }
}
