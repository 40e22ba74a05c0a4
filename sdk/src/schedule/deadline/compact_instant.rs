//! Moments as the shard keeps them: half as large as an [`Instant`], since each call that waits has two.

use std::time::Duration;

use tokio::time::Instant;

/// In nanoseconds after the epoch of its shard; a runtime whose clock stands still may be before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CompactInstant(i64);

impl CompactInstant {
    /// After every other.
    pub(super) const NEVER: Self = Self(i64::MAX);

    /// An instant more than 292 years away counts as never.
    pub(super) fn of(instant: Instant, epoch: Instant) -> Self {
        let nanos = |time: Duration| i64::try_from(time.as_nanos()).unwrap_or(i64::MAX);
        Self(match instant.checked_duration_since(epoch) {
            Some(after) => nanos(after),
            None => -nanos(epoch.duration_since(instant)),
        })
    }

    /// The instant; `None` for never.
    pub(super) fn instant(self, epoch: Instant) -> Option<Instant> {
        let distance = Duration::from_nanos(self.0.unsigned_abs());
        match self.0 {
            i64::MAX => None,
            0.. => epoch.checked_add(distance),
            _ => epoch.checked_sub(distance),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_keep_their_order_and_their_instants() {
        let epoch = Instant::now() + Duration::from_secs(60);
        let earlier = epoch.checked_sub(Duration::from_nanos(1)).unwrap();
        let later = epoch + Duration::from_secs(3600);
        let of = |instant| CompactInstant::of(instant, epoch);
        assert!(
            of(earlier) < of(epoch) && of(epoch) < of(later) && of(later) < CompactInstant::NEVER
        );
        for instant in [earlier, epoch, later] {
            assert_eq!(of(instant).instant(epoch), Some(instant));
        }
        assert_eq!(CompactInstant::NEVER.instant(epoch), None);
        let too_far = epoch + Duration::from_secs(300 * 366 * 24 * 3600);
        assert_eq!(of(too_far), CompactInstant::NEVER);
    }
}
