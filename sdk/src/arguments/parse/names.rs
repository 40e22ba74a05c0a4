//! The argument that a name belongs to.

use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, Visitor};

use crate::arguments::entry::{Entry, has_alias};

/// The most arguments there can be.
const MOST: usize = 16;

/// The order of arguments by name: trees are sorted so, and text that was written from trees.
pub(crate) struct NameOrder {
    /// The index of the first argument by name, then for each argument the index of the one that follows it by name.
    after: [u8; MOST + 1],
}

impl NameOrder {
    #[expect(clippy::cast_possible_truncation, reason = "indexes below 16")]
    pub(crate) const fn of(entries: &[Entry]) -> Self {
        let mut after = [0; MOST + 1];
        after[0] = least_above(entries, None) as u8;
        let mut at = 0;
        while at < entries.len() && at < MOST {
            after[at + 1] = least_above(entries, Some(at)) as u8;
            at += 1;
        }
        Self { after }
    }
}

/// The index of the least name, or of the least that is greater than that of another; past the end
/// where there is none.
const fn least_above(entries: &[Entry], other: Option<usize>) -> usize {
    let mut least = entries.len();
    let mut at = 0;
    while at < entries.len() {
        let above = match other {
            Some(other) => less(entries[other].0, entries[at].0),
            None => true,
        };
        if above && (least == entries.len() || less(entries[at].0, entries[least].0)) {
            least = at;
        }
        at += 1;
    }
    least
}

const fn less(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at < b.len() && (at == a.len() || a[at] < b[at])
}

/// Finds the arguments that keys name. Arguments come in the order in which they are declared, as
/// models write them, or in that of their names, so those are looked at first that follow the last
/// one found.
pub(super) struct ArgumentNames {
    entries: &'static [Entry],
    order: &'static NameOrder,
    /// The index after that of the last one found.
    next: usize,
}

impl ArgumentNames {
    #[inline]
    pub(super) fn of(entries: &'static [Entry], order: &'static NameOrder) -> Self {
        Self {
            entries,
            order,
            next: 0,
        }
    }

    /// The argument that the next key names, as they come in a text.
    #[inline]
    pub(super) fn find(&mut self, key: &str) -> Option<usize> {
        self.find_at(self.next, key)
    }

    /// The same, as they come in a tree.
    #[inline]
    pub(super) fn find_sorted(&mut self, key: &str) -> Option<usize> {
        self.find_at(self.next_by_name(), key)
    }

    #[inline]
    fn next_by_name(&self) -> usize {
        let next = self.order.after.get(self.next);
        next.map_or(0, |next| (*next).into())
    }

    /// Only the likelier place is looked at in place.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "it is most of what a short call does")]
    fn find_at(&mut self, likely: usize, key: &str) -> Option<usize> {
        let entry = self.entries.get(likely);
        if entry.is_some_and(|entry| same_in_place(entry.0.as_bytes(), key.as_bytes())) {
            self.next = likely + 1;
            return Some(likely);
        }
        self.search(key)
    }

    #[inline(never)]
    fn search(&mut self, key: &str) -> Option<usize> {
        let likely = [self.next, self.next_by_name()];
        let is_at = |index: &usize| {
            let entry = self.entries.get(*index);
            entry.is_some_and(|entry| same(entry.0, key))
        };
        let index = likely.into_iter().find(is_at);
        let index = index.or_else(|| find(self.entries, key))?;
        self.next = index + 1;
        Some(index)
    }
}

impl<'de> DeserializeSeed<'de> for &mut ArgumentNames {
    type Value = usize;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for &mut ArgumentNames {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of an argument")
    }

    // Once for text that is borrowed and once for what is not, so not in place.
    #[inline(never)]
    fn visit_str<E: de::Error>(self, key: &str) -> Result<usize, E> {
        self.find(key).ok_or_else(unknown)
    }
}

#[cold]
fn unknown<E: de::Error>() -> E {
    E::custom("unknown argument")
}

/// The argument that a key names, by its name or an alias.
#[inline(never)]
pub(super) fn find(entries: &[Entry], key: &str) -> Option<usize> {
    let named = |entry: &Entry| same(entry.0, key);
    let aliased = |entry: &Entry| has_alias(entry, key);
    let at = entries.iter().position(named);
    at.or_else(|| entries.iter().position(aliased))
}

/// Returns true if two names are the same.
#[inline]
fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    same_in_place(a, b) || (a.len() > IN_PLACE && a == b)
}

/// The longest name that is compared in place.
const IN_PLACE: usize = 32;

/// The same; false for all names that are longer. Most are short, and a comparison of slices is a call to the C library each
/// time: this looks at the two ends, which overlap in the middle.
#[inline]
fn same_in_place(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len()
        && match a.len() {
            0 => true,
            1..=3 => a[0] == b[0] && a[a.len() / 2] == b[b.len() / 2] && a.last() == b.last(),
            4..=7 => ends::<4>(a, b),
            8..=16 => ends::<8>(a, b),
            17..=IN_PLACE => ends::<16>(a, b),
            _ => false,
        }
}

#[inline]
fn ends<const N: usize>(a: &[u8], b: &[u8]) -> bool {
    a.first_chunk::<N>() == b.first_chunk::<N>() && a.last_chunk::<N>() == b.last_chunk::<N>()
}

#[cfg(test)]
mod tests {
    use super::{NameOrder, same};

    #[test]
    fn one_name_follows_the_other() {
        const ENTRIES: &[crate::arguments::entry::Entry] = &[
            ("b", "", &[]),
            ("a", "", &[]),
            ("ba", "", &[]),
            ("", "", &[]),
        ];
        const ORDER: NameOrder = NameOrder::of(ENTRIES);
        assert_eq!(ORDER.after[..5], [3, 2, 0, 4, 1]);
        assert_eq!(NameOrder::of(&[]).after[0], 0);
    }

    #[test]
    fn names_are_the_same_when_every_byte_is() {
        let name = "a_name_of_more_than_32_characters_in_all";
        for length in 0..=name.len() {
            let name = &name[..length];
            assert!(same(name, &String::from_iter([name])));
            assert!(!same(name, &format!("{name}x")));
            for at in 0..length {
                let mut other = name.to_owned();
                other.replace_range(at..=at, "X");
                assert!(!same(name, &other), "{other}");
            }
        }
    }
}
