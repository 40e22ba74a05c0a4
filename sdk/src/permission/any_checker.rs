//! A checker of either form.

use std::fmt;
use std::sync::Arc;

use super::{AsyncPermissionChecker, PermissionChecker};

/// A permission checker that answers at once, or one that has to be waited for.
#[derive(Clone)]
pub(crate) enum AnyChecker {
    Sync(Arc<dyn PermissionChecker>),
    Async(Arc<dyn AsyncPermissionChecker>),
}

/// Calls a method that both forms have.
macro_rules! either {
    ($checker:expr, $it:ident => $call:expr) => {
        match $checker {
            AnyChecker::Sync($it) => $call,
            AnyChecker::Async($it) => $call,
        }
    };
}

pub(super) use either;

impl AnyChecker {
    pub(crate) fn new(checker: impl PermissionChecker) -> Self {
        Self::Sync(Arc::new(checker))
    }

    pub(crate) fn new_async(checker: impl AsyncPermissionChecker) -> Self {
        Self::Async(Arc::new(checker))
    }

    /// The address of what the host shares, or else of this checker. No other checker has it for as long
    /// as this one is there.
    pub(crate) fn address(&self) -> usize {
        either!(self, it => (**it).shared().map_or_else(|| Arc::as_ptr(it).addr(), |(at, _)| at))
    }

    /// Returns true if more than this many have it, or somebody has what it shares.
    pub(crate) fn is_held_besides(&self, these: usize) -> bool {
        either!(self, it => {
            let shared = (**it).shared().is_some_and(|(_, holders)| holders > 1);
            shared || Arc::strong_count(it) > these
        })
    }
}

impl fmt::Debug for AnyChecker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sync(_) => "PermissionChecker",
            Self::Async(_) => "AsyncPermissionChecker",
        })
    }
}
