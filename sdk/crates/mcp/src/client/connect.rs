//! The ways to a server: a child process, streamable HTTP, or any transport of `rmcp`.

mod child;
#[cfg(feature = "http")]
mod http;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::future::Future;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError};

use rmcp::RoleClient;
use rmcp::transport::{IntoTransport, Transport};

pub use child::ChildProcess;
use child::{Bound, Fault};
#[cfg(all(test, feature = "http"))]
pub(crate) use http::REQUESTS;
#[cfg(feature = "http")]
pub use http::{Http, HttpClient};

/// The way to a server, taken once for the import and once more for each reconnection.
///
/// [`Command`] starts a child process, `Http` (with the feature `http`) reaches a server over streamable HTTP, and [`connect_fn`] makes
/// one of a closure.
pub trait Connect: Send + Sync + 'static {
    /// The transport of a connection.
    type Transport: Transport<RoleClient> + 'static;

    /// Connects, without the handshake of the protocol.
    ///
    /// # Errors
    ///
    /// Fails if the server cannot be reached or started.
    fn connect(&self) -> impl Future<Output = Result<Self::Transport, ConnectError>> + Send;

    /// Returns the reason why the last connection ended, where the way to the server knows one: a clause that may follow
    /// "because". Default: `None`.
    fn fault(&self) -> Option<String> {
        None
    }
}

/// A server that cannot be reached or started. Its text is that of its cause.
#[derive(thiserror::Error)]
#[error(transparent)]
pub struct ConnectError(Box<dyn std::error::Error + Send + Sync>);

toolwright::text::debug_as_text!(ConnectError);

impl ConnectError {
    /// Makes one of an error, or of a text.
    pub fn new(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self(error.into())
    }
}

/// Makes a way to a server of a closure that gives a transport of `rmcp`, such as a pair of a reader and a writer.
///
/// ```
/// use toolwright_mcp::client::connect_fn;
/// use tokio::net::TcpStream;
///
/// let local = connect_fn(async || TcpStream::connect("127.0.0.1:4000").await);
/// # drop(local);
/// ```
pub fn connect_fn<F, Fut, T, X, E, A>(connect: F) -> impl Connect
where
    F: Fn() -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<T, X>> + Send + 'static,
    T: IntoTransport<RoleClient, E, A>,
    X: Into<Box<dyn std::error::Error + Send + Sync>>,
    E: std::error::Error + Send + Sync + 'static,
{
    ConnectFn(move || {
        let connecting = connect();
        async move {
            let transport = connecting.await.map_err(ConnectError::new)?;
            Ok(transport.into_transport())
        }
    })
}

struct ConnectFn<F>(F);

impl<F, Fut, T> Connect for ConnectFn<F>
where
    F: Fn() -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<T, ConnectError>> + Send + 'static,
    T: Transport<RoleClient> + 'static,
{
    type Transport = T;

    fn connect(&self) -> impl Future<Output = Result<T, ConnectError>> + Send {
        (self.0)()
    }
}

/// A server that is started as a child process and speaks on its standard input and output.
///
/// The process gets an environment of its own: the variables of the list below, as far as this process has them,
/// and those that [`env`](Self::env) and [`inherit_env`](Self::inherit_env) name. Keys of other services, which this
/// process may hold, do not reach it. When the connection ends, its input is closed, and what is left of its group of processes after 3
/// seconds is stopped.
///
/// On Unix: `HOME`, `LANG`, `LC_ALL`, `LOGNAME`, `PATH`, `SHELL`, `TERM`, `TMPDIR`, `TZ`, `USER`. On Windows: `APPDATA`, `HOMEDRIVE`,
/// `HOMEPATH`, `LOCALAPPDATA`, `PATH`, `PATHEXT`, `PROCESSOR_ARCHITECTURE`, `SYSTEMDRIVE`, `SYSTEMROOT`, `TEMP`, `TMP`, `USERNAME`, `USERPROFILE`.
///
/// ```
/// use toolwright_mcp::client::Command;
///
/// let issues = Command::new("npx", ["-y", "@modelcontextprotocol/server-everything"])
///     .env("LOG_LEVEL", "warn")
///     .inherit_env("NODE_EXTRA_CA_CERTS");
/// # drop(issues);
/// ```
#[derive(Clone)]
pub struct Command {
    program: OsString,
    arguments: Vec<OsString>,
    set: BTreeMap<OsString, OsString>,
    inherited: Vec<OsString>,
    directory: Option<PathBuf>,
    shows_log: bool,
    max_message_bytes: usize,
    fault: Fault,
}

/// The largest message of a server, in bytes, by default.
pub(crate) const MAX_MESSAGE: usize = 16 * 1024 * 1024;

#[cfg(not(windows))]
const PASSED_ON: [&str; 10] = [
    "HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER",
];
#[cfg(windows)]
const PASSED_ON: [&str; 13] = [
    "APPDATA",
    "HOMEDRIVE",
    "HOMEPATH",
    "LOCALAPPDATA",
    "PATH",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "USERNAME",
    "USERPROFILE",
];

impl Command {
    /// A program and its arguments. The program is looked up in `PATH`; no shell reads the words.
    pub fn new<A: Into<OsString>>(
        program: impl Into<OsString>,
        arguments: impl IntoIterator<Item = A>,
    ) -> Self {
        Self {
            program: program.into(),
            arguments: arguments.into_iter().map(Into::into).collect(),
            set: BTreeMap::new(),
            inherited: Vec::new(),
            directory: None,
            shows_log: false,
            max_message_bytes: MAX_MESSAGE,
            fault: Fault::default(),
        }
    }

    /// Sets a variable of the process's environment.
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.set.insert(name.into(), value.into());
        self
    }

    /// Passes a variable of this process on, if it is set.
    pub fn inherit_env(mut self, name: impl Into<OsString>) -> Self {
        self.inherited.push(name.into());
        self
    }

    /// Sets the directory that the process starts in. Default: that of this process.
    pub fn directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directory = Some(directory.into());
        self
    }

    /// Sends the standard error of the process to that of this one. Default: it is discarded, for a server may write
    /// anything there.
    pub fn show_log(mut self) -> Self {
        self.shows_log = true;
        self
    }

    /// Sets the largest message that the process may send, in bytes. Default: 16 MiB. A larger one ends the connection:
    /// the calls that run end as unavailable, and the process is started anew.
    pub fn max_message_bytes(mut self, bytes: usize) -> Self {
        self.max_message_bytes = bytes;
        self
    }

    fn to_tokio(&self) -> tokio::process::Command {
        let mut command = tokio::process::Command::new(&self.program);
        command.args(&self.arguments).env_clear();
        let inherited = self.inherited.iter().map(OsString::as_os_str);
        for name in PASSED_ON.iter().map(AsRef::as_ref).chain(inherited) {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        command.envs(&self.set);
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        command
    }
}

/// Without values of variables and arguments, which may be secret.
impl fmt::Debug for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Command")
            .field("program", &self.program)
            .field("arguments", &self.arguments.len())
            .field("set", &self.set.keys())
            .field("inherited", &self.inherited)
            .finish_non_exhaustive()
    }
}

impl Connect for Command {
    type Transport = ChildProcess;

    async fn connect(&self) -> Result<ChildProcess, ConnectError> {
        let program = self.program.to_string_lossy();
        let bound = Bound {
            longest: self.max_message_bytes,
            fault: Arc::clone(&self.fault),
        };
        ChildProcess::start(self.to_tokio(), self.shows_log, bound).map_err(|error| {
            let program = program.into_owned();
            ConnectError::new(CannotStart { program, error })
        })
    }

    fn fault(&self) -> Option<String> {
        self.fault
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }
}

#[derive(thiserror::Error)]
#[error("`{program}` cannot be started")]
struct CannotStart {
    program: String,
    #[source]
    error: std::io::Error,
}

toolwright::text::debug_as_text!(CannotStart);
