//! The status of a call, which others may watch.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};

use tokio::sync::watch;

use crate::content::CallStatus;

/// The bit that is set once nothing more is told of the call.
const LAST: u8 = 0x80;
/// The bit that is set once somebody watches. In the same number as the status: whoever sets one of them sees the other.
const WATCHED: u8 = 0x40;

/// The status of a call, and a mark if it is the last. A number, and a channel once somebody watches: a lock costs as much as
/// a tenth of a short call, and a channel more.
#[derive(Debug)]
pub(super) struct StatusCell {
    number: AtomicU8,
    watched: OnceLock<watch::Sender<(CallStatus, bool)>>,
}

fn number_of(status: CallStatus, is_last: bool) -> u8 {
    status as u8 | if is_last { LAST } else { 0 }
}

fn status_of(number: u8) -> (CallStatus, bool) {
    let status = usize::from(number & !(LAST | WATCHED));
    (CallStatus::ALL[status], number & LAST != 0)
}

impl StatusCell {
    pub(super) fn new(status: CallStatus) -> Self {
        Self {
            number: AtomicU8::new(number_of(status, false)),
            watched: OnceLock::new(),
        }
    }

    /// Returns the status, and true if it is the last.
    pub(super) fn get(&self) -> (CallStatus, bool) {
        status_of(self.number.load(Ordering::Acquire))
    }

    /// Goes on to what `next` makes of the status, and tells whoever watches. `Err` leaves it as it is.
    pub(super) fn change<E>(
        &self,
        next: impl Fn(CallStatus) -> Result<(CallStatus, bool), E>,
    ) -> Result<(), E> {
        let mut seen = self.number.load(Ordering::Acquire);
        loop {
            let (status, was_last) = status_of(seen);
            let (status, is_last) = next(status)?;
            let number = number_of(status, was_last || is_last) | seen & WATCHED;
            match self.number.compare_exchange_weak(
                seen,
                number,
                Ordering::AcqRel,
                Ordering::Acquire,
            ) {
                Ok(_) if seen & WATCHED == 0 => return Ok(()),
                Ok(_) => {
                    self.tell();
                    return Ok(());
                }
                Err(other) => seen = other,
            }
        }
    }

    pub(super) fn watch(&self) -> watch::Receiver<(CallStatus, bool)> {
        let watched = self.watched.get_or_init(|| watch::Sender::new(self.get()));
        // A change that has not seen the mark comes before it, and is told here.
        self.number.fetch_or(WATCHED, Ordering::AcqRel);
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
                let watched = number_of(status, is_last) | WATCHED;
                assert_eq!(status_of(watched), (status, is_last));
            }
        }
    }

    #[test]
    fn the_last_status_stays_the_last_and_what_is_refused_changes_nothing() {
        let cell = StatusCell::new(CallStatus::New);
        assert_eq!(cell.change(|_| Err(7)), Err(7));
        assert_eq!(cell.get(), (CallStatus::New, false));
        set(&cell, CallStatus::Failed, true);
        set(&cell, CallStatus::Failed, false);
        assert_eq!(cell.get(), (CallStatus::Failed, true));
    }

    #[test]
    fn trap_whoever_begins_to_watch_during_a_change_is_told_of_it() {
        for _ in 0..2_000 {
            let cell = StatusCell::new(CallStatus::New);
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
