//! The cancellation of calls.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::schedule::DeadlineQueue;

/// A token that also wakes the calls below it that wait in the executor's queue.
#[derive(Debug, Clone)]
pub(crate) struct Cancellation {
    token: CancellationToken,
    deadlines: Arc<DeadlineQueue>,
    wake_group: u32,
}

impl Cancellation {
    pub(crate) fn new(token: CancellationToken, deadlines: Arc<DeadlineQueue>) -> Self {
        let wake_group = deadlines.new_wake_group();
        Self {
            token,
            deadlines,
            wake_group,
        }
    }

    /// A token that is cancelled with this one. Both are of one wake group: a cancellation within a wake group makes each call
    /// of it check its own token.
    pub(crate) fn child_token(&self) -> Self {
        Self {
            token: self.token.child_token(),
            deadlines: Arc::clone(&self.deadlines),
            wake_group: self.wake_group,
        }
    }

    pub(crate) fn token(&self) -> &CancellationToken {
        &self.token
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.token.is_cancelled()
    }

    /// Cancels the token, and wakes the waiting calls of the family. A caller that keeps a flag of its own sets it
    /// before, because a woken call reads the flag.
    pub(crate) fn cancel(&self) {
        self.token.cancel();
        self.deadlines.wake(self.wake_group);
    }

    pub(crate) fn deadlines(&self) -> &Arc<DeadlineQueue> {
        &self.deadlines
    }

    pub(crate) fn wake_group(&self) -> u32 {
        self.wake_group
    }
}

/// Tells a body that its call has ended without it, when it is dropped.
#[derive(Debug)]
pub(crate) struct LeftBehind(Option<Cancellation>);

impl LeftBehind {
    pub(super) fn new(of_body: Cancellation) -> Self {
        Self(Some(of_body))
    }

    /// Drops the guard without a cancellation: the body has ended first.
    pub(crate) fn disarm(mut self) {
        self.0 = None;
    }
}

impl Drop for LeftBehind {
    fn drop(&mut self) {
        if let Some(of_body) = &self.0 {
            of_body.cancel();
        }
    }
}
