//! The reasons why an MCP server cannot be used.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;

use tokio::task::JoinError;
use toolwright_mcp::client::ImportError;

/// The reason why an MCP server cannot be used. None has the value of a variable or of a header.
#[derive(Debug, thiserror::Error)]
pub(crate) enum McpError {
    #[error(transparent)]
    Import(#[from] NotImported),
    #[error("two MCP servers are named `{0}`: name one of them otherwise, by `--mcp NAME=..`")]
    Twice(String),
    #[error("the MCP configuration {} cannot be read", path.display())]
    File {
        path: PathBuf,
        #[source]
        error: io::Error,
    },
    #[error(
        "the MCP configuration {} is not the JSON of one: give {{\"mcpServers\": {{\"NAME\": {{\"command\": ..}}}}}}, without comments ({fault})",
        path.display()
    )]
    Form { path: PathBuf, fault: String },
    #[error("the MCP server `{server}` of {} {why}", path.display())]
    Entry {
        path: PathBuf,
        server: String,
        why: String,
    },
    #[error("the HTTP client for MCP servers cannot start")]
    Client(#[source] reqwest::Error),
    #[error("the task that connects to an MCP server was stopped")]
    Stopped(#[source] JoinError),
}

/// A server that could not be imported.
#[derive(Debug)]
pub(crate) struct NotImported {
    // Boxed: it is several times as large as any other reason.
    error: Box<ImportError>,
    /// True if it is a program of the command line or of a file.
    is_program: bool,
}

impl NotImported {
    pub(super) fn new(error: ImportError, is_program: bool) -> Self {
        Self {
            error: Box::new(error),
            is_program,
        }
    }
}

impl fmt::Display for NotImported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)?;
        if self.is_program {
            f.write_str("; see if its command runs, and what it prints, by `--mcp-log`")
        } else {
            f.write_str("; look at its address and its headers")
        }
    }
}

/// The text of the error has those of its fault and of the cause of that, so that the chain begins below them.
impl Error for NotImported {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.error.fault().source()?.source()
    }
}
