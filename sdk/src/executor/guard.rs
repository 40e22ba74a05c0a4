//! Running a tool's code so that a panic ends the call and nothing else.

use std::future::poll_fn;
use std::task::Poll;

use crate::content::{ErrorKind, ToolError};
use crate::util::future::BoxFuture;
use crate::util::panic::catch_panic;

/// Runs a tool's code that does not wait.
#[inline]
pub(crate) fn catch_tool_panic<T>(what: &str, code: impl FnOnce() -> T) -> Result<T, ToolError> {
    catch_panic(code).map_err(|text| panicked(what, text))
}

/// Runs a tool's code that waits.
pub(crate) async fn catch_tool_panic_awaited<T>(
    what: &str,
    mut future: BoxFuture<'_, Result<T, ToolError>>,
) -> Result<T, ToolError> {
    poll_fn(
        |cx| match catch_tool_panic(what, || future.as_mut().poll(cx)) {
            Ok(polled) => polled,
            Err(panicked) => Poll::Ready(Err(panicked)),
        },
    )
    .await
}

#[cold]
pub(crate) fn panicked(what: &str, text: String) -> ToolError {
    ToolError::new(
        ErrorKind::Panicked,
        format!("{what} panicked: this is a fault of the tool, not of the call"),
    )
    .with_source(text)
}

/// Returns the error of a call whose runtime ends before it.
#[cold]
pub(crate) fn shutting_down() -> ToolError {
    ToolError::unavailable("the app is shutting down, and the call was stopped")
}

#[cold]
pub(crate) fn no_timers() -> ToolError {
    ToolError::internal("the host cannot keep the tool's timeout").with_source(
        "a call that waits and has a timeout needs a Tokio runtime with timers: \
         `Builder::enable_time`, or `Limits::timeout(None)`",
    )
}
