//! The ways to servers.

use std::sync::Arc;

use toolwright_mcp::client::{Command, Http, ImportOptions, ImportedServer, import_with};

use super::ask::AskPerson;
use super::command::Target;
use super::config::ServerEntry;
use super::error::{McpError, NotImported};
use super::tell_event;
use crate::watch::Board;

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
            let mut server = Http::new(url, client()?);
            for (header, value) in &headers {
                server = server.header(header.clone(), value.clone());
            }
            let imported = import_with(name, server, options).await;
            imported.map_err(|error| NotImported::new(error, false).into())
        }
    }
}

/// The client of HTTP, for any number of servers.
fn client() -> Result<reqwest::Client, McpError> {
    // An error says that the process has a provider of cryptography already.
    let _ = rustls_graviola::default_provider().install_default();
    Http::client().build().map_err(McpError::Client)
}
