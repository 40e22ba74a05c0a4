//! An executor that is not kept.

use std::fmt;
use std::sync::{Arc, Weak};

use crate::executor::core::shared::ExecutorCore;
use crate::executor::executor::Executor;

/// An executor without keeping it: for what watches or changes the tools of an executor for as long as somebody else has
/// it. See [`Executor::downgrade`].
#[derive(Clone)]
pub struct WeakExecutor {
    shared: Weak<ExecutorCore>,
}

impl Executor {
    /// Returns a handle that does not keep the executor. A tool, or a task of its own, that holds the executor which holds
    /// the tool would keep both for ever.
    ///
    /// ```
    /// use toolwright::{Executor, ToolRegistry};
    ///
    /// let executor = Executor::new(ToolRegistry::new())?;
    /// let weak = executor.downgrade();
    /// assert!(weak.upgrade().is_some());
    /// drop(executor);
    /// assert!(weak.upgrade().is_none());
    /// # Ok::<(), toolwright::BuildError>(())
    /// ```
    pub fn downgrade(&self) -> WeakExecutor {
        WeakExecutor {
            shared: Arc::downgrade(&self.shared),
        }
    }
}

impl WeakExecutor {
    /// Returns the executor; `None` once all its clones and sessions are gone.
    pub fn upgrade(&self) -> Option<Executor> {
        let shared = self.shared.upgrade()?;
        Some(Executor { shared })
    }
}

impl fmt::Debug for WeakExecutor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WeakExecutor").finish_non_exhaustive()
    }
}
