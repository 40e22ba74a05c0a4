//! Running the host's own code, so that it takes nothing with it and holds nobody up for ever.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;

use tokio::time::Sleep;

use crate::executor::guard::no_timers;
use crate::message::{ErrorKind, ToolError};
use crate::panic::caught;
use crate::question::cancelled;
use crate::tool::{BoxFuture, Cancellation};

/// Runs a hook. One that never waits reads no clock.
pub(crate) async fn run_hook<'h, T: 'h>(
    name: &str,
    limit: Option<Duration>,
    cancellation: Option<&Cancellation>,
    hook: impl FnOnce() -> BoxFuture<'h, Result<T, ToolError>> + Send,
) -> Result<T, ToolError> {
    let panicked = |text: String| panicked("hook", name, &text);
    let mut running = caught(hook).map_err(panicked)?;
    let mut timer: Option<Pin<Box<Sleep>>> = None;
    let run = poll_fn(|cx| {
        match caught(|| running.as_mut().poll(cx)) {
            Ok(Poll::Pending) => {}
            Ok(ready) => return ready,
            Err(text) => return Poll::Ready(Err(panicked(text))),
        }
        let Some(limit) = limit else {
            return Poll::Pending;
        };
        // A runtime without timers panics when one is armed.
        let fired = caught(|| {
            let timer = timer.get_or_insert_with(|| Box::pin(tokio::time::sleep(limit)));
            timer.as_mut().poll(cx).is_ready()
        });
        match fired {
            Ok(false) => Poll::Pending,
            Ok(true) => Poll::Ready(Err(too_long(name, limit))),
            Err(_) => Poll::Ready(Err(no_timers())),
        }
    });
    let ended = match cancellation {
        Some(token) => token.token().run_until_cancelled(run).await,
        None => Some(run.await),
    };
    // What it leaves may panic when it goes.
    let left = caught(|| drop(running));
    let output = ended.unwrap_or_else(|| Err(cancelled()))?;
    left.map_err(panicked)?;
    Ok(output)
}

/// A gate or hook has panicked.
#[cold]
pub(crate) fn panicked(what: &str, name: &str, text: &str) -> ToolError {
    ToolError::new(
        ErrorKind::Panicked,
        format!("a {what} of the app panicked: this is a fault of the app, not of the call"),
    )
    .with_code(format!("{what}_panicked"))
    .with_source(format!("`{name}`: {text}"))
}

#[cold]
fn too_long(name: &str, limit: Duration) -> ToolError {
    let message = format!("a hook of the app took longer than {limit:?}");
    ToolError::new(ErrorKind::TimedOut, message)
        .with_code("hook_timed_out")
        .with_source(format!("`{name}` took too long"))
}
