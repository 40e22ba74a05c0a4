//! The members of a batch that may run and are yet to begin.

use std::collections::VecDeque;
use std::ops::Range;

use crate::executor::batch::member::{DirectMember, ReadyMember};
use crate::executor::core::tasks::ListedTask;
use crate::executor::guard::catch_tool_panic;

/// Members that may run, in the order of the calls.
#[derive(Default)]
pub(crate) struct MemberQueue {
    members: VecDeque<(ListedTask, ReadyMember)>,
    texts: ArgumentTexts,
}

/// Arguments that calls were lent, one behind the other: a copy of its own for each would be an allocation.
#[derive(Default)]
pub(crate) struct ArgumentTexts(String);

/// The place of a text among [`ArgumentTexts`].
pub(crate) type TextRange = Range<u32>;

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

impl ArgumentTexts {
    /// The most bytes of a text that is worth it: to copy a longer one takes longer than its allocation, and that is
    /// given back as soon as the call has begun.
    const LONGEST: usize = 512;

    /// Adds a text, of about as many as are left. `None` if it is to be copied by itself.
    #[inline]
    fn add(&mut self, text: &str, left: usize) -> Option<TextRange> {
        if text.len() > Self::LONGEST {
            return None;
        }
        let end = u32::try_from(self.0.len() + text.len()).ok()?;
        let begin = u32::try_from(self.0.len()).ok()?;
        if self.0.capacity() == 0 {
            // Calls of a batch are mostly alike.
            self.0.reserve(text.len().saturating_mul(left));
        }
        self.0.push_str(text);
        Some(begin..end)
    }

    #[inline]
    pub(crate) fn at(&self, range: &TextRange) -> &str {
        let range = range.start as usize..range.end as usize;
        self.0.get(range).unwrap_or_default()
    }
}

/// Makes room in a queue that has none: members are large to move, and those of a batch are mostly of one kind.
#[inline]
pub(super) fn reserve<T>(queue: &mut VecDeque<T>, most: usize) {
    if queue.capacity() == 0 {
        queue.reserve(most);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_stand_one_behind_the_other_and_a_long_one_is_copied_by_itself() {
        let mut texts = ArgumentTexts::default();
        let short = [r#"{"a": "ü"}"#, "", "{}"];
        let ranges = short.map(|text| texts.add(text, 3).unwrap());
        assert_eq!(texts.add(&"a".repeat(513), 1), None);
        let longest = "é".repeat(256);
        let last = texts.add(&longest, 1).unwrap();
        assert_eq!(ranges.each_ref().map(|range| texts.at(range)), short);
        assert_eq!(texts.at(&last), longest);
    }
}
