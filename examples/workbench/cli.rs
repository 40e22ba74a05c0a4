//! The command line, and what can be wrong with it.

use std::io;
use std::path::PathBuf;

use clap::{Parser, Subcommand};
use toolwright::{BuildError, PolicyError, RegistryError};

use crate::calls::NotACall;
#[cfg(unix)]
use crate::process::Variable;

/// Tools for files and texts, run on a directory.
#[derive(Debug, Parser)]
#[command(
    name = "workbench",
    version,
    after_help = "Exit codes: 2 for wrong usage; else 130 after Ctrl-C (128 and the number of the signal that asked to \
                  end); else 3 if a call was denied; else 1 if a call failed; else 0."
)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag by itself")]
pub(crate) struct Cli {
    /// The directory that the tools work on and never leave.
    #[arg(long, value_name = "DIR", default_value = ".", global = true)]
    pub(crate) root: PathBuf,

    /// Allow what would need approval.
    #[arg(long, global = true, conflicts_with = "deny")]
    pub(crate) yes: bool,

    /// Deny every call.
    #[arg(long, global = true)]
    pub(crate) deny: bool,

    /// Let the rules of a file decide what may run.
    #[arg(long, value_name = "FILE", global = true, conflicts_with_all = ["yes", "deny"])]
    pub(crate) policy: Option<PathBuf>,

    /// Refuse arguments that do not fit, also where it is clear what was meant.
    #[arg(long, global = true)]
    pub(crate) strict: bool,

    /// Show what `shell.run` prints on standard error while it runs, as `call` does on a terminal.
    #[cfg(unix)]
    #[arg(long, global = true)]
    pub(crate) live: bool,

    /// Pass a variable of the environment to `shell.run`, beside the few that it gets anyway.
    #[cfg(unix)]
    #[arg(long, value_name = "NAME", global = true)]
    pub(crate) env: Vec<Variable>,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show the tools.
    List {
        /// Write the specs as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Call one tool and print what a model would read.
    Call {
        /// The tool: `fs.read`, or as providers write it, `fs_read`.
        name: String,
        /// The arguments as a JSON object; `-` reads them from standard input.
        #[arg(value_name = "JSON|-")]
        arguments: Option<String>,
    },
    /// Run calls, one JSON object a line, and write one result a line.
    ///
    /// A line is `{"id","name","arguments"}`, an Anthropic `tool_use` block or an entry of `OpenAI`'s
    /// `tool_calls`.
    Run {
        /// The file of calls; `-` reads them from standard input.
        #[arg(value_name = "FILE|-")]
        calls: PathBuf,
    },
    /// Tell what a policy says, without running anything.
    #[command(subcommand)]
    Policy(PolicyCommand),
}

#[derive(Debug, Subcommand)]
pub(crate) enum PolicyCommand {
    /// Tell what is wrong with the policy of `--policy`, line by line.
    Check,
    /// Tell which rules of the policy of `--policy` decide about a call, and what would change that.
    Explain {
        /// The tool, as in `call`; or a whole call, as a line of `run`; `-` reads one from standard
        /// input.
        #[arg(value_name = "NAME|CALL|-")]
        call: String,
        /// The arguments as a JSON object; `-` reads them from standard input.
        #[arg(value_name = "JSON|-")]
        arguments: Option<String>,
    },
}

/// What keeps workbench from doing anything.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Problem {
    #[error("the root {} is not a directory that can be opened", root.display())]
    Root {
        root: PathBuf,
        #[source]
        error: io::Error,
    },
    #[error("{} cannot be read", path.display())]
    Input {
        path: PathBuf,
        #[source]
        error: io::Error,
    },
    #[error("the output cannot be written")]
    Output(#[source] io::Error),
    #[error("the tools do not fit together")]
    Registry(#[from] RegistryError),
    // It names its file itself, and the lines in it.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    #[error("the policy does not fit the tools:\n{}", .0.join("\n"))]
    Unfit(Vec<String>),
    #[error("there is no policy to tell of: name its file by `--policy FILE`")]
    NoPolicy,
    #[error("this is not a call")]
    NotACall(#[from] NotACall),
    #[error("the tools cannot be run")]
    Build(#[from] BuildError),
    #[error("signals cannot be received")]
    Signals(#[source] io::Error),
    #[error("a result cannot be written as JSON")]
    Json(#[from] serde_json::Error),
}
