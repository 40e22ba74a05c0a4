//! The status of a call, which others may watch.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};

use tokio::sync::watch;

use crate::content::CallStatus;

/// The bit that is set once nothing more is told of the call.
const LAST: u8 = 0x80;
/// The bit that is set once somebody watches, or once an early status is kept elsewhere. In the same number as the status:
/// whoever sets one of them sees the other.
const MARKED: u8 = 0x40;

/// The status of a call, and a mark if it is the last. A number, and a channel once somebody watches: a lock costs as much as
/// a tenth of a short call, and a channel more.
#[derive(Debug)]
pub(super) struct StatusCell {
    number: AtomicU8,
    watched: OnceLock<watch::Sender<(CallStatus, bool)>>,
}

/// The status that follows another, and true if nothing more is told of the call then.
pub(super) type NextStatus<E> = Result<(CallStatus, bool), E>;

fn number_of(status: CallStatus, is_last: bool) -> u8 {
    status as u8 | if is_last { LAST } else { 0 }
}

fn status_of(number: u8) -> (CallStatus, bool) {
    let status = usize::from(number & !(LAST | MARKED));
    (CallStatus::ALL[status], number & LAST != 0)
}

/// Goes on to what `next` makes of a status, unless its number has the bit of `stop`. Gives the number that it was before.
fn change<E>(
    number: &AtomicU8,
    stop: u8,
    next: impl Fn(CallStatus) -> NextStatus<E>,
) -> Result<u8, E> {
    let mut seen = number.load(Ordering::Acquire);
    while seen & stop == 0 {
        let (status, was_last) = status_of(seen);
        let (status, is_last) = next(status)?;
        let changed = number_of(status, was_last || is_last) | seen & MARKED;
        let swapped =
            number.compare_exchange_weak(seen, changed, Ordering::AcqRel, Ordering::Acquire);
        match swapped {
            Ok(_) => break,
            Err(other) => seen = other,
        }
    }
    Ok(seen)
}

/// The status of a call that has no [cell](StatusCell) yet.
#[derive(Debug)]
pub(super) struct EarlyStatus(AtomicU8);

impl EarlyStatus {
    pub(super) fn new(status: CallStatus) -> Self {
        Self(AtomicU8::new(number_of(status, false)))
    }

    /// Returns the status, or what it was when it was [moved](Self::leave), and true if it is the last.
    pub(super) fn get(&self) -> (CallStatus, bool) {
        status_of(self.0.load(Ordering::Acquire))
    }

    /// As [`StatusCell::change`]. Returns false, and changes nothing, once the status is kept elsewhere.
    pub(super) fn change<E>(&self, next: impl Fn(CallStatus) -> NextStatus<E>) -> Result<bool, E> {
        Ok(change(&self.0, MARKED, next)? & MARKED == 0)
    }

    /// From here on, the status is kept elsewhere. Returns it as it was.
    pub(super) fn leave(&self) -> (CallStatus, bool) {
        status_of(self.0.fetch_or(MARKED, Ordering::AcqRel))
    }
}

impl StatusCell {
    pub(super) fn new((status, is_last): (CallStatus, bool)) -> Self {
        Self {
            number: AtomicU8::new(number_of(status, is_last)),
            watched: OnceLock::new(),
        }
    }

    /// Returns the status, and true if it is the last.
    pub(super) fn get(&self) -> (CallStatus, bool) {
        status_of(self.number.load(Ordering::Acquire))
    }

    /// Goes on to what `next` makes of the status, and tells whoever watches. `Err` leaves it as it is.
    pub(super) fn change<E>(&self, next: impl Fn(CallStatus) -> NextStatus<E>) -> Result<(), E> {
        if change(&self.number, 0, next)? & MARKED != 0 {
            self.tell();
        }
        Ok(())
    }

    pub(super) fn watch(&self) -> watch::Receiver<(CallStatus, bool)> {
        let watched = self.watched.get_or_init(|| watch::Sender::new(self.get()));
        // A change that has not seen the mark comes before it, and is told here.
        self.number.fetch_or(MARKED, Ordering::AcqRel);
        self.tell();
        watched.subscribe()
    }

    /// Tells the status as it is now, so that of several who tell at once the last tells the newest.
    fn tell(&self) {
        if let Some(watched) = self.watched.get() {
            watched.send_if_modified(|told| {
                let now = self.get();
                std::mem::replace(told, now) != now
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::sync::Barrier;
    use std::thread;

    use super::*;

    fn set(cell: &StatusCell, status: CallStatus, is_last: bool) {
        let changed: Result<(), Infallible> = cell.change(|_| Ok((status, is_last)));
        changed.unwrap();
    }

    #[test]
    fn each_status_has_its_number() {
        for status in CallStatus::ALL {
            for is_last in [false, true] {
                assert_eq!(status_of(number_of(status, is_last)), (status, is_last));
                let watched = number_of(status, is_last) | MARKED;
                assert_eq!(status_of(watched), (status, is_last));
            }
        }
    }

    #[test]
    fn the_last_status_stays_the_last_and_what_is_refused_changes_nothing() {
        let cell = StatusCell::new((CallStatus::New, false));
        assert_eq!(cell.change(|_| Err(7)), Err(7));
        assert_eq!(cell.get(), (CallStatus::New, false));
        set(&cell, CallStatus::Failed, true);
        set(&cell, CallStatus::Failed, false);
        assert_eq!(cell.get(), (CallStatus::Failed, true));
    }

    #[test]
    fn trap_whoever_begins_to_watch_during_a_change_is_told_of_it() {
        for _ in 0..2_000 {
            let cell = StatusCell::new((CallStatus::New, false));
            let start = Barrier::new(2);
            let told = thread::scope(|scope| {
                let told = scope.spawn(|| {
                    start.wait();
                    cell.watch()
                });
                start.wait();
                set(&cell, CallStatus::Running, false);
                set(&cell, CallStatus::Succeeded, true);
                told.join().unwrap()
            });
            assert_eq!(*told.borrow(), (CallStatus::Succeeded, true));
        }
    }
}
