//! The number of calls that may run at a time.

use std::sync::Arc;

use tokio::sync::Semaphore;

use crate::content::{ErrorKind, ToolError};
use crate::schedule::Saturated;

/// For so many calls at a time.
pub(crate) fn slots(calls: usize) -> Arc<Semaphore> {
    Arc::new(Semaphore::new(calls.clamp(1, Semaphore::MAX_PERMITS)))
}

#[cold]
pub(crate) fn busy(_: Saturated) -> ToolError {
    ToolError::new(
        ErrorKind::LimitExceeded,
        "as many calls of the tool run as may run at a time; try again later",
    )
    .with_code("too_many_calls")
    .with_retryable(true)
    .with_source(
        "the call was made by a call of another tool with a limit of its own, which would wait for it: \
         `Limits::max_concurrent_of`",
    )
}
