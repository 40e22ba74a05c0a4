//! A server, on standard input and output, of tools with every shape of a type: the inspector reads their schemas.

#[path = "../../../../sdk/crates/providers/src/schema/tests/zoo/tools/mod.rs"]
mod tools;

use std::error::Error;

use toolwright::{Executor, ToolRegistry};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut registry = ToolRegistry::new();
    for (_, tool) in tools::all() {
        registry.register_arc(tool)?;
    }
    toolwright_mcp::serve(Executor::new(registry)?)
        .stdio()
        .await?;
    Ok(())
}
