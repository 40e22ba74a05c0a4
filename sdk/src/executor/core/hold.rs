//! The hold of a call on its executor.

use std::ops::Deref;
use std::sync::Arc;

use crate::executor::core::shared::ExecutorCore;

/// The hold of a call on its executor.
pub(crate) trait CoreHold: Deref<Target = Arc<ExecutorCore>> + Send + Unpin {
    /// The hold of a call that waits.
    type Kept: CoreHold;

    fn keep(self) -> Self::Kept;
}

/// Borrowed for as long as the call takes, which costs nothing.
impl CoreHold for &Arc<ExecutorCore> {
    type Kept = Self;

    #[inline]
    fn keep(self) -> Self {
        self
    }
}

/// Borrowed until the call waits: from then on it may move from one task to another.
pub(crate) struct LentCore<'a>(pub(crate) &'a Arc<ExecutorCore>);

impl Deref for LentCore<'_> {
    type Target = Arc<ExecutorCore>;

    #[inline]
    fn deref(&self) -> &Arc<ExecutorCore> {
        self.0
    }
}

impl CoreHold for LentCore<'_> {
    type Kept = SharedCore;

    fn keep(self) -> SharedCore {
        SharedCore::of(self.0)
    }
}

/// Shared with the executor.
pub(crate) struct SharedCore(Arc<ExecutorCore>);

impl SharedCore {
    pub(crate) fn of(core: &Arc<ExecutorCore>) -> Self {
        Self(Arc::clone(core))
    }
}

impl Deref for SharedCore {
    type Target = Arc<ExecutorCore>;

    #[inline]
    fn deref(&self) -> &Arc<ExecutorCore> {
        &self.0
    }
}

impl CoreHold for SharedCore {
    type Kept = Self;

    fn keep(self) -> Self {
        self
    }
}
