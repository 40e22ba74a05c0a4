//! The stage of the hooks after a call.

use crate::content::{ResultSource, ToolError, ToolOutput};
use crate::context::ToolContext;
use crate::event::HookStage;
use crate::executor::call::boxed::cut_plain;
use crate::executor::call::commands::apply_in;
use crate::executor::call::future::PlainCall;
use crate::executor::call::hook_run::{HookRun, SeenCall};
use crate::executor::call::outcome::exceeds_limit;
use crate::executor::call::state::CallState;
use crate::executor::catalog::tools::ToolPlan;
use crate::executor::guard::catch_tool_panic;
use crate::executor::hooks::{Hooks, NamedHook};
use crate::hook::{AfterCall, AfterDecision, AfterTool};
use crate::outcome::ToolOutcome;
use crate::util::future::BoxFuture;

/// The output of a call that the hooks after it have seen.
struct SeenOutput {
    source: ResultSource,
    output: ToolOutput,
    /// True if a hook has put another in its place.
    is_altered: bool,
}

/// Shows what a call gave to the hooks after it, one after another, and then has happen what it and they want to
/// happen.
async fn show(
    hooks: &Hooks,
    seen: SeenCall<'_>,
    context: &ToolContext,
    source: ResultSource,
    mut output: ToolOutput,
) -> SeenOutput {
    let ends_run = output.error.as_ref().is_some_and(ToolError::is_fatal);
    let mut is_altered = false;
    let mut of_call = output.take_commands();
    let mut of_hooks = Vec::new();
    for hook in &hooks.after {
        let changed = match ask(hooks, hook, seen, context, (source, &output)).await {
            Ok(AfterDecision { output, commands }) => {
                of_hooks.extend(commands);
                output
            }
            Err(error) => Some(hook_failure(seen.plan, source, error)),
        };
        if let Some(changed) = changed.filter(|_| !ends_run) {
            is_altered = true;
            output = changed;
            of_call.extend(output.take_commands());
        }
    }
    if source == ResultSource::Tool {
        seen.plan.check(&mut output);
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
    let (source, output) = match applied {
        Err(error) if !ends_run => (
            ResultSource::Executor,
            hook_failure(seen.plan, source, error),
        ),
        _ => (source, output),
    };
    SeenOutput {
        source,
        output,
        is_altered,
    }
}

async fn ask(
    hooks: &Hooks,
    hook: &NamedHook<dyn AfterTool>,
    seen: SeenCall<'_>,
    context: &ToolContext,
    (source, output): (ResultSource, &ToolOutput),
) -> Result<AfterDecision, ToolError> {
    let call = AfterCall::new(seen.shown(context)?, output, source);
    // Hooks see the end of a cancelled call as well.
    let token = context.cancel_scope();
    let token = (!token.is_cancelled()).then_some(token);
    let seen = [seen];
    let run = HookRun::begin(hooks, &seen, &hook.name, HookStage::After);
    run.run(token, || hook.it.after(&call)).await
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
        source: ResultSource,
        output: ToolOutput,
    ) -> BoxFuture<'_, (ResultSource, ToolOutput)> {
        Box::pin(async move {
            let context = self.context_with(None);
            let hooks = &self.shared.hooks;
            let seen = show(hooks, self.seen(), &context, source, output).await;
            if seen.is_altered {
                self.note_altered();
            }
            (seen.source, seen.output)
        })
    }
}

/// Ends a plain call that hooks see after its body.
#[cold]
#[inline(never)]
pub(crate) fn shown_after(
    rest: PlainCall<'_>,
    mut context: ToolContext,
    source: ResultSource,
    output: ToolOutput,
) -> BoxFuture<'_, ToolOutcome> {
    Box::pin(async move {
        context.state = context.session.state.snapshot();
        let (number, ids) = (context.call.number, context.ids());
        let catalog = rest.catalog();
        let plan = catalog.plan(number);
        let seen = match rest.arguments(&context) {
            Some(arguments) => {
                let seen = SeenCall {
                    entry: catalog.entry(number),
                    plan,
                    arguments,
                    purpose: rest.purpose(),
                    invocation: ids.1,
                    observer: rest.observer.as_deref(),
                };
                show(&rest.shared.hooks, seen, &context, source, output).await
            }
            // A bug in this crate: hooks are there from the start, and the arguments are kept for them.
            None => SeenOutput {
                source: ResultSource::Executor,
                output: ToolError::internal("the arguments of the call are gone").into(),
                is_altered: true,
            },
        };
        let (source, output) = (seen.source, seen.output);
        if exceeds_limit(rest.shared, Some(plan), source, &output) {
            return cut_plain(rest, context, source, output).await;
        }
        rest.conclude(&mut context, ids, None, source, output)
    })
}
