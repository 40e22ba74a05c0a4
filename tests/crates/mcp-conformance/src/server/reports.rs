//! Tools that report while they run: logs and progress.

use std::time::Duration;

use tokio::time::sleep;
use toolwright::{ToolContext, tool};

const PAUSE: Duration = Duration::from_millis(50);

/// Writes three lines to the log of the client.
#[tool(read_only)]
async fn test_tool_with_logging(ctx: &ToolContext) -> &'static str {
    ctx.report_activity("fixture", "Tool execution started", false);
    sleep(PAUSE).await;
    ctx.report_activity("fixture", "Tool processing data", false);
    sleep(PAUSE).await;
    ctx.report_activity("fixture", "Tool execution completed", false);
    "Logging test completed"
}

/// Writes a line to the log of the client, if it wants one.
#[tool(read_only)]
fn test_logging_tool(ctx: &ToolContext) -> &'static str {
    ctx.report_activity("fixture", "A line of the log", false);
    "Logging tool completed"
}

/// Reports progress three times.
#[tool(read_only)]
async fn test_tool_with_progress(ctx: &ToolContext) -> &'static str {
    for (fraction, words) in [(0.0, "begun"), (0.5, "half done"), (1.0, "done")] {
        ctx.progress(fraction, words);
        sleep(PAUSE).await;
    }
    "Progress test completed"
}

/// Takes a while, so that a client can lose its connection and resume.
#[tool(read_only)]
async fn test_reconnection() -> &'static str {
    sleep(PAUSE * 2).await;
    "Reconnection test completed"
}
