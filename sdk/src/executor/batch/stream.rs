//! The outcomes of a batch, as they come.

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;
use tokio::sync::mpsc;

use crate::content::ToolCall;
use crate::executor::batch::run::Batch;
use crate::executor::core::handles::Turn;
use crate::outcome::ToolOutcome;
use crate::util::future::BoxFuture;

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
    /// The stream of a batch that begins with the first poll.
    pub(crate) fn new(turn: &Turn, calls: Vec<ToolCall<'static>>) -> Self {
        let (told, outcomes) = mpsc::unbounded_channel();
        let batch = Batch::new(turn, calls, true).run(move |at, outcome| {
            // Both ends belong to the stream and are dropped together, so sending cannot fail.
            let _ = told.send((at, outcome));
        });
        Self {
            batch: Some(Box::pin(batch)),
            outcomes,
        }
    }

    /// Returns the next outcome with the number of its call, counted from 0; `None` when each call has had its own. The
    /// future may be dropped, and the method called again, without loss.
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
