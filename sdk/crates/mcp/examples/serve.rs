//! A server on standard input and output: `cargo run -p toolwright-mcp --example serve`.

use toolwright::{Executor, ToolRegistry, tool};

/// Count the characters of a text.
#[tool(pure)]
fn count(text: String) -> usize {
    text.chars().count()
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let executor = Executor::new(ToolRegistry::new().with(Count))?;
    toolwright_mcp::serve(executor).stdio().await?;
    Ok(())
}
