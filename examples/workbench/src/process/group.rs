//! The processes of one line, as a group that is signalled and reaped.

use std::io;
use std::process::ExitStatus;

use process_wrap::std::{ChildWrapper, CommandWrap};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use tokio::signal::unix::{self, SignalKind};
use tokio::sync::watch;

/// The groups that run now.
///
/// A group's number is free for the system to give away once its leader is reaped. So it is
/// signalled only while it is listed here, and it is reaped as it is taken off the list. It is
/// started as it is put on the list, so that there is no moment at which it runs and is not listed.
#[derive(Debug, Clone, Default)]
pub(super) struct Groups(watch::Sender<Listed>);

#[derive(Debug, Default)]
struct Listed {
    running: Vec<Pid>,
    /// No more are started.
    closed: bool,
}

impl Groups {
    pub(super) async fn none(&self) {
        let is_empty = |listed: &Listed| listed.running.is_empty();
        // The other end cannot be gone: it is `self`.
        let _ = self.0.subscribe().wait_for(is_empty).await;
    }

    /// Kills those that run, and lets no other one start.
    pub(super) fn kill(&self) {
        self.0.send_modify(|listed| {
            listed.closed = true;
            for &group in &listed.running {
                // It may consist of another user's processes by now.
                let _ = kill_process_group(group, Signal::KILL);
            }
        });
    }

    /// Starts a leader and lists its group.
    fn start(&self, mut command: CommandWrap) -> io::Result<(Box<dyn ChildWrapper>, Pid)> {
        let mut started = Err(io::Error::other("workbench is ending"));
        self.0.send_modify(|listed| {
            if listed.closed {
                return;
            }
            started = command.spawn().and_then(|leader| {
                let id = i32::try_from(leader.id()).ok().and_then(Pid::from_raw);
                let id =
                    id.ok_or_else(|| io::Error::other("the system gave a process no number"))?;
                listed.running.push(id);
                Ok((leader, id))
            });
        });
        started
    }
}

/// A running group. Dropped before it is [reaped](Group::reap), it is killed.
pub(super) struct Group {
    leader: Box<dyn ChildWrapper>,
    id: Pid,
    groups: Groups,
    /// Tells that some child changed.
    children: unix::Signal,
    reaped: bool,
}

impl Group {
    /// Starts a command that becomes the leader of a group.
    pub(super) fn start(command: CommandWrap, groups: &Groups) -> io::Result<Self> {
        // Before the start, so that no change is missed.
        let children = unix::signal(SignalKind::child())?;
        let (leader, id) = groups.start(command)?;
        Ok(Self {
            leader,
            id,
            groups: groups.clone(),
            children,
            reaped: false,
        })
    }

    /// Waits for the leader's end, and leaves it to be reaped.
    pub(super) async fn exited(&mut self) {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        // An error means that there is nothing to wait for.
        while let Ok(None) = waitid(WaitId::Pid(self.id), options) {
            if self.children.recv().await.is_none() {
                break;
            }
        }
    }

    /// Asks all to end.
    pub(super) fn terminate(&self) {
        self.signal(Signal::TERM);
        // A stopped process reacts to no other signal.
        self.signal(Signal::CONT);
    }

    pub(super) fn kill(&self) {
        self.signal(Signal::KILL);
    }

    fn signal(&self, signal: Signal) {
        if !self.reaped {
            // It may consist of another user's processes by now.
            let _ = kill_process_group(self.id, signal);
        }
    }

    /// Kills what is left of the group, and takes the leader's exit status; nothing where the
    /// leader has not ended yet.
    pub(super) fn reap(mut self) -> io::Result<Option<ExitStatus>> {
        self.end()
    }

    fn end(&mut self) -> io::Result<Option<ExitStatus>> {
        if self.reaped {
            return Ok(None);
        }
        self.kill();
        self.reaped = true;
        let mut status = Ok(None);
        self.groups.0.send_modify(|listed| {
            listed.running.retain(|&group| group != self.id);
            status = self.leader.inner_mut().try_wait();
        });
        status
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // Nobody is left to be told.
        let _ = self.end();
    }
}
