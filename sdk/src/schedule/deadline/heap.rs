//! The calls that wait in one queue. A place is taken and left in constant time, since each call that
//! waits does both: most deadlines are of one timeout and rise, and hardly any is reached.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::num::NonZeroU32;
use std::task::Waker;

use super::compact_instant::CompactInstant;

/// The number of deadlines of ended calls that are kept before they are removed.
const STALE: usize = 64;

#[derive(Debug, Default)]
pub(super) struct DeadlineHeap {
    places: Vec<Option<WaitingCall>>,
    free: Vec<u32>,
    /// The earliest first; those of calls that have gone stay for a while.
    deadlines: BinaryHeap<Reverse<(CompactInstant, WaitKey)>>,
}

#[derive(Debug)]
pub(super) struct WaitingCall {
    pub(super) waker: Waker,
    pub(super) wake_group: u32,
    number: NonZeroU32,
}

/// The place of a waiting call. The number belongs to the call, because a place is used again. Numbers repeat after
/// four thousand million calls; a deadline that was left behind for so long would at worst wake one call too early.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct WaitKey {
    number: NonZeroU32,
    place: u32,
}

impl DeadlineHeap {
    pub(super) fn insert(
        &mut self,
        number: NonZeroU32,
        until: CompactInstant,
        waker: Waker,
        wake_group: u32,
    ) -> Option<WaitKey> {
        let waiting = Some(WaitingCall {
            waker,
            wake_group,
            number,
        });
        let place = if let Some(place) = self.free.pop() {
            self.places[place as usize] = waiting;
            place
        } else {
            let place = u32::try_from(self.places.len()).ok()?;
            self.places.push(waiting);
            place
        };
        let key = WaitKey { number, place };
        if until != CompactInstant::NEVER {
            self.deadlines.push(Reverse((until, key)));
        }
        Some(key)
    }

    pub(super) fn get_mut(&mut self, key: WaitKey) -> Option<&mut WaitingCall> {
        let waiting = self.places.get_mut(key.place as usize)?.as_mut()?;
        (waiting.number == key.number).then_some(waiting)
    }

    pub(super) fn remove(&mut self, key: WaitKey) -> Option<WaitingCall> {
        let gone = self.take(key)?;
        if self.deadlines.len() > 2 * self.len() + STALE {
            let places = &self.places;
            let is_there = |key: WaitKey| {
                let waiting = places.get(key.place as usize).and_then(Option::as_ref);
                waiting.is_some_and(|waiting| waiting.number == key.number)
            };
            self.deadlines.retain(|Reverse((_, key))| is_there(*key));
        }
        Some(gone)
    }

    fn take(&mut self, key: WaitKey) -> Option<WaitingCall> {
        self.get_mut(key)?;
        self.free.push(key.place);
        self.places[key.place as usize].take()
    }

    /// Takes out those whose time is up, and gives the earliest end of the others' time.
    pub(super) fn take_due(
        &mut self,
        now: CompactInstant,
        due: &mut Vec<Waker>,
    ) -> Option<CompactInstant> {
        while let Some(Reverse((until, key))) = self.deadlines.peek().copied() {
            if until > now && self.get_mut(key).is_some() {
                return Some(until);
            }
            self.deadlines.pop();
            due.extend(self.take(key).map(|waiting| waiting.waker));
        }
        None
    }

    fn len(&self) -> usize {
        self.places.len() - self.free.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &WaitingCall> {
        self.places.iter().flatten()
    }

    pub(super) fn into_wakers(self) -> impl Iterator<Item = Waker> {
        self.places
            .into_iter()
            .flatten()
            .map(|waiting| waiting.waker)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::Instant;

    use super::*;

    #[test]
    fn what_has_gone_is_neither_woken_nor_kept_for_long() {
        let mut heap = DeadlineHeap::default();
        let begun = Instant::now();
        let at = |n: u64| CompactInstant::of(begun + Duration::from_secs(n), begun);
        let number = |n: u32| NonZeroU32::new(n).unwrap();
        let stays = heap
            .insert(number(1), at(5_000), Waker::noop().clone(), 0)
            .unwrap();
        for n in 2..10_000 {
            let key = heap.insert(number(n), at(n.into()), Waker::noop().clone(), 0);
            let key = key.unwrap();
            assert!(heap.remove(key).is_some() && heap.remove(key).is_none());
        }
        assert_eq!(heap.places.len(), 2);
        assert!(heap.deadlines.len() <= STALE + 3);
        let mut due = Vec::new();
        assert_eq!(heap.take_due(at(4_999), &mut due), Some(at(5_000)));
        assert!(due.is_empty() && heap.get_mut(stays).is_some());
        assert_eq!(heap.take_due(at(5000), &mut due), None);
        assert!(due.len() == 1 && heap.is_empty());
    }
}
