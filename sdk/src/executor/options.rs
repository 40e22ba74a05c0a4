//! What a session is opened with.

use std::time::Duration;

use super::narrow::Narrowing;
use crate::registry::{FeatureGate, RoleRules, Selector, put_gate};

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
    pub(super) narrowing: Narrowing,
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

    /// Sets which tools the session has; a session below another selects of what that one has. What is
    /// not selected is not there: its model is not told of it, and no call reaches it, be it
    /// [nested](crate::ToolContext) or the app's own. Tools that are
    /// [for the app alone](crate::ToolRegistry::with_unadvertised) stay unless a pattern with `!`
    /// takes them away. Default: all tools of the executor or of the session above, explicit-only ones
    /// too.
    pub fn tools(mut self, tools: Selector) -> Self {
        self.narrowing.tools = Some(tools);
        self
    }

    /// Sets what the session has whatever it selects. Where it is below another, this comes to what
    /// [the executor says](super::ExecutorBuilder::sub_session_rules) of such. Default: no rules.
    pub fn role(mut self, rules: RoleRules) -> Self {
        self.narrowing.rules = vec![rules];
        self
    }

    /// Adds a feature that may be off for this session and those below it: see [`FeatureGate`]. It can
    /// close what the executor's gates leave open, and not open what they close. Default: none.
    pub fn feature_gate(mut self, gate: FeatureGate) -> Self {
        put_gate(&mut self.narrowing.gates, gate);
        self
    }
}
