//! Between the end of a call and its outcome: hooks, the output check, commands, and the limit of what
//! the model sees.

use std::sync::Arc;

use crate::event::HookStage;
use crate::executor::call::hook_run::HookRun;
use crate::executor::call::run_hook::run_hook;
use crate::executor::call::state::CallState;
use crate::executor::guard::catch_tool_panic;
use crate::executor::hooks::NamedHook;
use crate::executor::output::large::{DEFAULT_LIMIT, exceeds};
use crate::hook::{AfterCall, AfterDecision, AfterTool};
use crate::message::{ResultSource, ToolError, ToolOutput};
use crate::tool::{BoxFuture, ToolContext, ToolOutcome};

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
            output = self.checked(source, output);
            (source, output) = self.apply_commands(source, output);
        }
        if self.recorder.is_some() {
            (source, output) = Box::pin(self.record_end(source, output)).await;
        }
        // What the executor says is short, and no output of the tool; a hook may have made it long.
        let limit = match source {
            ResultSource::Executor => self.shared.excess.limit.max(DEFAULT_LIMIT),
            _ => self.plan().output,
        };
        if exceeds(&output, limit) {
            let of = (&*self.session, self.invocation_id);
            let excess = &self.shared.excess;
            let tool = (&*self.catalog.snapshot, self.number);
            output = Box::pin(excess.cut(tool, of, output, limit)).await;
        }
        self.end(source, output)
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
            output = self.checked(source, output);
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

    /// Before commands: a call whose output is refused has not succeeded.
    fn checked(&self, source: ResultSource, output: ToolOutput) -> ToolOutput {
        match source {
            ResultSource::Tool => self.plan().checked(output),
            _ => output,
        }
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
}
