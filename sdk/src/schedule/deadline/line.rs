//! The calls that wait in one lane. A place is taken and left in constant time, since each call that
//! waits does both: most deadlines are of one timeout and rise, and hardly any is reached.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::num::NonZeroU32;
use std::task::Waker;

use super::moment::Moment;

/// The number of deadlines of ended calls that are kept before they are removed.
const STALE: usize = 64;

#[derive(Debug, Default)]
pub(super) struct Line {
    places: Vec<Option<Waiting>>,
    free: Vec<u32>,
    /// The earliest first; those of calls that have gone stay for a while.
    deadlines: BinaryHeap<Reverse<(Moment, Seat)>>,
}

#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) waker: Waker,
    pub(super) family: u32,
    number: NonZeroU32,
}

/// The place of a waiting call. The number belongs to the call, because a place is used again. Numbers repeat after
/// four thousand million calls; a deadline that was left behind for so long would at worst wake one call too early.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Seat {
    number: NonZeroU32,
    place: u32,
}

impl Line {
    pub(super) fn insert(
        &mut self,
        number: NonZeroU32,
        until: Moment,
        waker: Waker,
        family: u32,
    ) -> Option<Seat> {
        let waiting = Some(Waiting {
            waker,
            family,
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
        let seat = Seat { number, place };
        if until != Moment::NEVER {
            self.deadlines.push(Reverse((until, seat)));
        }
        Some(seat)
    }

    pub(super) fn get_mut(&mut self, seat: Seat) -> Option<&mut Waiting> {
        let waiting = self.places.get_mut(seat.place as usize)?.as_mut()?;
        (waiting.number == seat.number).then_some(waiting)
    }

    pub(super) fn remove(&mut self, seat: Seat) -> Option<Waiting> {
        let gone = self.take(seat)?;
        if self.deadlines.len() > 2 * self.len() + STALE {
            let places = &self.places;
            let is_there = |seat: Seat| {
                let waiting = places.get(seat.place as usize).and_then(Option::as_ref);
                waiting.is_some_and(|waiting| waiting.number == seat.number)
            };
            self.deadlines.retain(|Reverse((_, seat))| is_there(*seat));
        }
        Some(gone)
    }

    fn take(&mut self, seat: Seat) -> Option<Waiting> {
        self.get_mut(seat)?;
        self.free.push(seat.place);
        self.places[seat.place as usize].take()
    }

    /// Takes out those whose time is up, and gives the earliest end of the others' time.
    pub(super) fn take_due(&mut self, now: Moment, due: &mut Vec<Waker>) -> Option<Moment> {
        while let Some(Reverse((until, seat))) = self.deadlines.peek().copied() {
            if until > now && self.get_mut(seat).is_some() {
                return Some(until);
            }
            self.deadlines.pop();
            due.extend(self.take(seat).map(|waiting| waiting.waker));
        }
        None
    }

    fn len(&self) -> usize {
        self.places.len() - self.free.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Waiting> {
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
        let mut line = Line::default();
        let begun = Instant::now();
        let at = |n: u64| Moment::of(begun + Duration::from_secs(n), begun);
        let number = |n: u32| NonZeroU32::new(n).unwrap();
        let stays = line
            .insert(number(1), at(5_000), Waker::noop().clone(), 0)
            .unwrap();
        for n in 2..10_000 {
            let seat = line.insert(number(n), at(n.into()), Waker::noop().clone(), 0);
            let seat = seat.unwrap();
            assert!(line.remove(seat).is_some() && line.remove(seat).is_none());
        }
        assert_eq!(line.places.len(), 2);
        assert!(line.deadlines.len() <= STALE + 3);
        let mut due = Vec::new();
        assert_eq!(line.take_due(at(4_999), &mut due), Some(at(5_000)));
        assert!(due.is_empty() && line.get_mut(stays).is_some());
        assert_eq!(line.take_due(at(5000), &mut due), None);
        assert!(due.len() == 1 && line.is_empty());
    }
}
