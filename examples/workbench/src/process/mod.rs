//! Shell lines as processes: each in a session of its own; nothing of the session is left when it ends.
//!
//! A line runs under `bash` as the leader of a new session, which is a process group too. So it has
//! no terminal: what would prompt there fails at once, and nothing can type into the one that
//! workbench was started from. Whatever ends the line (its own end, its timeout, a cancellation,
//! the end of workbench), the whole group is ended.
//!
//! Out of reach are a process that leaves the group by `setsid`, one that takes on another user
//! (`sudo`), and everything if workbench itself is killed by `SIGKILL`: only a container or a
//! control group holds these.

mod directory;
mod environment;
mod group;
mod kept;
mod live;
mod supervise;
#[cfg(test)]
mod tests;

use std::convert::Infallible;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use process_wrap::std::{CommandWrap, ProcessSession};
use tokio::net::unix::pipe;
use tokio::sync::oneshot;

use crate::cli::{Cli, Problem};
pub(crate) use directory::Directory;
use environment::Environment;
pub(crate) use environment::Variable;
use group::{Group, Groups};
pub(crate) use live::{OutputSink, Streamed};
use supervise::Supervision;

/// Runs shell lines, and knows which of them are running.
///
/// A resource of the app. All clones are one.
#[derive(Clone)]
pub(crate) struct Processes {
    shared: Arc<Shared>,
}

struct Shared {
    root: PathBuf,
    groups: Groups,
    environment: Environment,
}

/// A line to run.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) line: String,
    /// The directory where the line runs.
    pub(crate) directory: Directory,
    /// The text that the line reads from standard input; `None` means an empty input.
    pub(crate) input: Option<String>,
    pub(crate) timeout: Duration,
}

/// The result of a line.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) how: How,
    /// Standard output and standard error as they came, in the middle cut to a bound.
    pub(crate) output: String,
}

#[derive(Debug)]
pub(crate) enum How {
    /// By itself.
    Exited(ExitStatus),
    /// It took too long.
    TimedOut,
}

/// The reasons why a line was not run.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotRun {
    #[error("`bash` is not to be found on the search path, and shell lines are run with it")]
    NoBash(#[source] io::Error),
    #[error("the line cannot be run: {}", .0.kind())]
    Io(#[from] io::Error),
}

impl Processes {
    /// As the command line says: where lines run, and with which variables.
    pub(crate) fn of(cli: &Cli) -> Result<Self, Problem> {
        #[cfg(target_os = "linux")]
        environment::hide().map_err(Problem::Exposed)?;
        let root = cli.canonical_root()?;
        Ok(Self {
            shared: Arc::new(Shared {
                root,
                groups: Groups::default(),
                environment: Environment::inherited(&cli.env),
            }),
        })
    }

    /// The directory that lines run in, or below.
    pub(crate) fn root(&self) -> &Path {
        &self.shared.root
    }

    /// Runs a line to its end; the sink, if there is one, gets what it prints meanwhile. Dropping the future ends the line, in the background: first it is
    /// asked to, then it is killed; [`Processes::idle`] waits for that.
    pub(crate) async fn run(
        &self,
        job: Job,
        sink: Option<Box<dyn OutputSink>>,
    ) -> Result<Ended, NotRun> {
        let supervision = self.start(&job)?;
        let (held, dropped) = oneshot::channel::<Infallible>();
        let input = job.input.unwrap_or_default();
        // In a task of its own, which goes on where this future is dropped.
        let task = tokio::spawn(async move {
            supervision
                .run(input, job.timeout, sink.as_deref(), dropped)
                .await
        });
        let ended = task.await.map_err(io::Error::other)?;
        drop(held);
        Ok(ended?)
    }

    fn start(&self, job: &Job) -> Result<Supervision, NotRun> {
        let directory = job.directory.to_start_in();
        // Both outputs share a pipe, so that the text stays in its order.
        let (output, stdout) = io::pipe()?;
        let stderr = stdout.try_clone()?;
        let (stdin, input) = if job.input.is_some() {
            let (stdin, input) = io::pipe()?;
            let input = pipe::Sender::from_owned_fd(input.into())?;
            (stdin.into(), Some(input))
        } else {
            (Stdio::null(), None)
        };
        let mut command = Command::new("bash");
        command
            // Without `--` a line that starts with `-` would be taken for more options.
            .args(["--noprofile", "--norc", "-c", "--", &job.line])
            .current_dir(&directory)
            .stdin(stdin)
            .stdout(stdout)
            .stderr(stderr);
        self.shared.environment.apply(&mut command);
        let output = pipe::Receiver::from_owned_fd(output.into())?;
        let mut command = CommandWrap::from(command);
        command.wrap(ProcessSession);
        // Its own ends of the pipes go with the command.
        let group =
            Group::start(command, &self.shared.groups).map_err(|error| match error.kind() {
                io::ErrorKind::NotFound if directory.is_dir() => NotRun::NoBash(error),
                _ => NotRun::Io(error),
            })?;
        Ok(Supervision::new(group, output, input))
    }

    /// Waits until no line is running.
    pub(crate) async fn idle(&self) {
        self.shared.groups.none().await;
    }

    /// Kills what is running, at once.
    pub(crate) fn kill_all(&self) {
        self.shared.groups.kill();
    }
}
