//! The server that the official conformance suite of the Model Context Protocol tests: each tool is one that a scenario of
//! the suite describes.
//!
//! `server [ADDRESS]`: the address is `127.0.0.1:0` by default, and the first line of the output tells the one it is.

mod asks;
mod content;
mod input_required;
mod list;
mod reports;
mod schemas;

use std::error::Error;
use std::sync::Arc;

use tokio::net::TcpListener;
use toolwright::executor::WaitMode;
use toolwright::permission::AllowAll;
use toolwright::{Executor, ToolRegistry, discover};

use list::ChangingTools;

fn tools() -> Result<ToolRegistry, Box<dyn Error>> {
    Ok(discover!()?
        .with(schemas::json_schema_tool()?)
        .with(schemas::custom_header()?))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let address = std::env::args().nth(1);
    let listener = TcpListener::bind(address.as_deref().unwrap_or("127.0.0.1:0")).await?;
    println!("listening on http://{}/mcp", listener.local_addr()?);
    let changing = Arc::new(ChangingTools::default());
    let executor = Executor::builder(tools()?)
        .resource_arc(Arc::clone(&changing))
        .permission_checker(AllowAll)
        .approvals(WaitMode::Suspending)
        .build()?;
    changing.are_of(&executor);
    toolwright_mcp::serve(executor).http_on(listener).await?;
    Ok(())
}
