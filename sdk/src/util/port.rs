//! Code that the host brings along: stores, logs, hooks, checkers. It may hang, fail or panic, and takes nothing with
//! it.

use std::future::{Future, poll_fn};
use std::mem;
use std::pin::{Pin, pin};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::time::Sleep;
use tokio_util::sync::CancellationToken;

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
    /// The code has to wait, and the runtime is shutting down.
    #[error("the runtime is shutting down, and what came of the operation is not known")]
    ShuttingDown,
    #[error("the operation was cancelled, and what came of it is not known")]
    Cancelled,
}

impl From<PortFailure> for StoreError {
    fn from(why: PortFailure) -> Self {
        Self::new(why)
    }
}

/// Runs code of the host within a limit of time and until a cancellation, which ends only code that waits. Code that
/// never does reads no clock. The output is put in its place, where it stays: each move of it would have to wait for
/// the one before. An output beside a [panic](PortFailure::Panicked) means that the drop of the code panicked.
///
/// If the runtime has no timers or is shutting down, it ends with [`PortFailure::NoTimers`] or
/// [`PortFailure::ShuttingDown`] when it has to wait, or, unless `needs_timers`, it has no limit.
pub(crate) async fn bounded<'p, T: 'p>(
    limit: Option<&Duration>,
    needs_timers: bool,
    cancellation: Option<&CancellationToken>,
    start: impl FnOnce() -> BoxFuture<'p, T> + Send,
    output: &mut Poll<T>,
) -> Result<(), PortFailure> {
    let mut running = catch_panic(start).map_err(PortFailure::Panicked)?;
    // Most code never waits: a timer and a place in the list of a token are for what does.
    let first = poll_fn(|cx| Poll::Ready(poll_port(&mut running, cx, output)));
    let mut ended = first.await;
    if ended.is_ok() && output.is_pending() {
        let limit = limit.copied();
        let waits = wait(&mut running, limit, needs_timers, cancellation, output);
        ended = Box::pin(waits).await;
    }
    // Dropping the future runs code of the host, which may panic.
    let dropped = catch_panic(|| drop(running)).map_err(PortFailure::Panicked);
    ended.and(dropped)
}

fn poll_port<T>(
    running: &mut BoxFuture<'_, T>,
    cx: &mut Context<'_>,
    output: &mut Poll<T>,
) -> Result<(), PortFailure> {
    catch_panic(|| *output = running.as_mut().poll(cx)).map_err(PortFailure::Panicked)
}

/// Polls a timer, which is made when there is none.
fn poll_timer(
    timer: &mut Option<Pin<Box<Sleep>>>,
    time: Duration,
    cx: &mut Context<'_>,
) -> Result<Poll<()>, PortFailure> {
    if timer.is_none() {
        Handle::try_current().map_err(|_| PortFailure::NoTimers)?;
        // A runtime without timers panics when one is made.
        let made = catch_panic(|| Box::pin(tokio::time::sleep(time)));
        *timer = Some(made.map_err(|_| PortFailure::NoTimers)?);
    }
    let Some(timer) = timer else {
        return Ok(Poll::Pending);
    };
    // A runtime that shuts down panics when one is polled.
    catch_panic(|| timer.as_mut().poll(cx)).map_err(|_| PortFailure::ShuttingDown)
}

/// Goes on with code that was polled once and waits.
async fn wait<T>(
    running: &mut BoxFuture<'_, T>,
    mut limit: Option<Duration>,
    needs_timers: bool,
    cancellation: Option<&CancellationToken>,
    output: &mut Poll<T>,
) -> Result<(), PortFailure> {
    let mut timer: Option<Pin<Box<Sleep>>> = None;
    let mut was_polled = true;
    let run = poll_fn(|cx| {
        if !mem::take(&mut was_polled) {
            poll_port(running, cx, output)?;
            if output.is_ready() {
                return Poll::Ready(Ok(()));
            }
        }
        let Some(time) = limit else {
            return Poll::Pending;
        };
        match poll_timer(&mut timer, time, cx) {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(())) => Poll::Ready(Err(PortFailure::TimedOut(time))),
            Err(why) if needs_timers => Poll::Ready(Err(why)),
            Err(_) => {
                limit = None;
                Poll::Pending
            }
        }
    });
    let Some(token) = cancellation else {
        return run.await;
    };
    let (mut run, mut cancelled) = (pin!(run), pin!(token.cancelled()));
    poll_fn(|cx| match cancelled.as_mut().poll(cx) {
        Poll::Ready(()) => Poll::Ready(Err(PortFailure::Cancelled)),
        Poll::Pending => run.as_mut().poll(cx),
    })
    .await
}

/// Runs an operation of a store or a log. A panic of the drop is ignored, because the result is known all the same.
pub(crate) async fn call_port<'p, T: 'p>(
    limit: Option<Duration>,
    operation: impl FnOnce() -> BoxFuture<'p, T> + Send,
) -> Result<T, PortFailure> {
    let mut output = Poll::Pending;
    let ended = bounded(limit.as_ref(), false, None, operation, &mut output).await;
    match output {
        Poll::Ready(output) => Ok(output),
        Poll::Pending => Err(ended.err().unwrap_or(PortFailure::Cancelled)),
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;
    use std::pin::pin;
    use std::task::Waker;

    use tokio::runtime::Builder;

    use super::*;

    fn failure() -> PortFailure {
        let limit = Some(&Duration::from_secs(1));
        let mut output = Poll::Pending;
        let bounded = bounded(limit, true, None, || Box::pin(pending::<()>()), &mut output);
        match pin!(bounded).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(Err(why)) => why,
            other => panic!("it cannot wait: {other:?}"),
        }
    }

    #[test]
    fn code_that_waits_without_timers_is_told_from_code_whose_runtime_goes() {
        assert_eq!(failure(), PortFailure::NoTimers);
        let without = Builder::new_current_thread().build().unwrap();
        let inside = without.enter();
        assert_eq!(failure(), PortFailure::NoTimers);
        drop(inside);
        let going = Builder::new_current_thread().enable_time().build().unwrap();
        let handle = going.handle().clone();
        drop(going);
        let _inside = handle.enter();
        assert_eq!(failure(), PortFailure::ShuttingDown);
    }
}
