//! What is left of a panic.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Drops what a panic left. Dropping it may panic once more, and what that leaves is kept rather
/// than dropped again.
#[cold]
pub(crate) fn discard(payload: Box<dyn Any + Send>) {
    if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        std::mem::forget(again);
    }
}
