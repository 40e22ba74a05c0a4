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
}
