//! Calls to what the host brings along: stores and logs. They may hang, fail or panic, and take nothing
//! with them.

use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::time::Sleep;

use super::future::BoxFuture;
use super::panic::catch_panic;

/// The longest that one operation of a store may take unless the host says otherwise.
pub(crate) const STORE_TIMEOUT: Duration = Duration::from_secs(10);

/// The reason why an operation of a port did not end. What it did until then is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PortFailure {
    TimedOut(Duration),
    /// With the text of the panic, which is for the log.
    Panicked(String),
}

impl fmt::Display for PortFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TimedOut(limit) => write!(
                f,
                "the operation took longer than {limit:?}, and what came of it is not known: the limit is \
                 `Limits::store_timeout`"
            ),
            Self::Panicked(text) => {
                write!(
                    f,
                    "the operation panicked, and what came of it is not known: {text}"
                )
            }
        }
    }
}

impl std::error::Error for PortFailure {}

/// Runs an operation of a port. An operation that never waits reads no clock.
///
/// If the runtime has no timers, only a panic ends it early: a store that never waits needs no timers.
pub(crate) async fn call_port<'p, T: 'p>(
    limit: Option<Duration>,
    operation: impl FnOnce() -> BoxFuture<'p, T> + Send,
) -> Result<T, PortFailure> {
    let mut running = catch_panic(operation).map_err(PortFailure::Panicked)?;
    let mut timer: Option<Pin<Box<Sleep>>> = None;
    let mut has_timers = limit.is_some();
    let ended = poll_fn(|cx| {
        match catch_panic(|| running.as_mut().poll(cx)) {
            Ok(Poll::Pending) => {}
            Ok(Poll::Ready(output)) => return Poll::Ready(Ok(output)),
            Err(text) => return Poll::Ready(Err(PortFailure::Panicked(text))),
        }
        let Some(limit) = limit.filter(|_| has_timers) else {
            return Poll::Pending;
        };
        // A timer that is made outside of a runtime panics.
        if timer.is_none() && Handle::try_current().is_err() {
            has_timers = false;
            return Poll::Pending;
        }
        // A runtime without timers panics when one is made or polled.
        let fired = catch_panic(|| {
            let timer = timer.get_or_insert_with(|| Box::pin(tokio::time::sleep(limit)));
            timer.as_mut().poll(cx).is_ready()
        });
        match fired {
            Ok(false) => Poll::Pending,
            Ok(true) => Poll::Ready(Err(PortFailure::TimedOut(limit))),
            Err(_) => {
                has_timers = false;
                Poll::Pending
            }
        }
    })
    .await;
    // The drop is caught because it may panic. The result of the operation is known all the same.
    let _ = catch_panic(|| drop(running));
    ended
}
