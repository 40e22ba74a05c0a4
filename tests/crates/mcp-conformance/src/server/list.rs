//! A tool that changes the list of tools.

use std::sync::OnceLock;

use toolwright::{Executor, ToolError, tool};

/// The executor whose tools change.
#[derive(Default)]
pub(crate) struct ChangingTools(OnceLock<Executor>);

impl ChangingTools {
    /// Names the executor.
    pub(crate) fn are_of(&self, executor: &Executor) {
        let _ = self.0.set(executor.clone());
    }
}

/// Is there every other time.
#[tool(pure, register = false)]
fn test_dynamic_tool() -> &'static str {
    "The tool is here"
}

/// Adds a tool to the list, or takes it away.
#[tool]
fn test_trigger_tool_change(tools: &ChangingTools) -> Result<&'static str, ToolError> {
    let executor = tools
        .0
        .get()
        .ok_or_else(|| ToolError::unavailable("the server is not ready"))?;
    let changed = executor.update_tools(|tools| match tools.remove("test_dynamic_tool") {
        Some(_) => Ok(()),
        None => tools.register(TestDynamicTool),
    });
    changed.map_err(ToolError::from_source)?;
    Ok("The list of tools has changed")
}
