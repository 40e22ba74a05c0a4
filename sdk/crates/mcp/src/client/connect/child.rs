//! A child process as a transport.

use std::fmt;
use std::io;
use std::pin::Pin;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use process_wrap::tokio::{ChildWrapper, CommandWrap};
use rmcp::RoleClient;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use tokio::io::{AsyncRead, ReadBuf};
use tokio::process::{ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

/// The reason why the last process was given up.
pub(super) type Fault = Arc<Mutex<Option<String>>>;

/// The time that a process has to end after its input was closed, and again after it was asked to.
const PATIENCE: Duration = Duration::from_secs(3);

/// A server that runs as a child process; see [`Command`](super::Command).
pub struct ChildProcess {
    process: Option<Box<dyn ChildWrapper>>,
    transport: AsyncRwTransport<RoleClient, BoundedLines<ChildStdout>, ChildStdin>,
}

impl ChildProcess {
    pub(super) fn start(command: Command, shows_log: bool, bound: Bound) -> io::Result<Self> {
        let mut command = CommandWrap::from(command);
        // A server may be the child of a script, such as `npx`: all of them end together.
        #[cfg(unix)]
        command.wrap(process_wrap::tokio::ProcessGroup::leader());
        command
            .command_mut()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(if shows_log {
                Stdio::inherit()
            } else {
                Stdio::null()
            })
            .kill_on_drop(true);
        let mut process = command.spawn()?;
        let taken = |name| io::Error::other(format!("its {name} is not there"));
        let input = process.stdin().take().ok_or_else(|| taken("input"))?;
        let output = process.stdout().take().ok_or_else(|| taken("output"))?;
        let output = BoundedLines {
            inner: output,
            bound,
            length: 0,
        };
        Ok(Self {
            process: Some(process),
            // The bound stands below, so that a line that is too long ends the connection in place of being left out.
            transport: AsyncRwTransport::new(output, input).with_max_line_length(usize::MAX),
        })
    }

    /// Ends the process: its input is closed; then it is asked to end; then it is killed, with what it has started.
    async fn end(&mut self) -> io::Result<()> {
        let closed = self.transport.close().await;
        let Some(process) = self.process.as_mut() else {
            return closed;
        };
        let mut ended = timeout(PATIENCE, process.wait()).await.is_ok();
        #[cfg(unix)]
        if !ended && process.signal(SIGTERM).is_ok() {
            ended = timeout(PATIENCE, process.wait()).await.is_ok();
        }
        // At once, before another process may have the id: what the process has started goes on in its group.
        let killed = process.start_kill();
        if !ended {
            killed?;
            process.wait().await?;
        }
        self.process = None;
        closed
    }
}

impl fmt::Debug for ChildProcess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = self.process.as_ref().and_then(|process| process.id());
        f.debug_struct("ChildProcess")
            .field("id", &id)
            .finish_non_exhaustive()
    }
}

/// The signal that asks a process to end, as POSIX numbers it.
#[cfg(unix)]
const SIGTERM: i32 = 15;

/// Kills the processes that are left.
impl Drop for ChildProcess {
    fn drop(&mut self) {
        if let Some(mut process) = self.process.take() {
            // The process itself is reaped by Tokio.
            let _ = process.start_kill();
        }
    }
}

impl Transport<RoleClient> for ChildProcess {
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        self.transport.send(item)
    }

    fn receive(&mut self) -> impl Future<Output = Option<RxJsonRpcMessage<RoleClient>>> + Send {
        self.transport.receive()
    }

    fn close(&mut self) -> impl Future<Output = io::Result<()>> + Send {
        self.end()
    }
}

/// The longest line, and the place for the reason if there is a longer one.
pub(super) struct Bound {
    pub(super) longest: usize,
    pub(super) fault: Fault,
}

/// A reader that fails at a line which is too long, so that no server fills the memory.
struct BoundedLines<R> {
    inner: R,
    bound: Bound,
    /// The bytes of the line so far.
    length: usize,
}

impl<R: AsyncRead + Unpin> AsyncRead for BoundedLines<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        std::task::ready!(Pin::new(&mut self.inner).poll_read(cx, buffer))?;
        let read = buffer.filled().get(before..).unwrap_or_default();
        let mut lines = read.split(|byte| *byte == b'\n').map(<[u8]>::len);
        let mut length = self.length.saturating_add(lines.next().unwrap_or_default());
        let mut longest = length;
        for line in lines {
            length = line;
            longest = longest.max(length);
        }
        self.length = length;
        let Bound {
            longest: limit,
            fault,
        } = &self.bound;
        if longest > *limit {
            let why = format!("it sent a message of more than {limit} bytes");
            *fault.lock().unwrap_or_else(PoisonError::into_inner) = Some(why.clone());
            // A read that fails has read nothing.
            buffer.set_filled(before);
            return Poll::Ready(Err(io::Error::new(io::ErrorKind::InvalidData, why)));
        }
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;

    use super::*;

    #[tokio::test]
    async fn a_line_may_be_as_long_as_its_limit_and_no_longer() {
        for (text, fits) in [
            ("12345\n12345\n1", true),
            ("12345", true),
            ("123456", false),
            ("1\n123456\n", false),
            ("\n\n\n\n\n\n\n", true),
        ] {
            for step in 1..=text.len() {
                let (near, far) = tokio::io::duplex(step);
                let bound = Bound {
                    longest: 5,
                    fault: Fault::default(),
                };
                let mut lines = BoundedLines {
                    inner: near,
                    bound,
                    length: 0,
                };
                let mut far = far;
                let writing = async {
                    let _ = tokio::io::AsyncWriteExt::write_all(&mut far, text.as_bytes()).await;
                    drop(far);
                };
                let mut read = String::new();
                let reading = async {
                    let done = lines.read_to_string(&mut read).await;
                    drop(lines);
                    done
                };
                let ((), done) = tokio::join!(writing, reading);
                assert_eq!(done.is_ok(), fits, "{text:?} by {step}");
            }
        }
    }
}
