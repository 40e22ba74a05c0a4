//! Between the end of a call and its outcome: hooks, and the limit of what the model sees.

use super::ToolOutcome;
use super::course::Course;
use super::hooks::Named;
use super::hosted::hosted;
use super::limit::limited;
use crate::hook::{AfterCall, AfterTool};
use crate::message::{ResultSource, ToolError, ToolOutput};
use crate::tool::{BoxFuture, ToolContext};

impl Course {
    /// The call has ended.
    pub(super) async fn finish(
        mut self,
        source: ResultSource,
        mut output: ToolOutput,
    ) -> ToolOutcome {
        if self.passed && !self.shared.hooks.after.is_empty() {
            output = self.after(source, output).await;
        }
        if let (Some(limit), ResultSource::Tool) = (self.plan().output, source) {
            output = limited(output, limit);
        }
        self.end(source, output)
    }

    /// Shows what the call gave to the hooks after it, one after another.
    fn after(&mut self, source: ResultSource, output: ToolOutput) -> BoxFuture<'_, ToolOutput> {
        Box::pin(async move {
            let context = self.context();
            let ends_run = output.error.as_ref().is_some_and(ToolError::is_fatal);
            let mut output = output;
            for hook in &self.shared.hooks.after {
                let said = self.ask_after(hook, &context, source, &output).await;
                let changed = said.unwrap_or_else(|error| Some(self.withheld(source, error)));
                output = changed.filter(|_| !ends_run).unwrap_or(output);
            }
            output
        })
    }

    async fn ask_after(
        &self,
        hook: &Named<dyn AfterTool>,
        context: &ToolContext,
        source: ResultSource,
        output: &ToolOutput,
    ) -> Result<Option<ToolOutput>, ToolError> {
        let call = AfterCall::new(self.shown(context)?, output, source);
        let limit = self.shared.hooks.timeout;
        // How a cancelled call ended is shown as well.
        let token = context.cancellation();
        let token = (!token.is_cancelled()).then_some(token);
        let said = hosted(&hook.name, limit, token, || hook.it.after(&call)).await?;
        Ok(said.output)
    }

    /// What a call gives whose result a hook has not let through.
    #[cold]
    fn withheld(&self, source: ResultSource, error: ToolError) -> ToolOutput {
        let error = match source {
            ResultSource::Tool if !self.plan().repeatable => error
                .with_note("; the tool has run, so check what it did before you repeat the call")
                .with_retryable(false),
            _ => error,
        };
        error.into()
    }
}
