//! The outcomes of a batch, as they come.

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;
use tokio::sync::mpsc;

use super::ToolOutcome;
use super::batch::Batch;
use super::session::{Session, Turn};
use crate::message::ToolCall;
use crate::tool::BoxFuture;

/// The outcomes of a batch as they come, each with the number of its call in the batch, from 0: see
/// [`Turn::stream_all`]. There is exactly one for each call.
///
/// Dropping it drops the tools that still run where they stand.
#[must_use = "the calls run while their outcomes are taken"]
pub struct CallStream {
    batch: Option<BoxFuture<'static, ()>>,
    outcomes: mpsc::UnboundedReceiver<(usize, ToolOutcome)>,
}

impl CallStream {
    /// The next outcome; `None` when each call has had its own. It may be dropped and asked for again.
    pub async fn next(&mut self) -> Option<(usize, ToolOutcome)> {
        poll_fn(|cx| self.poll(cx)).await
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<(usize, ToolOutcome)>> {
        if let Some(batch) = &mut self.batch
            && batch.as_mut().poll(cx).is_ready()
        {
            self.batch = None;
        }
        self.outcomes.poll_recv(cx)
    }
}

impl Stream for CallStream {
    type Item = (usize, ToolOutcome);

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll(cx)
    }
}

impl fmt::Debug for CallStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallStream").finish_non_exhaustive()
    }
}

impl Turn {
    /// Runs the calls of one message as [`call_all`](Self::call_all) does, and gives each outcome as
    /// soon as it is there.
    ///
    /// ```
    /// use toolwright::{Executor, ToolCall, ToolRegistry, tool};
    ///
    /// /// Double a number.
    /// #[tool(pure)]
    /// async fn double(n: i64) -> i64 {
    ///     n * 2
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// let executor = Executor::new(ToolRegistry::new().with(Double))?;
    /// let calls = [1, 2, 3].map(|n| ToolCall::new("double", serde_json::json!({"n": n})));
    /// let mut outcomes = executor.session("s-1").turn().stream_all(calls);
    /// let mut sum = 0;
    /// while let Some((_, outcome)) = outcomes.next().await {
    ///     sum += outcome.text().parse::<i64>().unwrap();
    /// }
    /// assert_eq!(sum, 12);
    /// # Ok::<(), toolwright::BuildError>(())
    /// # }).unwrap();
    /// ```
    pub fn stream_all<'a>(&self, calls: impl IntoIterator<Item = ToolCall<'a>>) -> CallStream {
        let batch = Batch::new(self, calls.into_iter().map(ToolCall::into_owned).collect());
        let (told, outcomes) = mpsc::unbounded_channel();
        let batch = batch.run(move |at, outcome| {
            // The other end goes with this one.
            let _ = told.send((at, outcome));
        });
        CallStream {
            batch: Some(Box::pin(batch)),
            outcomes,
        }
    }
}

impl Session {
    /// Runs the calls of one message, as a turn of their own: see [`Turn::stream_all`].
    pub fn stream_all<'a>(&self, calls: impl IntoIterator<Item = ToolCall<'a>>) -> CallStream {
        self.turn().stream_all(calls)
    }
}
