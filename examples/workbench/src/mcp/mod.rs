//! Tools of MCP servers beside those of the workbench: `--mcp` and `--mcp-config`.
//!
//! The tools of a server `files` are named `files.read_file` and so on. A server is not trusted: what it says of the effects
//! of its tools spares nobody a question, and what it asks while a call runs is a question to the person.

mod ask;
mod command;
mod config;
mod connect;
mod error;
mod variables;

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use tokio::time::timeout;
use toolwright::{Executor, ToolRegistry};
use toolwright_mcp::client::{ImportedServer, ServerEvent};

pub(crate) use self::command::ServerLine;
pub(crate) use self::error::McpError;
use crate::cli::{Cli, Command, JournalCommand};
use crate::terminal::safe;
use crate::watch::{Board, Watch};

/// The time after which the person learns which server is waited for: one may be downloaded first.
const QUIET: Duration = Duration::from_secs(5);

/// The servers whose tools are used.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct McpOptions {
    /// Use the tools of an MCP server: a command that starts one on its standard input and output, or the address of one.
    /// Without `NAME=` the server is named for its program, its package or its host.
    #[arg(long = "mcp", value_name = "[NAME=]COMMAND|URL", global = true)]
    pub(crate) lines: Vec<ServerLine>,

    /// Use the tools of the MCP servers of a file, in the form of desktop and editor clients:
    /// `{"mcpServers": {"NAME": {"command": .., "args": [..], "env": {..}}, "OTHER": {"url": .., "headers": {..}}}}`.
    #[arg(long = "mcp-config", value_name = "FILE", global = true)]
    pub(crate) files: Vec<PathBuf>,

    /// Show what MCP servers print on standard error, as they print it.
    #[arg(long = "mcp-log", global = true)]
    pub(crate) log: bool,
}

impl McpOptions {
    fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.files.is_empty()
    }
}

/// The servers of a command, connected.
#[derive(Default)]
pub(crate) struct Servers(Vec<ImportedServer>);

impl Servers {
    /// Connects to the servers of a command that has use for tools, all at the same time.
    pub(crate) async fn connect(cli: &Cli, watch: Option<&Watch>) -> Result<Self, McpError> {
        if cli.mcp.is_empty() || !uses_tools(&cli.command) {
            return Ok(Self::default());
        }
        let servers = config::servers(&cli.mcp)?;
        let board = watch.map(|watch| Arc::clone(watch.board()));
        let imports: Vec<_> = servers
            .into_iter()
            .map(|server| {
                let name = server.name.clone();
                let import = connect::import(server, cli.mcp.log, board.clone());
                (name, tokio::spawn(import))
            })
            .collect();
        let mut connected = Vec::with_capacity(imports.len());
        for (name, mut import) in imports {
            let imported = if let Ok(imported) = timeout(QUIET, &mut import).await {
                imported
            } else {
                let line = format!("[waiting for the MCP server `{name}`]");
                tell(board.as_deref(), &line);
                import.await
            };
            connected.push(imported.map_err(McpError::Stopped)??);
        }
        for server in &connected {
            for skipped in server.skipped() {
                tell(
                    board.as_deref(),
                    &format!(
                        "[{}.{} is left out: {}]",
                        server.name(),
                        skipped.name,
                        skipped.reason
                    ),
                );
            }
        }
        Ok(Self(connected))
    }

    /// Adds the tools to those of the workbench.
    pub(crate) fn add_to(&self, registry: ToolRegistry) -> ToolRegistry {
        self.0.iter().fold(registry, |registry, server| {
            registry.with_server(server.name(), server.registry())
        })
    }

    /// Has the executor's tools change with those of the servers.
    pub(crate) fn follow(&self, executor: &Executor) {
        for server in &self.0 {
            server.follow(executor);
        }
    }

    /// Ends the connections.
    pub(crate) fn close(&self) {
        for server in &self.0 {
            server.close();
        }
    }
}

/// Returns true if a command lists or calls tools, or judges calls.
fn uses_tools(command: &Command) -> bool {
    match command {
        Command::List { .. }
        | Command::Call { .. }
        | Command::Run { .. }
        | Command::Chat(_)
        | Command::Serve(_)
        | Command::Resume(_)
        | Command::Policy(_)
        | Command::Journal(JournalCommand::Replay { .. }) => true,
        Command::Tickets { .. } | Command::Journal(_) | Command::Settle(_) => false,
    }
}

/// Writes a change of a server, for the person.
fn tell_event(board: Option<&Board>, server: &str, event: &ServerEvent) {
    let text = match event {
        ServerEvent::Connected => "connected again".to_owned(),
        ServerEvent::Disconnected { error, .. } => {
            format!("not connected, and is tried again: {error}")
        }
        ServerEvent::ToolsChanged {
            added,
            removed,
            changed,
            ..
        } => {
            let parts = [("new", added), ("gone", removed), ("changed", changed)];
            let parts = parts.iter().filter(|(_, names)| !names.is_empty());
            let parts: Vec<String> = parts
                .map(|(word, names)| format!("{word}: {}", names.join(", ")))
                .collect();
            format!("other tools ({})", parts.join("; "))
        }
        ServerEvent::Drifted(drift) => format!(
            "the definition of `{}` has changed since it was first seen, and each call of it asks",
            drift.tool
        ),
        ServerEvent::NotFollowed { error, .. } => {
            format!("its other tools cannot be used: {error}")
        }
        _ => return,
    };
    tell(board, &format!("[{server}: {text}]"));
}

/// Writes a line for the person, above the bars of running calls.
fn tell(board: Option<&Board>, line: &str) {
    let write = || {
        // `eprintln!` panics where nobody reads it.
        let _ = writeln!(io::stderr(), "{}", safe::line(line));
    };
    match board {
        Some(board) => board.around(write),
        None => write(),
    }
}
