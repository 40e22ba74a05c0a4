//! The ways to servers.

use std::collections::HashMap;
use std::convert::Infallible;
use std::future::ready;
use std::sync::Arc;
use std::time::Duration;

use toolwright_mcp::client::{
    Command, Connect, ImportOptions, ImportedServer, connect_fn, import_with,
};
use toolwright_mcp::rmcp::transport::StreamableHttpClientTransport;
use toolwright_mcp::rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;

use super::ask::AskPerson;
use super::command::Target;
use super::config::ServerEntry;
use super::error::{McpError, NotImported};
use super::tell_event;
use crate::watch::Board;

/// The longest time that a connection over HTTP may take.
const CONNECT: Duration = Duration::from_secs(20);

/// Connects to a server, and reads its tools.
pub(super) async fn import(
    server: ServerEntry,
    shows_log: bool,
    board: Option<Arc<Board>>,
) -> Result<ImportedServer, McpError> {
    let ServerEntry {
        name,
        target,
        environment,
        directory,
        headers,
    } = server;
    let named = name.clone();
    let options = ImportOptions::new()
        .client("workbench", env!("CARGO_PKG_VERSION"))
        .elicitation(AskPerson::new(&name))
        .observe(move |event| tell_event(board.as_deref(), &named, event));
    match target {
        Target::Program { program, arguments } => {
            let mut command = Command::new(program, arguments);
            for (name, value) in environment {
                command = command.env(name, value);
            }
            if let Some(directory) = directory {
                command = command.directory(directory);
            }
            if shows_log {
                command = command.show_log();
            }
            let imported = import_with(name, command, options).await;
            imported.map_err(|error| NotImported::new(error, true).into())
        }
        Target::Address(url) => {
            let config = StreamableHttpClientTransportConfig::with_uri(url).custom_headers(
                headers
                    .into_iter()
                    .filter_map(|(name, value)| Some((name?, value)))
                    .collect::<HashMap<_, _>>(),
            );
            let imported = import_with(name, over_http(config)?, options).await;
            imported.map_err(|error| NotImported::new(error, false).into())
        }
    }
}

fn over_http(config: StreamableHttpClientTransportConfig) -> Result<impl Connect, McpError> {
    // An error says that the process has a provider of cryptography already.
    let _ = rustls_graviola::default_provider().install_default();
    let client = reqwest::Client::builder()
        .connect_timeout(CONNECT)
        // A redirect would send the headers to another server.
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .map_err(McpError::Client)?;
    Ok(connect_fn(move || {
        let transport = StreamableHttpClientTransport::with_client(client.clone(), config.clone());
        ready(Ok::<_, Infallible>(transport))
    }))
}
