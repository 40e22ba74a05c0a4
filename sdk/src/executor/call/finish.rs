//! Between the end of a body and the outcome of its call: hooks, the output check, commands, and the limit of
//! what the model sees. Each call ends here, however it came about.

use std::sync::Arc;
use std::time::Instant;

use crate::event::HookStage;
use crate::executor::arguments::read::ReadNotes;
use crate::executor::call::commands::settled;
use crate::executor::call::hook_run::HookRun;
use crate::executor::call::plain::PlainEnd;
use crate::executor::call::run_hook::run_hook;
use crate::executor::call::state::CallState;
use crate::executor::catalog::plan::ToolPlan;
use crate::executor::catalog::tools::Catalog;
use crate::executor::core::shared::ExecutorCore;
use crate::executor::core::site::CallSite;
use crate::executor::core::tasks::ended_with;
use crate::executor::guard::catch_tool_panic;
use crate::executor::hooks::NamedHook;
use crate::executor::observe::observer::notify;
use crate::executor::outcome::{self, ResultDetails};
use crate::executor::output::large::DEFAULT_LIMIT;
use crate::executor::people::asked::AskedRequests;
use crate::hook::{AfterCall, AfterDecision, AfterTool};
use crate::id::{CallIdentity, InvocationId, Label};
use crate::message::{ResultSource, ToolCall, ToolError, ToolOutput};
use crate::state::StateCommand;
use crate::ticket::{Ticket, WaitKind};
use crate::tool::{BoxFuture, SessionScope, ToolContext, ToolOutcome};

/// Checks the output of a body, and then has its commands happen: a call whose output is refused has not
/// succeeded.
#[expect(
    clippy::inline_always,
    reason = "an output is moved once more for each call between"
)]
#[inline(always)]
pub(crate) fn settle(
    plan: &ToolPlan,
    source: ResultSource,
    mut output: ToolOutput,
    happen: impl FnOnce(Vec<StateCommand>) -> Result<(), ToolError>,
) -> (ResultSource, ToolOutput) {
    if source == ResultSource::Tool {
        output = plan.checked(output);
    }
    if output.commands().is_empty() {
        return (source, output);
    }
    settled(source, output, happen)
}

/// Returns the most bytes of an output that the model sees, by the one rule for all calls.
///
/// What a tool gives, or a gate, a hook, an answer or a record in its place, has the tool's limit. What the
/// executor says has the larger of the executor's limit and 64 KiB. It is not held to the tool's limit, because
/// under one of a few bytes a model would not learn why its call did not run. It has a limit at all, because
/// checkers, gates and hooks write into it.
#[inline]
pub(crate) fn limit_of(
    shared: &ExecutorCore,
    plan: Option<&ToolPlan>,
    source: ResultSource,
) -> u64 {
    match (source, plan) {
        (ResultSource::Executor, _) | (_, None) => shared.excess.limit.max(DEFAULT_LIMIT),
        (_, Some(plan)) => plan.output,
    }
}

/// Returns true if an output is larger than the model may see.
#[inline]
pub(crate) fn exceeds_limit(
    shared: &ExecutorCore,
    plan: Option<&ToolPlan>,
    source: ResultSource,
    output: &ToolOutput,
) -> bool {
    output.size() > limit_of(shared, plan, source)
}

/// Cuts an output to its limit, and keeps all of it where results are kept.
#[cold]
pub(crate) async fn cut(
    shared: &ExecutorCore,
    (catalog, number): (&Catalog, Option<usize>),
    (session, invocation): (&SessionScope, InvocationId),
    source: ResultSource,
    output: ToolOutput,
) -> ToolOutput {
    let limit = limit_of(shared, number.map(|number| catalog.plan(number)), source);
    let tool = (&*catalog.snapshot, number);
    let excess = &shared.excess;
    excess.cut(tool, (session, invocation), output, limit).await
}

/// The end of a call that was not admitted.
#[cold]
pub(crate) fn refused(
    shared: &Arc<ExecutorCore>,
    site: &CallSite<'_>,
    call: &ToolCall<'_>,
    (begun, notes): (Option<Instant>, ReadNotes),
    (tool, output): (Label, impl Into<ToolOutput>),
) -> PlainEnd<'static> {
    let source = ResultSource::Executor;
    let identity = site.identity(call.id().cloned(), tool);
    let output = output.into();
    let details = ResultDetails {
        notes,
        begun,
        ..ResultDetails::default()
    };
    if !exceeds_limit(shared, None, source, &output) {
        return Ok(outcome::ended(identity, source, output, Some(details)));
    }
    let (shared, catalog, session) = (
        Arc::clone(shared),
        Arc::clone(&site.catalog),
        Arc::clone(site.session),
    );
    Err(Box::pin(async move {
        let of = (&*session, identity.invocation);
        let output = cut(&shared, (&catalog, None), of, source, output).await;
        outcome::ended(identity, source, output, Some(details))
    }))
}

impl CallState {
    /// The call has ended.
    pub(crate) async fn finish(
        mut self: Box<Self>,
        mut source: ResultSource,
        mut output: ToolOutput,
    ) -> ToolOutcome {
        if self.passed && !self.shared.hooks.after.is_empty() {
            (source, output) = self.after(source, output).await;
        } else {
            (source, output) = settle(self.plan(), source, output, |all| self.apply(all));
        }
        if self.recorder.is_some() {
            (source, output) = Box::pin(self.record_end(source, output)).await;
        }
        if exceeds_limit(&self.shared, Some(self.plan()), source, &output) {
            let tool = (&*self.catalog, Some(self.number));
            let of = (&*self.session, self.identity.invocation);
            output = Box::pin(cut(&self.shared, tool, of, source, output)).await;
        }
        self.step(ended_with(output.error.as_ref()));
        let remarks = self.remarks();
        let observer = self.let_go();
        let (identity, details) = self.into_details(remarks);
        let ended = outcome::ended(identity, source, output, Some(details));
        notify(observer, ended)
    }

    /// The call waits in a ticket, and its future ends.
    pub(crate) fn suspended(
        mut self: Box<Self>,
        asked: &AskedRequests,
        ticket: Arc<Ticket>,
    ) -> ToolOutcome {
        let output = asked.waiting(&ticket);
        let observer = self.let_go();
        let (identity, details) = self.into_details(Vec::new());
        notify(
            observer,
            outcome::suspended(identity, ticket, output, details),
        )
    }

    fn into_details(self: Box<Self>, remarks: Vec<String>) -> (CallIdentity, ResultDetails) {
        let details = ResultDetails {
            notes: self.notes,
            begun: self.begun,
            edited: self.edited,
            remarks,
        };
        (self.identity, details)
    }

    /// Shows what the call gave to the hooks after it, one after another, and then has happen what it
    /// and they want to happen.
    fn after(
        &mut self,
        source: ResultSource,
        mut output: ToolOutput,
    ) -> BoxFuture<'_, (ResultSource, ToolOutput)> {
        Box::pin(async move {
            let context = self.context();
            let ends_run = output.error.as_ref().is_some_and(ToolError::is_fatal);
            let mut of_call = output.take_commands();
            let mut of_hooks = Vec::new();
            let shared = Arc::clone(&self.shared);
            for hook in &shared.hooks.after {
                let changed = match self.ask_after(hook, &context, source, &output).await {
                    Ok(AfterDecision { output, commands }) => {
                        of_hooks.extend(commands);
                        output
                    }
                    Err(error) => Some(self.hook_failure(source, error)),
                };
                if let Some(changed) = changed.filter(|_| !ends_run) {
                    self.note_altered();
                    output = changed;
                    of_call.extend(output.take_commands());
                }
            }
            if source == ResultSource::Tool {
                output = self.plan().checked(output);
            }
            if output.is_error() {
                // What they hold may panic when it goes; they were to happen after success.
                let _ = catch_tool_panic("a command", || drop(std::mem::take(&mut of_call)));
            }
            of_call.append(&mut of_hooks);
            match self.apply(of_call) {
                Err(error) if !ends_run => {
                    (ResultSource::Executor, self.hook_failure(source, error))
                }
                _ => (source, output),
            }
        })
    }

    async fn ask_after(
        &self,
        hook: &NamedHook<dyn AfterTool>,
        context: &ToolContext,
        source: ResultSource,
        output: &ToolOutput,
    ) -> Result<AfterDecision, ToolError> {
        let call = AfterCall::new(self.shown(context)?, output, source);
        let hooks = &self.shared.hooks;
        // How a cancelled call ended is shown as well.
        let token = context.cancel_scope();
        let token = (!token.is_cancelled()).then_some(token);
        let run = HookRun::begin(hooks, vec![self], &hook.name, HookStage::After);
        let said = run_hook(&hook.name, hooks.timeout, token, || hook.it.after(&call)).await;
        run.end(&said);
        said
    }

    /// Returns the output of a call whose result a hook has not let through.
    #[cold]
    fn hook_failure(&self, source: ResultSource, error: ToolError) -> ToolOutput {
        let error = match source {
            ResultSource::Tool if !self.plan().repeatable => error
                .with_note("; the tool has run, so check what it did before you repeat the call")
                .with_retryable(false),
            _ => error,
        };
        error.into()
    }

    /// Returns the remarks that tell the model what people did.
    pub(crate) fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if self.edited || self.rewritten {
            let spec = self.spec().ok();
            let canonical = spec.and_then(|spec| self.arguments.canonical(spec).ok());
            let who = match (self.edited, self.rewritten) {
                (true, true) => "The user and the app",
                (_, true) => "The app",
                (_, false) => "The user",
            };
            remarks.push(match canonical {
                Some(arguments) => {
                    format!("{who} changed the arguments of this call to: {arguments}")
                }
                None => format!("{who} changed the arguments of this call."),
            });
            let said = self.said.as_ref();
            remarks.extend(said.map(|said| format!("The user said why: {said}")));
        }
        for (kind, _, answer) in &self.answered {
            let said_yes = *kind == WaitKind::Approval && !answer.is_refusal();
            let Some(reason) = answer.reason().filter(|_| said_yes) else {
                continue;
            };
            let remark = format!("The user allowed this call and said: {reason}");
            // One reason may be given for all that was asked.
            if !remarks.contains(&remark) {
                remarks.push(remark);
            }
        }
        remarks
    }
}
