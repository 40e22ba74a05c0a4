//! The server of this crate.

use toolwright::{Executor, ToolRegistry, tool, tool_type};
use toolwright_mcp::server::{McpServer, ServerLimits};

#[tool_type(result)]
struct Sum {
    sum: i64,
}

/// Say a text back.
#[tool(register = false, pure)]
fn echo(text: String) -> String {
    text
}

/// Add two numbers.
#[tool(register = false, pure)]
fn add(a: i64, b: i64) -> Sum {
    Sum { sum: a + b }
}

/// Write lines of a word.
#[tool(register = false, pure)]
fn lines(count: u32, word: String) -> String {
    crate::plain::written(count, &word)
}

fn server() -> McpServer {
    let registry = ToolRegistry::new().with(Echo).with(Add).with(Lines);
    let executor = Executor::new(registry).unwrap();
    // As many calls in a minute as there can be: the rate is still counted.
    toolwright_mcp::serve(executor).limits(ServerLimits::new().calls_per_minute(u32::MAX))
}

pub(crate) async fn on_pipes() {
    server().stdio().await.unwrap();
}

pub(crate) async fn on_http() {
    let listener = crate::plain::listener().await;
    server().http_on(listener).await.unwrap();
}
