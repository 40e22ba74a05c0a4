//! The rate of calls of each principal.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The number of principals from which those with a full allowance are forgotten.
const FORGET_FROM: usize = 1024;

/// A token bucket for each principal. It holds the calls of one minute, and fills in one minute.
#[derive(Debug)]
pub(super) struct CallRates {
    per_minute: f64,
    buckets: Mutex<HashMap<Arc<str>, Bucket>>,
}

#[derive(Debug)]
struct Bucket {
    /// The calls that may be made at once.
    calls: f64,
    at: Instant,
}

impl CallRates {
    pub(super) fn new(per_minute: u32) -> Self {
        Self {
            per_minute: f64::from(per_minute),
            buckets: Mutex::default(),
        }
    }

    /// Takes a call from the allowance of a principal.
    ///
    /// # Errors
    ///
    /// Returns how long it takes until the next one is allowed.
    pub(super) fn take(&self, principal: &Arc<str>, now: Instant) -> Result<(), Duration> {
        // A panic cannot leave a bucket half changed.
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= FORGET_FROM && !buckets.contains_key(principal) {
            buckets.retain(|_, bucket| bucket.filled(self.per_minute, now) < self.per_minute);
        }
        let bucket = buckets.entry(principal.clone()).or_insert(Bucket {
            calls: self.per_minute,
            at: now,
        });
        bucket.calls = bucket.filled(self.per_minute, now);
        bucket.at = now;
        if bucket.calls >= 1.0 {
            bucket.calls -= 1.0;
            return Ok(());
        }
        let minutes = (1.0 - bucket.calls) / self.per_minute.max(f64::MIN_POSITIVE);
        Err(Duration::try_from_secs_f64(minutes * 60.0).unwrap_or(Duration::MAX))
    }
}

impl Bucket {
    fn filled(&self, per_minute: f64, now: Instant) -> f64 {
        let minutes = now.saturating_duration_since(self.at).as_secs_f64() / 60.0;
        (self.calls + minutes * per_minute).min(per_minute)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_allowance_is_used_at_once_and_fills_evenly() {
        let (rates, start) = (CallRates::new(60), Instant::now());
        let (alice, bob) = (Arc::from("alice"), Arc::from("bob"));
        for _ in 0..60 {
            assert_eq!(rates.take(&alice, start), Ok(()));
        }
        assert_eq!(rates.take(&alice, start), Err(Duration::from_secs(1)));
        assert_eq!(rates.take(&bob, start), Ok(()), "another principal's own");
        let later = start + Duration::from_secs(2);
        assert_eq!(rates.take(&alice, later), Ok(()));
        assert_eq!(rates.take(&alice, later), Ok(()));
        assert!(rates.take(&alice, later).is_err());
        // No more than a minute's calls are saved up.
        let much_later = start + Duration::from_secs(3600);
        let made = (0..100).filter(|_| rates.take(&alice, much_later).is_ok());
        assert_eq!(made.count(), 60);
    }

    #[test]
    fn no_call_is_allowed_where_none_is() {
        let rates = CallRates::new(0);
        let wait = rates.take(&Arc::from("alice"), Instant::now());
        assert_eq!(wait, Err(Duration::MAX));
    }

    #[test]
    fn principals_with_a_full_allowance_are_forgotten() {
        let (rates, start) = (CallRates::new(60), Instant::now());
        for n in 0..FORGET_FROM {
            rates.take(&Arc::from(format!("p{n}")), start).unwrap();
        }
        let later = start + Duration::from_secs(60);
        rates.take(&Arc::from("new"), later).unwrap();
        assert_eq!(rates.buckets.lock().unwrap().len(), 1);
    }
}
