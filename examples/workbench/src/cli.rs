//! The command line, and what can be wrong with it.

use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::{Args, Parser, Subcommand, ValueEnum};
use serde_json::Value;
use toolwright::BuildError;
use toolwright::content::ContentHash;
use toolwright::id::TicketId;
use toolwright::registry::RegistryError;
use toolwright::ticket::{StoreError, TicketError};
use toolwright_journal::JournalError;
use toolwright_policy::PolicyError;
use toolwright_sqlite::SqliteError;

use crate::calls::NotACall;
use crate::chat::{Chat, ChatApi, ChatError};
use crate::journal::Settle;
use crate::mcp::{McpError, McpOptions};
#[cfg(unix)]
use crate::process::Variable;
use crate::serve::{Serve, ServeProblem};
use crate::suspend::KeyError;

const EXIT_CODES: &str = "\
    Exit codes: 2 for wrong usage, or a ticket that is refused; else 130 after Ctrl-C (128 and the number of the signal that \
    asked to end); else 4 if a call waits for an answer; else 3 if a call was denied; else 1 if a call failed, or a journal is \
    not what was written or does not replay; else 0. A `chat` about one message has 1 if there is no answer, and not for \
    a call that failed; one at its prompt has 0.";

/// Tools for files and texts, run on a directory.
///
/// At a terminal, calls that need approval are asked about; elsewhere they are denied, unless `run
/// --suspend` keeps them for later, or `--state` has another process answer them.
#[derive(Debug, Parser)]
#[command(
    name = "workbench",
    version,
    after_help = EXIT_CODES
)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag by itself")]
pub(crate) struct Cli {
    /// The directory that the tools work on and never leave; the current one if none is named.
    #[arg(long, value_name = "DIR", global = true)]
    pub(crate) root: Option<PathBuf>,

    /// Allow what would need approval.
    #[arg(long, global = true, conflicts_with = "deny")]
    pub(crate) yes: bool,

    /// Deny every call.
    #[arg(long, global = true)]
    pub(crate) deny: bool,

    /// Let the rules of a file decide what may run.
    #[arg(long, value_name = "FILE", global = true, conflicts_with_all = ["yes", "deny"])]
    pub(crate) policy: Option<PathBuf>,

    /// Keep tickets, grants and results in a file, which several processes may use at once: `tickets` and `resume` answer
    /// what a call of another process waits for. Made where it is missing.
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) state: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: Reading,

    /// Write results as they are, for programs that read them. Without it, what could command a terminal
    /// is written out as an escape.
    #[arg(long, global = true)]
    pub(crate) raw: bool,

    /// Show what `shell.run` prints on standard error while it runs, as `call` does on a terminal.
    #[cfg(unix)]
    #[arg(long, global = true)]
    pub(crate) live: bool,

    /// Pass a variable of the environment to `shell.run`, beside the few that it gets anyway.
    #[cfg(unix)]
    #[arg(long, value_name = "NAME", global = true)]
    pub(crate) env: Vec<Variable>,

    #[command(flatten)]
    pub(crate) mcp: McpOptions,

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
        /// Write the list as an API takes it; what of a schema it does not take goes to standard error.
        #[arg(long = "for", value_name = "API", conflicts_with = "json")]
        api: Option<ChatApi>,
        /// The form of schemas that an API enforces: where it can be, or for all tools, or for none.
        #[arg(long, requires = "api", default_value = "auto")]
        strict: Strictness,
    },
    /// Call one tool and print what a model would read.
    Call {
        /// The tool: `fs.read`, or as providers write it, `fs_read`.
        name: String,
        /// The arguments as a JSON object; `-` reads them from standard input.
        #[arg(value_name = "JSON|-")]
        arguments: Option<String>,
        #[command(flatten)]
        reading: Reading,
        #[command(flatten)]
        recording: Recording,
    },
    /// Run calls, one JSON object a line, and write one result a line.
    ///
    /// A line is `{"id","name","arguments"}`, an Anthropic `tool_use` block, an entry of `OpenAI`'s `tool_calls`, a
    /// `function_call` of its Responses or a `functionCall` of Gemini; or several of them, which run side by side and are asked about together: a list,
    /// or a whole message of the assistant.
    Run {
        /// Keep calls that have to be asked about in a folder, for `resume`; the others run.
        #[arg(long, value_name = "DIR")]
        suspend: Option<PathBuf>,
        #[command(flatten)]
        key: Key,
        #[command(flatten)]
        reading: Reading,
        #[command(flatten)]
        recording: Recording,
        /// The file of calls; `-` reads them from standard input.
        #[arg(value_name = "FILE|-")]
        calls: PathBuf,
    },
    /// Talk to a model that uses the tools.
    Chat(Box<Chat>),
    /// Serve the tools to an MCP client.
    Serve(Serve),
    /// Show the calls of a folder, or of the file of `--state`, that wait for an answer.
    Tickets {
        /// The folder of `run --suspend`.
        #[arg(value_name = "DIR")]
        folder: Option<PathBuf>,
        #[command(flatten)]
        key: Key,
    },
    /// Answer a call that waits, and go on with it.
    Resume(Resume),
    /// Tell what a policy says, without running anything.
    #[command(subcommand)]
    Policy(PolicyCommand),
    /// Show, verify and replay what `call` and `run` have recorded.
    #[command(subcommand)]
    Journal(JournalCommand),
    /// Show the calls of a journal that were cut off, so that nobody knows their effect; or record how one ended.
    Settle(Settle),
}

/// The way that arguments are read. It is no global option, since `list` has another one of this name.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct Reading {
    /// Refuse arguments that do not fit, also where it is clear what was meant.
    #[arg(long)]
    pub(crate) strict: bool,
}

/// The journal that calls are recorded in.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Recording {
    /// Record each call, and what it gave, in a journal: added to what the file has, for `journal`.
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: Option<PathBuf>,
}

/// The key that tickets are signed with.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Key {
    /// The file of the key that tickets are signed with, made where it is missing; else
    /// `toolwright/ticket.key` in the user's directory of state (`XDG_STATE_HOME`).
    #[arg(long = "key", value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct Resume {
    /// The ticket, as `run` and `tickets` tell it.
    pub(crate) ticket: TicketId,

    /// The answer; none if all is answered, and the call is only to go on.
    #[arg(conflicts_with_all = ["edit", "answer"])]
    pub(crate) decision: Option<Word>,

    /// Say why; the model reads it.
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: Option<String>,

    /// Answer one thing that is asked, by its number, counted from 0; else all that is left.
    #[arg(long, value_name = "N")]
    pub(crate) request: Option<usize>,

    /// The scope of `always` and `never`, by its number in the list of what can be trusted, counted from 0.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) trust: usize,

    /// Run it with these arguments in place of its own.
    #[arg(long, value_name = "JSON", conflicts_with = "answer")]
    pub(crate) edit: Option<Json>,

    /// The answer to a question.
    #[arg(long, value_name = "JSON")]
    pub(crate) answer: Option<Json>,

    /// The folder of `run --suspend`, where it is another than the one that `run` used here.
    #[arg(long, value_name = "DIR")]
    pub(crate) suspend: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) key: Key,

    #[command(flatten)]
    pub(crate) reading: Reading,

    #[command(flatten)]
    pub(crate) recording: Recording,
}

/// The answer of a person in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Word {
    /// It may, this once.
    Yes,
    /// It may, and so may whatever else `--trust` covers, in this run.
    Always,
    /// It may not.
    No,
    /// It may not, and nor may whatever else `--trust` covers, in this run.
    Never,
}

/// The form of the schemas that a model is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Strictness {
    /// The narrow one for the tools that have one.
    Auto,
    /// The narrow one for all, or none at all.
    Force,
    /// The tool's own.
    Never,
}

/// JSON on the command line.
#[derive(Debug, Clone)]
pub(crate) struct Json(pub(crate) Value);

impl FromStr for Json {
    type Err = serde_json::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        serde_json::from_str(text).map(Self)
    }
}

impl Cli {
    /// The directory that the tools work on.
    pub(crate) fn root(&self) -> &Path {
        self.root.as_deref().unwrap_or(Path::new("."))
    }

    /// Returns true if arguments that do not fit are refused.
    pub(crate) fn is_strict(&self) -> bool {
        let of_command = match &self.command {
            Command::Call { reading, .. }
            | Command::Run { reading, .. }
            | Command::Policy(PolicyCommand::Explain { reading, .. })
            | Command::Journal(JournalCommand::Replay { reading, .. }) => reading.strict,
            Command::Chat(chat) => chat.reading.strict,
            Command::Serve(serve) => serve.reading.strict,
            Command::Resume(resume) => resume.reading.strict,
            _ => false,
        };
        self.reading.strict || of_command
    }

    /// The same as the system knows it, without links.
    pub(crate) fn canonical_root(&self) -> Result<PathBuf, Problem> {
        self.root().canonicalize().map_err(|error| Problem::Root {
            root: self.root().to_owned(),
            error,
        })
    }
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
        #[command(flatten)]
        reading: Reading,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum JournalCommand {
    /// Show the calls of a journal as a table.
    Show {
        /// The journal.
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Tell whether a journal is what was written, and which line is the first that is not.
    Verify {
        /// The journal.
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// The head that `verify` printed before: checks that all that was there then still is.
        #[arg(long, value_name = "HASH")]
        head: Option<ContentHash>,
    },
    /// Make the calls of a journal once more, and tell what is not as it was. Tools whose output depends on
    /// their arguments alone run again; all others, and whatever has an effect, are answered by the
    /// journal.
    Replay {
        /// The journal.
        #[arg(value_name = "FILE")]
        file: PathBuf,
        #[command(flatten)]
        reading: Reading,
    },
}

/// The errors that keep workbench from doing anything.
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
    // It names its file itself, the lines in it, and its cause.
    #[error("{0}")]
    Policy(PolicyError),
    #[error("the policy does not fit the tools:\n{}", .0.join("\n"))]
    Unfit(Vec<String>),
    #[error("there is no policy to tell of: name its file by `--policy FILE`")]
    NoPolicy,
    #[error("this is not a call")]
    NotACall(#[from] NotACall),
    #[error("the tools cannot be run")]
    Build(#[from] BuildError),
    #[error("the threads of workbench cannot be started")]
    Runtime(#[source] io::Error),
    #[error("signals cannot be received")]
    Signals(#[source] io::Error),
    #[error("calls that wait cannot be kept")]
    Folder(#[from] StoreError),
    #[error("tickets cannot be signed")]
    Key(#[from] KeyError),
    #[error(
        "{} lies in the root {}, where the tools could change what is kept there: name a place outside of it",
        path.display(), root.display()
    )]
    WithinRoot { path: PathBuf, root: PathBuf },
    #[error(
        "nothing is known here of ticket {0}: name its folder by `--suspend DIR`, or its file by `--state FILE`"
    )]
    Forgotten(TicketId),
    #[error(
        "name the place of the tickets: the folder of `run --suspend`, or the file by `--state FILE`"
    )]
    NoPlace,
    #[error("calls wait in one place: in the folder of `--suspend`, or in the file of `--state`")]
    TwoPlaces,
    #[error("`serve` has the person at its client answer, and takes no `--state`")]
    NoState,
    #[error("the state cannot be kept")]
    State(#[from] SqliteError),
    #[error(
        "ticket {0} is of a run in another root or under another policy than this: give it the same \
         `--root` and `--policy`"
    )]
    Elsewhere(TicketId),
    #[error(
        "ticket {ticket} has no trust option {trust}; `workbench tickets` lists those that it has"
    )]
    NoTrust { ticket: TicketId, trust: usize },
    #[error("ticket {0} was answered already: `workbench resume {0}` goes on with that")]
    Answered(TicketId),
    #[error(transparent)]
    Ticket(#[from] TicketError),
    #[error("the journal {} cannot be used", path.display())]
    Journal {
        path: PathBuf,
        #[source]
        error: JournalError,
    },
    #[error(
        "no record of the journal {} ends with {head}: records were taken out of it, or it is another one",
        path.display()
    )]
    OtherHead { path: PathBuf, head: ContentHash },
    #[error(transparent)]
    Chat(#[from] ChatError),
    #[error(transparent)]
    Mcp(#[from] McpError),
    #[error(transparent)]
    Serve(#[from] ServeProblem),
    #[cfg(target_os = "linux")]
    #[error("the environment of workbench cannot be hidden from shell lines")]
    Exposed(#[source] io::Error),
    #[error("the tools cannot be listed")]
    Unlisted(#[from] toolwright_providers::ListError),
    #[error("a result cannot be written as JSON")]
    Json(#[from] serde_json::Error),
}

impl From<PolicyError> for Problem {
    fn from(error: PolicyError) -> Self {
        Self::Policy(error)
    }
}

impl Problem {
    /// Returns true if a journal was changed, and the command itself was right.
    pub(crate) fn is_of_journal(&self) -> bool {
        match self {
            Self::Journal { error, .. } => !matches!(error, JournalError::Log(_)),
            Self::OtherHead { .. } => true,
            _ => false,
        }
    }
}
