//! A line from its start to its end: reads what it prints, and ends it when it is time.

use std::convert::Infallible;
use std::io;
use std::pin::pin;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::unix::pipe;
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep};

use super::group::Group;
use super::kept::Kept;
use super::{Ended, How, OutputSink};

/// The time that a line has to end after it was asked to.
const GRACE: Duration = Duration::from_secs(3);

/// The time that other processes have to print once the shell has ended, such as `tee` in `line > >(tee log)`. A
/// process that is left after that is in the background.
const DRAIN: Duration = Duration::from_secs(1);

/// The bytes of a single read: the size of a pipe.
const CHUNK: usize = 64 * 1024;

pub(super) struct Supervision {
    group: Group,
    output: pipe::Receiver,
    input: Option<pipe::Sender>,
}

/// The reason why the clock is running.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Until the timeout.
    Running,
    /// The shell has ended, and something else holds its output.
    Draining,
    /// All were asked to end.
    Ending,
    /// All were killed.
    Killed,
}

impl Supervision {
    pub(super) fn new(group: Group, output: pipe::Receiver, input: Option<pipe::Sender>) -> Self {
        Self {
            group,
            output,
            input,
        }
    }

    /// Until nothing of the group is left. It is ended early when `dropped` is.
    pub(super) async fn run(
        self,
        text: String,
        timeout: Duration,
        sink: Option<&dyn OutputSink>,
        mut dropped: oneshot::Receiver<Infallible>,
    ) -> io::Result<Ended> {
        let Self {
            mut group,
            mut output,
            input,
        } = self;
        let mut kept = Kept::default();
        let mut take = |bytes: &[u8]| {
            kept.push(bytes);
            if let Some(sink) = sink {
                sink.output(bytes);
            }
        };
        let mut buffer = vec![0; CHUNK];
        let mut feeding = pin!(feed(input, text));
        let mut clock = pin!(sleep(timeout));
        let (mut fed, mut open, mut exited, mut cancelled, mut timed_out) =
            (false, true, false, false, false);
        let mut phase = Phase::Running;
        while !exited || (open && phase != Phase::Killed) {
            tokio::select! {
                read = output.read(&mut buffer), if open => match read {
                    Ok(0) | Err(_) => open = false,
                    Ok(bytes) => take(buffer.get(..bytes).unwrap_or_default()),
                },
                () = group.exited(), if !exited => {
                    exited = true;
                    if phase == Phase::Running {
                        phase = Phase::Draining;
                        clock.as_mut().reset(Instant::now() + DRAIN);
                    }
                }
                () = &mut feeding, if !fed => fed = true,
                _ = &mut dropped, if !cancelled => {
                    cancelled = true;
                    if phase != Phase::Ending && phase != Phase::Killed {
                        group.terminate();
                        phase = Phase::Ending;
                        clock.as_mut().reset(Instant::now() + GRACE);
                    }
                }
                () = &mut clock => {
                    clock.as_mut().reset(Instant::now() + GRACE);
                    match phase {
                        Phase::Running => {
                            timed_out = true;
                            group.terminate();
                            phase = Phase::Ending;
                        }
                        Phase::Draining | Phase::Ending => {
                            group.kill();
                            phase = Phase::Killed;
                        }
                        // The leader belongs to another user by now.
                        Phase::Killed => break,
                    }
                }
            }
        }
        // The text that was printed before the end is in the pipe, and a process that left the group may go on to
        // print for ever.
        if let Ok(bytes) = output.try_read(&mut buffer) {
            take(buffer.get(..bytes).unwrap_or_default());
        }
        let status = group.reap()?;
        let how = match status {
            Some(status) if !timed_out => How::Exited(status),
            _ => How::TimedOut,
        };
        Ok(Ended {
            how,
            output: kept.into_text(),
        })
    }
}

/// Writes a text and closes the pipe. A line need not read it.
async fn feed(input: Option<pipe::Sender>, text: String) {
    if let Some(mut input) = input {
        let _ = input.write_all(text.as_bytes()).await;
    }
}
