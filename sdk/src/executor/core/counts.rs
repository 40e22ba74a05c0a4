//! What became of bodies that were stopped.

/// What became of bodies that were stopped, since the executor was built: see [`Executor::counts`](crate::Executor::counts).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct CallCounts {
    pub(crate) late_results: u64,
    pub(crate) dropped_bodies: u64,
}

impl CallCounts {
    /// How many bodies gave something, an output or an error, after their calls were told to end: in
    /// their [grace time](crate::executor::Limits::cancel_grace), or, of `blocking` ones, when their
    /// calls had ended without them. It was thrown away.
    pub fn late_results(self) -> u64 {
        self.late_results
    }

    /// How many bodies were dropped on their way, because their time or their grace time was over. Of a
    /// `blocking` body that goes by its call, which leaves it behind.
    pub fn dropped_bodies(self) -> u64 {
        self.dropped_bodies
    }
}
