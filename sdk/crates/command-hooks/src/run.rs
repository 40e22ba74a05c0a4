//! A program from its start to its end, with all that it starts.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::pin::pin;
use std::process::{ExitStatus, Stdio};
use std::str::Utf8Error;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{ChildStderr, ChildStdin, Command};
use tokio::time::timeout;

use crate::failure::HookFailure;
use crate::group::Group;

/// The bytes of standard error that are kept.
const MOST: usize = 8 * 1024;

/// The time to wait for the rest of standard error once the program has ended and its group is
/// killed: what is left after that is held open by what has left the group.
const DRAIN: Duration = Duration::from_secs(1);

/// The program that runs for each call.
#[derive(Clone)]
pub(crate) struct Program {
    pub(crate) file: OsString,
    pub(crate) arguments: Vec<OsString>,
    pub(crate) directory: Option<PathBuf>,
    pub(crate) variables: Vec<(OsString, OsString)>,
    /// The environment of the host.
    pub(crate) inherits: bool,
}

pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) errors: Errors,
}

impl Program {
    pub(crate) fn new(file: OsString) -> Self {
        Self {
            file,
            arguments: Vec::new(),
            directory: None,
            variables: Vec::new(),
            inherits: true,
        }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.file);
        if !self.inherits {
            command.env_clear();
        }
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        command
            .args(&self.arguments)
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        command
    }

    /// Runs the program until it and its group have ended. Dropped, all of them are killed.
    pub(crate) async fn run(&self, input: &[u8], limit: Duration) -> Result<Ended, HookFailure> {
        let mut group = Group::start(self.command()).map_err(HookFailure::Start)?;
        let (stdin, stderr) = group.pipes();
        let mut errors = Errors::of(stderr);
        let running = talk(&mut group, feed(stdin, input), &mut errors);
        match timeout(limit, running).await {
            Ok(talked) => talked.map_err(HookFailure::Input)?,
            Err(_) => return Err(HookFailure::TimedOut(limit)),
        }
        let status = group.reap().map_err(HookFailure::End)?;
        if !status.success() {
            // The error tells as much of it as has come by then.
            let _ = timeout(DRAIN, errors.fill()).await;
        }
        Ok(Ended { status, errors })
    }
}

/// Waits until the program has ended.
async fn talk(
    group: &mut Group,
    feeding: impl Future<Output = io::Result<()>>,
    errors: &mut Errors,
) -> io::Result<()> {
    let mut feeding = pin!(feeding);
    let mut fed = false;
    loop {
        tokio::select! {
            biased;
            () = group.exited() => return Ok(()),
            written = &mut feeding, if !fed => {
                fed = true;
                written?;
            }
            () = errors.fill(), if errors.pipe.is_some() => {}
        }
    }
}

/// Writes a text and closes the pipe. A program need not read it.
async fn feed(pipe: Option<ChildStdin>, text: &[u8]) -> io::Result<()> {
    let Some(mut pipe) = pipe else {
        return Ok(());
    };
    match pipe.write_all(text).await {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        _ => Ok(()),
    }
}

/// The start of what a program says on standard error; the rest is read and counted.
pub(crate) struct Errors {
    pub(crate) bytes: Vec<u8>,
    pub(crate) left_out: usize,
    pipe: Option<ChildStderr>,
}

impl Errors {
    fn of(pipe: Option<ChildStderr>) -> Self {
        Self {
            bytes: Vec::new(),
            left_out: 0,
            pipe,
        }
    }

    /// Reads to the end. Dropped before, it goes on where it was when it is called again.
    async fn fill(&mut self) {
        let mut buffer = [0; 4096];
        while let Some(pipe) = &mut self.pipe {
            match pipe.read(&mut buffer).await {
                Ok(0) | Err(_) => self.pipe = None,
                Ok(read) => {
                    let room = MOST - self.bytes.len();
                    self.bytes
                        .extend(buffer.iter().take(read.min(room)).copied());
                    self.left_out += read.saturating_sub(room);
                }
            }
        }
    }

    /// As text, which is not cut within a character.
    pub(crate) fn text(&self) -> Result<&str, Utf8Error> {
        match std::str::from_utf8(&self.bytes) {
            // The rest of the last character was cut off.
            Err(error) if error.error_len().is_none() && self.left_out > 0 => {
                let whole = self.bytes.get(..error.valid_up_to());
                std::str::from_utf8(whole.unwrap_or_default())
            }
            text => text,
        }
    }
}
