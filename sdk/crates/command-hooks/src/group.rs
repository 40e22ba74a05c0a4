//! The processes of a program, as a group that is killed and reaped.

use std::io;
use std::process::ExitStatus;

use process_wrap::tokio::{ChildWrapper, CommandWrap, ProcessSession};
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use tokio::process::{ChildStderr, ChildStdin, Command};
use tokio::signal::unix::{self, SignalKind};

/// A program and what it has started. Dropped before it is [reaped](Group::reap), it is killed.
///
/// The group's number is free for the system to give away once its leader is reaped, so the group is
/// killed before.
pub(crate) struct Group {
    leader: Box<dyn ChildWrapper>,
    id: Pid,
    /// Tells that some child changed.
    children: unix::Signal,
    reaped: bool,
}

impl Group {
    /// Starts a program as the leader of a session, which is a group too and has no terminal.
    pub(crate) fn start(command: Command) -> io::Result<Self> {
        // Before the start, so that no change is missed.
        let children = unix::signal(SignalKind::child())?;
        let mut command = CommandWrap::from(command);
        let leader = command.wrap(ProcessSession).spawn()?;
        let id = leader.id().and_then(|id| i32::try_from(id).ok());
        let id = id.and_then(Pid::from_raw);
        let id = id.ok_or_else(|| io::Error::other("the system gave a process no number"))?;
        Ok(Self {
            leader,
            id,
            children,
            reaped: false,
        })
    }

    pub(crate) fn pipes(&mut self) -> (Option<ChildStdin>, Option<ChildStderr>) {
        (self.leader.stdin().take(), self.leader.stderr().take())
    }

    /// Waits for the program's end, and leaves it to be reaped.
    pub(crate) async fn exited(&mut self) {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        // An error means that there is nothing to wait for.
        while let Ok(None) = waitid(WaitId::Pid(self.id), options) {
            if self.children.recv().await.is_none() {
                break;
            }
        }
    }

    /// Kills what is left of the group, and takes how the program ended.
    pub(crate) fn reap(mut self) -> io::Result<ExitStatus> {
        self.kill();
        let status = self.leader.inner_mut().try_wait()?;
        status.ok_or_else(|| io::Error::other("the program has not ended"))
    }

    fn kill(&mut self) {
        if !self.reaped {
            self.reaped = true;
            // It may consist of another user's processes by now.
            let _ = self.leader.start_kill();
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // tokio reaps the leader.
        self.kill();
    }
}
