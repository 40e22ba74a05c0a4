//! What a session is opened with.

use std::time::Duration;

/// What a session is opened with, beyond its id: see
/// [`Executor::session_with`](super::Executor::session_with) and
/// [`Session::sub_session_with`](super::Session::sub_session_with).
///
/// ```
/// use std::time::Duration;
/// use toolwright::{Executor, SessionOptions, ToolRegistry};
///
/// let executor = Executor::new(ToolRegistry::new())?;
/// let options = SessionOptions::new().timeout(Duration::from_secs(5));
/// let session = executor.session_with("s-1", options);
/// assert_eq!(session.id().as_str(), "s-1");
/// # Ok::<(), toolwright::BuildError>(())
/// ```
#[derive(Debug, Clone, Default)]
#[must_use = "a session is opened with them"]
pub struct SessionOptions {
    pub(super) timeout: Option<Duration>,
    pub(super) max_concurrent: Option<usize>,
}

impl SessionOptions {
    /// Those that [`Executor::session`](super::Executor::session) has.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets how long a call of the session may take, if its tool and the executor do not say less.
    /// Default: no limit of the session's own; a session below another has that one's too.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Sets how many calls of the session may run at a time; 0 counts as 1. Default: any number.
    ///
    /// The others wait for their turn, which does not count as time of theirs, and can be cancelled
    /// meanwhile. A call that waits for people counts as one that does not run, and a call that another
    /// one makes through its context is part of that one. A session below this one has its own number.
    pub fn max_concurrent(mut self, calls: usize) -> Self {
        self.max_concurrent = Some(calls);
        self
    }
}
