//! The members of a batch that may run and are yet to begin.

use std::collections::VecDeque;

use crate::executor::batch::member::{DirectMember, ReadyMember};
use crate::executor::batch::texts::ArgumentTexts;
use crate::executor::core::tasks::ListedTask;
use crate::executor::guard::catch_tool_panic;

/// Members that may run, in the order of the calls.
#[derive(Default)]
pub(crate) struct MemberQueue {
    members: VecDeque<(ListedTask, ReadyMember)>,
    texts: ArgumentTexts,
}

impl MemberQueue {
    #[inline]
    pub(crate) fn push(&mut self, listed: ListedTask, ready: ReadyMember) {
        self.members.push_back((listed, ready));
    }

    /// Adds a member that borrows its call. `left` is the number of all that may come, this one included.
    #[inline]
    pub(crate) fn push_lent(
        &mut self,
        listed: ListedTask,
        mut member: DirectMember<'_>,
        left: usize,
    ) {
        reserve(&mut self.members, left);
        let text = member.arguments().lent_text();
        let text = text.and_then(|text| self.texts.add(text, left));
        if text.is_some() {
            member.take_arguments();
        }
        let ready = ReadyMember::Direct(member.into_owned(), text);
        self.members.push_back((listed, ready));
    }

    pub(crate) fn len(&self) -> usize {
        self.members.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Takes the texts that members of the queue need to begin.
    pub(crate) fn take_texts(&mut self) -> ArgumentTexts {
        std::mem::take(&mut self.texts)
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<(ListedTask, ReadyMember)> {
        self.members.pop_front()
    }

    /// The calls of the members.
    pub(crate) fn listed(&self) -> impl Iterator<Item = &ListedTask> {
        self.members.iter().map(|(listed, _)| listed)
    }
}

impl Drop for MemberQueue {
    fn drop(&mut self) {
        // A host that drops the batch must not be unwound by what a tool holds.
        for (listed, ready) in self.members.drain(..) {
            let _ = catch_tool_panic("the tool", || drop(ready));
            drop(listed);
        }
    }
}

/// Makes room in a queue that has none: members are large to move, and those of a batch are mostly of one kind.
#[inline]
pub(super) fn reserve<T>(queue: &mut VecDeque<T>, most: usize) {
    if queue.capacity() == 0 {
        queue.reserve(most);
    }
}
