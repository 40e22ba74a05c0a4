//! The calls that wait in one queue. Each call that waits comes and goes, and hardly any deadline is reached: most are of
//! one timeout and rise, so that calls stand one behind the other, and one that goes is found by its number.

use std::collections::{BTreeMap, VecDeque};
use std::task::Waker;

use super::compact_instant::CompactInstant;

/// As many timeouts as calls may have without a search for their place.
const ROWS: usize = 4;

/// The number of places in a row that calls have left, and that are kept beyond one for each call that is there.
const STALE: usize = 64;

#[derive(Debug, Default)]
pub(super) struct WaitingCalls {
    rows: [Row; ROWS],
    /// The calls that fit into no row, each with its number.
    others: BTreeMap<(CompactInstant, u64), WaitingCall>,
    /// The number of the next of them.
    next: u64,
}

#[derive(Debug)]
pub(super) struct WaitingCall {
    pub(super) waker: Waker,
    pub(super) wake_group: u32,
}

/// The key of a waiting call, by which it is found in constant time if it is in a row.
#[derive(Debug, Clone, Copy)]
pub(super) struct WaitKey {
    until: CompactInstant,
    /// The number of the call among those of its row, and in the last byte that of the row.
    place: u64,
}

/// Calls whose deadlines rise.
#[derive(Debug, Default)]
struct Row {
    places: VecDeque<Place>,
    /// The number of the next call.
    next: u64,
    /// The number of calls that are there.
    waiting: usize,
}

/// The place of a call in a row, which is empty once the call has gone.
#[derive(Debug)]
struct Place {
    number: u64,
    until: CompactInstant,
    call: Option<WaitingCall>,
}

impl WaitKey {
    fn new(until: CompactInstant, row: usize, number: u64) -> Self {
        let place = number << u8::BITS | row as u64;
        Self { until, place }
    }

    pub(super) fn until(self) -> CompactInstant {
        self.until
    }

    /// The number of the row; any other means that the call is among those that fit into none.
    fn row(self) -> usize {
        usize::from(self.place.to_le_bytes()[0])
    }

    fn number(self) -> u64 {
        self.place >> u8::BITS
    }
}

impl WaitingCalls {
    pub(super) fn insert(&mut self, until: CompactInstant, call: WaitingCall) -> WaitKey {
        if let Some(at) = self.rows.iter().position(|row| row.takes(until)) {
            return WaitKey::new(until, at, self.rows[at].push(until, call));
        }
        let number = self.next;
        self.next += 1;
        self.others.insert((until, number), call);
        WaitKey::new(until, ROWS, number)
    }

    pub(super) fn get_mut(&mut self, key: WaitKey) -> Option<&mut WaitingCall> {
        match self.rows.get_mut(key.row()) {
            Some(row) => row.get_mut(key.number()),
            None => self.others.get_mut(&(key.until, key.number())),
        }
    }

    pub(super) fn remove(&mut self, key: WaitKey) -> Option<WaitingCall> {
        match self.rows.get_mut(key.row()) {
            Some(row) => row.take(key.number()),
            None => self.others.remove(&(key.until, key.number())),
        }
    }

    /// Takes out those whose time is up, and gives the earliest end of the others' time.
    pub(super) fn take_due(
        &mut self,
        now: CompactInstant,
        due: &mut Vec<Waker>,
    ) -> Option<CompactInstant> {
        let rows = self.rows.iter_mut();
        let next = rows.filter_map(|row| row.take_due(now, due)).min();
        while let Some(first) = self.others.first_entry() {
            let (until, _) = *first.key();
            if until > now {
                return Some(next.map_or(until, |next| next.min(until)));
            }
            due.push(first.remove().waker);
        }
        next
    }

    pub(super) fn is_empty(&self) -> bool {
        self.others.is_empty() && self.rows.iter().all(|row| row.waiting == 0)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &WaitingCall> {
        let places = self.rows.iter().flat_map(|row| &row.places);
        let in_rows = places.filter_map(|place| place.call.as_ref());
        in_rows.chain(self.others.values())
    }

    pub(super) fn into_wakers(self) -> impl Iterator<Item = Waker> {
        let places = self.rows.into_iter().flat_map(|row| row.places);
        let in_rows = places.filter_map(|place| place.call);
        let all = in_rows.chain(self.others.into_values());
        all.map(|call| call.waker)
    }
}

impl Row {
    /// Returns true if a deadline is no earlier than the last one.
    #[inline]
    fn takes(&self, until: CompactInstant) -> bool {
        self.places.back().is_none_or(|last| last.until <= until)
    }

    #[inline]
    fn push(&mut self, until: CompactInstant, call: WaitingCall) -> u64 {
        let number = self.next;
        self.next += 1;
        self.waiting += 1;
        self.places.push_back(Place {
            number,
            until,
            call: Some(call),
        });
        number
    }

    fn place_mut(&mut self, number: u64) -> Option<&mut Place> {
        let behind = number.checked_sub(self.places.front()?.number)?;
        let last = self.places.len() - 1;
        // The place is known, unless one between the first and it was removed.
        let at = usize::try_from(behind).map_or(last, |behind| behind.min(last));
        let at = if self.places[at].number == number {
            at
        } else {
            let found = self
                .places
                .binary_search_by_key(&number, |place| place.number);
            found.ok()?
        };
        self.places.get_mut(at)
    }

    fn get_mut(&mut self, number: u64) -> Option<&mut WaitingCall> {
        self.place_mut(number)?.call.as_mut()
    }

    fn take(&mut self, number: u64) -> Option<WaitingCall> {
        let gone = self.place_mut(number)?.call.take()?;
        self.waiting -= 1;
        self.leave();
        if self.places.len() > 2 * self.waiting + STALE {
            self.places.retain(|place| place.call.is_some());
        }
        Some(gone)
    }

    /// Removes the empty places before the first call.
    fn leave(&mut self) {
        while self
            .places
            .front()
            .is_some_and(|place| place.call.is_none())
        {
            self.places.pop_front();
        }
    }

    fn take_due(&mut self, now: CompactInstant, due: &mut Vec<Waker>) -> Option<CompactInstant> {
        loop {
            self.leave();
            let first = self.places.front_mut()?;
            if first.until > now {
                return Some(first.until);
            }
            self.waiting -= 1;
            due.extend(first.call.take().map(|call| call.waker));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::Instant;

    use super::*;

    fn call() -> WaitingCall {
        WaitingCall {
            waker: Waker::noop().clone(),
            wake_group: 0,
        }
    }

    fn moments() -> impl Fn(u64) -> CompactInstant {
        let begun = Instant::now();
        move |n| CompactInstant::of(begun + Duration::from_secs(n), begun)
    }

    #[test]
    fn a_call_that_has_gone_is_neither_woken_nor_kept_for_long() {
        let (mut calls, at) = (WaitingCalls::default(), moments());
        let stays = calls.insert(at(1), call());
        for n in 2..10_000 {
            let key = calls.insert(at(n), call());
            assert!(calls.get_mut(key).is_some());
            assert!(calls.remove(key).is_some() && calls.remove(key).is_none());
        }
        assert!(calls.rows[0].places.len() <= STALE + 3);
        assert!(calls.rows[1..].iter().all(|row| row.places.is_empty()));
        let mut due = Vec::new();
        assert_eq!(calls.take_due(at(0), &mut due), Some(at(1)));
        assert!(due.is_empty() && calls.get_mut(stays).is_some());
        assert_eq!(calls.take_due(at(1), &mut due), None);
        assert!(due.len() == 1 && calls.is_empty());
    }

    #[test]
    fn calls_behind_places_that_were_removed_are_found() {
        let (mut calls, at) = (WaitingCalls::default(), moments());
        let keys: Vec<_> = (0..1_000).map(|n| calls.insert(at(n), call())).collect();
        let stays = |n: usize| n.is_multiple_of(97);
        for (_, key) in keys.iter().enumerate().filter(|(n, _)| !stays(*n)) {
            assert!(calls.remove(*key).is_some());
        }
        assert!(calls.rows[0].places.len() < 100, "most places were removed");
        let later = calls.insert(at(1_000), call());
        for (n, key) in keys.iter().enumerate() {
            assert_eq!(calls.get_mut(*key).is_some(), stays(n));
        }
        assert!(calls.remove(later).is_some());
        assert_eq!(calls.iter().count(), 11);
    }

    #[test]
    fn each_timeout_has_a_row_and_any_deadline_a_place() {
        let (mut calls, at) = (WaitingCalls::default(), moments());
        for n in 0..100 {
            for timeout in [60, 30, 300, 10] {
                calls.insert(at(n + timeout), call());
            }
        }
        assert!(calls.others.is_empty());
        let falls: Vec<_> = (1..10).rev().map(|n| calls.insert(at(n), call())).collect();
        assert_eq!(calls.others.len(), 9);
        assert!(calls.remove(falls[8]).is_some());
        assert!(calls.get_mut(falls[8]).is_none() && calls.get_mut(falls[7]).is_some());
        let mut due = Vec::new();
        for (now, waiting) in [(2, 407), (9, 400), (10, 399), (31, 376), (1_000, 0)] {
            let next = calls.take_due(at(now), &mut due);
            assert_eq!(
                (calls.iter().count(), next.is_none()),
                (waiting, waiting == 0)
            );
            assert!(next.is_none_or(|next| next > at(now)));
            assert_eq!(due.len(), 408 - waiting);
        }
        assert!(calls.is_empty());
    }

    /// Numbers that look random and are the same each time.
    fn numbers(mut state: u64) -> impl FnMut(usize) -> usize {
        move |below| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33).unwrap() % below
        }
    }

    #[test]
    fn any_order_of_calls_that_come_and_go_ends_as_in_a_plain_list() {
        for seed in 0..50 {
            let (mut calls, at, mut pick) = (WaitingCalls::default(), moments(), numbers(seed));
            let mut list: Vec<(u64, WaitKey)> = Vec::new();
            let (mut gone, mut woken) = (Vec::new(), 0);
            for now in 0..2_000 {
                match pick(8) {
                    0..4 => {
                        let until = now + [10, 600, 60, 1_000, pick(500) as u64, 30][pick(6)];
                        list.push((until, calls.insert(at(until), call())));
                    }
                    4..7 if !list.is_empty() => {
                        let (_, key) = list.swap_remove(pick(list.len()));
                        assert!(calls.remove(key).is_some());
                        gone.push(key);
                    }
                    _ => {
                        let mut due = Vec::new();
                        let next = calls.take_due(at(now), &mut due);
                        gone.extend(
                            list.iter()
                                .filter(|(until, _)| *until <= now)
                                .map(|(_, key)| *key),
                        );
                        let left = list.len();
                        list.retain(|(until, _)| *until > now);
                        assert_eq!(due.len(), left - list.len());
                        assert_eq!(next, list.iter().map(|(until, _)| at(*until)).min());
                        woken += due.len();
                    }
                }
                assert_eq!(
                    (calls.iter().count(), calls.is_empty()),
                    (list.len(), list.is_empty())
                );
            }
            assert!(woken > 0 && list.iter().all(|(_, key)| calls.get_mut(*key).is_some()));
            assert!(gone.iter().all(|key| calls.get_mut(*key).is_none()));
            assert!(gone.iter().all(|key| calls.remove(*key).is_none()));
            assert_eq!(calls.into_wakers().count(), list.len());
        }
    }
}
