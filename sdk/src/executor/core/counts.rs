//! Counts of bodies that were stopped.

/// Counts of bodies that were stopped since the executor was built: see [`Executor::counts`](crate::Executor::counts).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct CallCounts {
    pub(crate) late_results: u64,
    pub(crate) dropped_bodies: u64,
}

impl CallCounts {
    /// The number of bodies that gave an output or an error after their calls were told to end: in their [grace
    /// time](crate::executor::Limits::cancel_grace), or, if they are `blocking`, after their calls had ended without
    /// them. The output was dropped.
    pub fn late_results(self) -> u64 {
        self.late_results
    }

    /// The number of bodies that were dropped before their end, because their time or their grace time was over. A
    /// `blocking` body counts when its call ends without it.
    pub fn dropped_bodies(self) -> u64 {
        self.dropped_bodies
    }
}
