//! Signs of life of a body that runs.

use std::time::Duration;

use temporalio_sdk::activities::ActivityContext;
use tokio::task::JoinHandle;
use tokio::time::{MissedTickBehavior, interval};
use toolwright::CancellationToken;

/// Tells the server that a body runs, and trips a token when the server answers that the call was cancelled. A task of its
/// own, so that a body that keeps its thread for a while does not silence it. Dropping it ends the task.
pub(crate) struct Heartbeat(JoinHandle<()>);

impl Heartbeat {
    pub(crate) fn start(
        ctx: ActivityContext,
        every: Duration,
        cancellation: CancellationToken,
    ) -> Self {
        Self(tokio::spawn(async move {
            let mut ticks = interval(every);
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                tokio::select! {
                    () = ctx.cancelled(), if !cancellation.is_cancelled() => cancellation.cancel(),
                    _ = ticks.tick() => {
                        // A heartbeat carries no details, so that it cannot fail to be written.
                        drop(ctx.record_heartbeat(()).await);
                    }
                }
            }
        }))
    }
}

impl Drop for Heartbeat {
    fn drop(&mut self) {
        self.0.abort();
    }
}
