//! Code that the host brings along: stores, logs, hooks, checkers. It may hang, fail or panic, and takes nothing with
//! it.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::time::Sleep;
use tokio_util::sync::{CancellationToken, WaitForCancellationFuture};

use super::future::BoxFuture;
use super::panic::catch_panic;
use super::store_error::StoreError;

/// The longest that one operation of a store may take unless the host says otherwise.
pub(crate) const STORE_TIMEOUT: Duration = Duration::from_secs(10);

/// The reason why the host's code did not end by itself. What it did until then is not known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PortFailure {
    #[error(
        "the operation took longer than {0:?}, and what came of it is not known: the limit is \
         `Limits::store_timeout`"
    )]
    TimedOut(Duration),
    /// With the text of the panic, which is for the log.
    #[error("the operation panicked, and what came of it is not known: {0}")]
    Panicked(String),
    /// The code has to wait, and the runtime has no timers to limit that.
    #[error("the runtime has no timers: see `Builder::enable_time`")]
    NoTimers,
    #[error("the operation was cancelled, and what came of it is not known")]
    Cancelled,
}

impl From<PortFailure> for StoreError {
    fn from(why: PortFailure) -> Self {
        Self::new(why)
    }
}

/// The output of the host's code, and the text of the panic with which its future was dropped.
pub(crate) type Bounded<T> = (T, Result<(), String>);

/// Runs code of the host within a limit of time and until a cancellation. Code that never waits reads no clock.
///
/// If the runtime has no timers, it ends with [`PortFailure::NoTimers`] when it has to wait, or, unless
/// `needs_timers`, it has no limit.
pub(crate) async fn bounded<'p, T: 'p>(
    mut limit: Option<Duration>,
    needs_timers: bool,
    cancellation: Option<&CancellationToken>,
    start: impl FnOnce() -> BoxFuture<'p, T> + Send,
) -> Result<Bounded<T>, PortFailure> {
    let mut running = catch_panic(start).map_err(PortFailure::Panicked)?;
    let mut timer: Option<Pin<Box<Sleep>>> = None;
    let mut run = poll_fn(|cx| {
        match catch_panic(|| running.as_mut().poll(cx)) {
            Ok(Poll::Pending) => {}
            Ok(Poll::Ready(output)) => return Poll::Ready(Ok(output)),
            Err(text) => return Poll::Ready(Err(PortFailure::Panicked(text))),
        }
        let Some(time) = limit else {
            return Poll::Pending;
        };
        let has_runtime = timer.is_some() || Handle::try_current().is_ok();
        // Outside of a runtime, or in one without timers, a timer panics when it is made or polled.
        let armed = has_runtime.then(|| {
            catch_panic(|| {
                let timer = timer.get_or_insert_with(|| Box::pin(tokio::time::sleep(time)));
                timer.as_mut().poll(cx).is_ready()
            })
        });
        match armed {
            Some(Ok(false)) => Poll::Pending,
            Some(Ok(true)) => Poll::Ready(Err(PortFailure::TimedOut(time))),
            _ if needs_timers => Poll::Ready(Err(PortFailure::NoTimers)),
            _ => {
                limit = None;
                Poll::Pending
            }
        }
    });
    // Most code never waits, and to wait for a token takes locks: that begins when the code has to wait.
    let mut cancelled: Option<Pin<Box<WaitForCancellationFuture<'_>>>> = None;
    let ended = poll_fn(|cx| {
        let Some(token) = cancellation else {
            return Pin::new(&mut run).poll(cx);
        };
        let is_cancelled = match &mut cancelled {
            Some(cancelled) => cancelled.as_mut().poll(cx).is_ready(),
            None => token.is_cancelled(),
        };
        if is_cancelled {
            return Poll::Ready(Err(PortFailure::Cancelled));
        }
        let polled = Pin::new(&mut run).poll(cx);
        if polled.is_ready() || cancelled.is_some() {
            return polled;
        }
        let cancelled = cancelled.insert(Box::pin(token.cancelled()));
        match cancelled.as_mut().poll(cx) {
            Poll::Ready(()) => Poll::Ready(Err(PortFailure::Cancelled)),
            Poll::Pending => Poll::Pending,
        }
    })
    .await;
    // Dropping the future runs code of the host, which may panic.
    let dropped = catch_panic(|| drop(running));
    Ok((ended?, dropped))
}

/// Runs an operation of a store or a log. A panic of the drop is ignored, because the result is known all the same.
pub(crate) async fn call_port<'p, T: 'p>(
    limit: Option<Duration>,
    operation: impl FnOnce() -> BoxFuture<'p, T> + Send,
) -> Result<T, PortFailure> {
    let (output, _) = bounded(limit, false, None, operation).await?;
    Ok(output)
}
