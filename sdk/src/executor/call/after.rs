//! The stage of the hooks after a call.

use std::slice;
use std::task::Poll;

use crate::arguments::Arguments;
use crate::content::{ResultSource, ToolError, ToolOutput};
use crate::context::ToolContext;
use crate::event::HookStage;
use crate::executor::call::boxed::cut_plain;
use crate::executor::call::commands::apply_in;
use crate::executor::call::hook_run::{HookRun, SeenCall};
use crate::executor::call::outcome::exceeds_limit;
use crate::executor::call::reached::PlainCall;
use crate::executor::call::state::CallState;
use crate::executor::catalog::tools::ToolPlan;
use crate::executor::core::hold::CoreHold;
use crate::executor::guard::catch_tool_panic;
use crate::executor::hooks::{Hooks, NamedHook};
use crate::hook::{AfterCall, AfterDecision, AfterTool};
use crate::outcome::ToolOutcome;
use crate::util::future::{BoxFuture, boxed};

/// Shows what a call gave to the hooks after it, one after another, and then has happen what it and they want to
/// happen. Returns true if a hook has put another output in its place.
async fn show(
    hooks: &Hooks,
    seen: &SeenCall<'_>,
    context: &ToolContext,
    source: &mut ResultSource,
    output: &mut ToolOutput,
) -> bool {
    let ends_run = output.error.as_ref().is_some_and(ToolError::is_fatal);
    let mut is_altered = false;
    let mut of_call = output.take_commands();
    let mut of_hooks = Vec::new();
    for hook in &hooks.after {
        let mut said = Poll::Pending;
        let asked = ask(hooks, hook, seen, context, (*source, output), &mut said).await;
        let changed = match (asked, &mut said) {
            (Ok(()), Poll::Ready(Ok(AfterDecision { output, commands }))) => {
                of_hooks.append(commands);
                output.take()
            }
            (Ok(()), _) => None,
            (Err(error), _) => Some(hook_failure(seen.plan, *source, error)),
        };
        if let Some(changed) = changed.filter(|_| !ends_run) {
            is_altered = true;
            *output = changed;
            of_call.extend(output.take_commands());
        }
    }
    if *source == ResultSource::Tool {
        seen.plan.check(output);
    }
    if output.is_error() {
        // Dropping commands runs user code, which may panic; they were to happen after success.
        let _ = catch_tool_panic("a command", || drop(std::mem::take(&mut of_call)));
    }
    of_call.append(&mut of_hooks);
    let applied = if of_call.is_empty() {
        Ok(())
    } else {
        apply_in(context, seen.observer, of_call)
    };
    if let Err(error) = applied
        && !ends_run
    {
        *output = hook_failure(seen.plan, *source, error);
        *source = ResultSource::Executor;
    }
    is_altered
}

async fn ask(
    hooks: &Hooks,
    hook: &NamedHook<dyn AfterTool>,
    seen: &SeenCall<'_>,
    context: &ToolContext,
    (source, output): (ResultSource, &ToolOutput),
    said: &mut Poll<Result<AfterDecision, ToolError>>,
) -> Result<(), ToolError> {
    let call = AfterCall::new(seen.shown(context)?, output, source);
    let seen = slice::from_ref(seen);
    let mut run = HookRun::begin(hooks, seen, (HookStage::After, hook.number));
    run.run(context, || hook.it.after(&call), said).await
}

/// Returns the output of a call whose result a hook has not let through.
#[cold]
fn hook_failure(plan: &ToolPlan, source: ResultSource, error: ToolError) -> ToolOutput {
    let error = match source {
        ResultSource::Tool if !plan.repeatable => error
            .with_note("; the tool has run, so check what it did before you repeat the call")
            .with_retryable(false),
        _ => error,
    };
    error.into()
}

impl CallState {
    /// Shows what the call gave to the hooks after it.
    pub(crate) fn after(
        &mut self,
        mut source: ResultSource,
        mut output: ToolOutput,
    ) -> BoxFuture<'_, (ResultSource, ToolOutput)> {
        Box::pin(async move {
            let context = self.context_with(None);
            let (hooks, seen) = (&self.shared.hooks, self.seen());
            if show(hooks, &seen, &context, &mut source, &mut output).await {
                self.note_altered();
            }
            (source, output)
        })
    }
}

/// Ends a plain call that hooks see after its body, with the arguments that it ran with where nothing else keeps them.
#[cold]
#[inline(never)]
pub(crate) fn shown_after<'a, C: CoreHold<Kept: 'a>>(
    (rest, arguments): (PlainCall<'a, C>, Option<Arguments<'a>>),
    mut context: ToolContext,
    mut source: ResultSource,
    mut output: ToolOutput,
) -> BoxFuture<'a, ToolOutcome> {
    let rest = rest.kept();
    boxed!(async move {
        context.state = context.session.state.snapshot();
        let seen = rest.seen(&context, arguments.as_ref());
        match &seen {
            Ok(seen) => {
                let hooks = &rest.shared.hooks;
                show(hooks, seen, &context, &mut source, &mut output).await;
            }
            Err(error) => (source, output) = (ResultSource::Executor, error.clone().into()),
        }
        drop(seen);
        let plan = rest.catalog().plan(context.call.number);
        if exceeds_limit(&rest.shared, Some(plan), source, &output) {
            return cut_plain(rest, context, source, output).await;
        }
        let ids = context.ids();
        rest.conclude(&mut context, ids, None, source, &mut output)
    })
}
