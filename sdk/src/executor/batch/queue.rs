//! The members of a batch that have yet to begin, and the tasks of those that begin them.

use std::collections::VecDeque;
use std::mem;
use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::task::JoinHandle;

use crate::executor::batch::ended::{EndedMember, EndedMembers};
use crate::executor::batch::member::ReadyMember;
use crate::executor::core::tasks::ListedTask;
use crate::executor::guard::catch_tool_panic;
use crate::util::lock::Lock;

/// Members that may run, in the order of the calls.
#[derive(Default)]
pub(crate) struct MemberQueue(VecDeque<(ListedTask, ReadyMember)>);

impl MemberQueue {
    pub(crate) fn push(&mut self, listed: ListedTask, ready: ReadyMember) {
        self.0.push_back((listed, ready));
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn pop(&mut self) -> Option<(ListedTask, ReadyMember)> {
        self.0.pop_front()
    }
}

impl Drop for MemberQueue {
    fn drop(&mut self) {
        // A host that drops the batch must not be unwound by what a tool holds.
        for (listed, ready) in self.0.drain(..) {
            let _ = catch_tool_panic("the tool", || drop(ready));
            drop(listed);
        }
    }
}

/// The members that the groups of a batch have yet to begin. Whichever group is free takes the next one, so that a
/// body that holds its thread holds up none that has not begun.
pub(crate) struct SharedQueue {
    left: Lock<LeftToBegin>,
    pub(crate) ended: Arc<EndedMembers>,
    /// The runtime of groups that begin in tasks.
    runtime: Option<Handle>,
}

#[derive(Default)]
struct LeftToBegin {
    members: MemberQueue,
    /// The number of groups that may begin yet.
    groups: usize,
    /// The tasks of groups that have begun.
    tasks: Vec<JoinHandle<()>>,
    is_stopped: bool,
}

impl SharedQueue {
    /// The members, and the number of groups that may begin in tasks of a runtime.
    pub(crate) fn new(
        members: MemberQueue,
        groups: Option<(Handle, usize)>,
        ended: Arc<EndedMembers>,
    ) -> Arc<Self> {
        let (runtime, groups) = groups.unzip();
        let left = LeftToBegin {
            members,
            groups: groups.unwrap_or_default(),
            ..LeftToBegin::default()
        };
        Arc::new(Self {
            left: Lock::new(left),
            ended,
            runtime,
        })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.left.lock().members.is_empty()
    }

    /// Returns the runtime for the task of another group; `None` if there is to be none, or nothing is left to begin.
    pub(crate) fn next_group(&self) -> Option<&Handle> {
        let runtime = self.runtime.as_ref()?;
        let mut left = self.left.lock();
        if left.groups == 0 || left.members.is_empty() {
            return None;
        }
        left.groups -= 1;
        Some(runtime)
    }

    /// Keeps the task of a group, to be stopped with the queue.
    pub(crate) fn keep(&self, task: JoinHandle<()>) {
        let mut left = self.left.lock();
        if !left.is_stopped {
            left.tasks.push(task);
            return;
        }
        drop(left);
        task.abort();
    }

    /// Returns true if another group may begin yet.
    pub(crate) fn may_have_groups(&self) -> bool {
        self.left.lock().groups > 0
    }

    /// Takes the next member to begin.
    pub(crate) fn pop(&self) -> Option<(ListedTask, ReadyMember)> {
        self.left.lock().members.pop()
    }

    /// The members that are left will not run.
    pub(crate) fn close(&self) {
        let left = mem::take(&mut self.left.lock().members);
        let lost: Vec<EndedMember> = left.0.iter().map(|(task, _)| (task.at(), None)).collect();
        drop(left);
        self.ended.report(lost.into_iter());
    }

    /// Closes the queue, and stops all groups.
    pub(crate) fn stop(&self) {
        self.close();
        let mut left = self.left.lock();
        left.is_stopped = true;
        let tasks = mem::take(&mut left.tasks);
        drop(left);
        for task in tasks {
            task.abort();
        }
    }
}
