//! The settings of what a model sees of results.

use std::sync::Arc;

use crate::executor::builder::ExecutorBuilder;
#[cfg(feature = "json-schema")]
use crate::executor::catalog::output_check::OutputCheck;
use crate::results::ResultStore;

impl ExecutorBuilder {
    /// Sets what becomes of structured output that is not what its tool declares by its output schema.
    /// Default: [`OutputCheck::Off`]. Feature `json-schema`.
    ///
    /// It is judged as the tool gave it, after the hooks and before it is cut. A tool whose output schema
    /// cannot be read keeps the executor from being built.
    ///
    /// ```
    /// use serde_json::{Value, json};
    /// use toolwright::{Executor, tool_fn, ToolName, ToolOutput, ToolRegistry, ToolSpec};
    /// use toolwright::executor::OutputCheck;
    ///
    /// let spec = ToolSpec::new(ToolName::new("count")?, "Count.").with_output_schema(json!({
    ///     "type": "object",
    ///     "properties": { "count": { "type": "integer" } },
    ///     "required": ["count"],
    /// }));
    /// let tool = tool_fn(spec, |_: Value, _| async { ToolOutput::json(&json!({ "count": "many" })) });
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
    /// let executor = Executor::builder(ToolRegistry::new().with(tool))
    ///     .permission_checker(toolwright::permission::AllowAll)
    ///     .check_output(OutputCheck::Refuse)
    ///     .build()?;
    /// let outcome = executor.call("count", "{}").await;
    /// assert_eq!(
    ///     outcome.text(),
    ///     "the tool ran, and its output is not what it declares, so that it cannot be shown: `/count`: \
    ///      expected an integer, found the text \"many\". This is a fault of the tool, not of the call"
    /// );
    /// # Ok::<(), toolwright::BuildError>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "json-schema")]
    pub fn check_output(mut self, check: OutputCheck) -> Self {
        self.planner.output_check = check;
        self
    }

    /// Keeps the text of results that are cut, and adds the tool `result.read`, by which the model reads
    /// on in those of its own session. Default: nothing is kept, and there is no such tool.
    ///
    /// ```
    /// use toolwright::{Executor, tool, ToolRegistry};
    /// use toolwright::executor::Limits;
    /// use toolwright::results::MemoryResults;
    ///
    /// /// Count far.
    /// #[tool(pure)]
    /// fn count(to: u32) -> String {
    ///     (1..=to).map(|n| format!("{n} ")).collect()
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
    /// let executor = Executor::builder(ToolRegistry::new().with(Count))
    ///     .limits(Limits::new().max_output_bytes(1_000))
    ///     .result_store(MemoryResults::new())
    ///     .build()?;
    /// let outcome = executor.call("count", r#"{"to": 5000}"#).await;
    /// let id = outcome.result().invocation_id();
    /// let last = format!(
    ///     "[cut: 1000 of 23893 bytes are shown; read on by `result.read` with \
    ///      {{\"id\": \"{id}\", \"offset\": 1000}}]"
    /// );
    /// assert_eq!(outcome.text().lines().last(), Some(last.as_str()));
    ///
    /// let more = format!(r#"{{"id": "{id}", "offset": 23885}}"#);
    /// let more = executor.call("result.read", more).await;
    /// assert_eq!(more.text(), "99 5000 \n[bytes 23885 to 23893 of 23893: this is the end]");
    /// # Ok::<(), toolwright::BuildError>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn result_store(mut self, store: impl ResultStore) -> Self {
        self.planner.excess.store = Some(Arc::new(store));
        self
    }
}
