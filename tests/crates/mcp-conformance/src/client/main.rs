//! The client that the official conformance suite of the Model Context Protocol tests: it imports the server of a scenario
//! and calls its tools through an executor.
//!
//! `client URL`; the suite names the scenario in `MCP_CONFORMANCE_SCENARIO`, and gives calls to make in
//! `MCP_CONFORMANCE_CONTEXT`. The last line of the output is `done` when every call had a result.

mod auth;
mod calls;

use std::error::Error;
use std::future::ready;
use std::sync::Arc;

use serde_json::Value;
use toolwright::permission::AllowAll;
use toolwright::{Executor, ToolRegistry};
use toolwright_mcp::client::{AcceptDefaults, Connect, ImportOptions, connect_fn, import_with};
use toolwright_mcp::rmcp::service::ClientLifecycleMode;
use toolwright_mcp::rmcp::transport::StreamableHttpClientTransport;

type Failure = Box<dyn Error + Send + Sync>;

/// The name of the server, and so the beginning of the names of its tools.
const SERVER: &str = "server";

/// The way to a server that wants no authorization.
fn way(url: &str) -> impl Connect + use<> {
    let url: Arc<str> = url.into();
    connect_fn(move || {
        ready(Ok::<_, Failure>(StreamableHttpClientTransport::from_uri(
            url.clone(),
        )))
    })
}

async fn run(way: impl Connect, scenario: &str, context: &Value) -> Result<(), Failure> {
    let mut options = ImportOptions::new().elicitation(AcceptDefaults);
    // The older revision is tested by servers that know no other. The suite of 0.1 knows no newer one, and names none.
    if std::env::var("MCP_CONFORMANCE_PROTOCOL_VERSION").as_deref() != Ok("2026-07-28") {
        options = options.lifecycle(ClientLifecycleMode::Initialize);
    }
    let server = import_with(SERVER, way, options).await?;
    for tool in server.skipped() {
        println!("skipped: {}, because {}", tool.name, tool.reason);
    }
    let tools = ToolRegistry::new().with_server(SERVER, server.registry());
    let executor = Executor::builder(tools)
        .permission_checker(AllowAll)
        .build()?;
    calls::make(&executor, scenario, context).await
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    // The servers of the suite speak plain HTTP, but an HTTP client is not made without it.
    let _ = rustls_graviola::default_provider().install_default();
    let url = std::env::args()
        .nth(1)
        .ok_or("the URL of the server is missing: `client URL`")?;
    let scenario = std::env::var("MCP_CONFORMANCE_SCENARIO").unwrap_or_default();
    let context = match std::env::var("MCP_CONFORMANCE_CONTEXT") {
        Ok(text) => serde_json::from_str(&text)?,
        Err(_) => Value::Null,
    };
    if scenario.starts_with("auth/") {
        auth::run(&url, &scenario, &context).await?;
    } else {
        run(way(&url), &scenario, &context).await?;
    }
    println!("done");
    Ok(())
}
