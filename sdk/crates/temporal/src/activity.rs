//! The one activity: it hands a call to the host of its worker.

#![allow(
    unreachable_pub,
    missing_docs,
    missing_debug_implementations,
    reason = "the expansions of the macros name public items without documentation"
)]

use std::sync::Arc;
use std::time::Duration;

use temporalio_macros::activities;
use temporalio_sdk::activities::{ActivityContext, ActivityError};
use tokio::time::sleep;
use toolwright::CancellationToken;
use toolwright::ToolError;
use toolwright::content::{ErrorKind, ToolResult};
use toolwright::dispatch::{DispatchError, DispatchOutcome, DispatchedCall};
use toolwright::executor::ToolHost;

use crate::heartbeat::Heartbeat;
use crate::packet::{Packet, PacketError, PacketStore};

/// The attempts to reach the content store for a call that may not have another attempt, and the pause after the first,
/// doubled each time.
const STORE_ATTEMPTS: (u32, Duration) = (5, Duration::from_millis(200));

/// The host of a worker, as its activity finds it.
pub struct ToolActivities {
    pub(crate) host: ToolHost,
    pub(crate) contents: PacketStore,
    pub(crate) heartbeat_interval: Duration,
}

#[activities]
impl ToolActivities {
    #[activity(name = "toolwright.run_tool")]
    pub async fn run_tool(
        self: Arc<Self>,
        ctx: ActivityContext,
        call: Packet,
    ) -> Result<Packet, ActivityError> {
        let cancellation = CancellationToken::new();
        let _heartbeat =
            Heartbeat::start(ctx.clone(), self.heartbeat_interval, cancellation.clone());
        let call: DispatchedCall = match self.unpack(&call).await {
            Ok(call) => call,
            Err(error) => return self.tell(&not_begun(&error, ctx.info().attempt)).await,
        };
        let attempt = ctx.info().attempt;
        let workflow = ctx.info().workflow_id.as_deref();
        let outcome = if workflow != Some(call.invocation().to_string().as_str()) {
            // Under another id the call would not be the only one of its name.
            let refused = DispatchError::refused("its workflow has not the id of its invocation");
            not_begun(&refused, attempt)
        } else if attempt > 1 && !call.definition().is_repeatable() {
            DispatchOutcome::CutOff(ToolError::new(
                ErrorKind::Unavailable,
                "the worker that ran the call is gone",
            ))
        } else {
            match self.host.execute(&call, &cancellation).await {
                Ok(result) if is_lost(&call, &result, &cancellation) => {
                    // The server does not try a call again that was cancelled; any other was given up with its worker.
                    return Err(ActivityError::from(Retry));
                }
                Ok(result) => DispatchOutcome::Ended(Box::new(result)),
                Err(refused) => not_begun(&refused, attempt),
            }
        };
        self.tell(&outcome).await
    }
}

impl ToolActivities {
    async fn unpack(&self, packet: &Packet) -> Result<DispatchedCall, PacketError> {
        let mut pauses = pauses();
        loop {
            match self.contents.unpack(packet).await {
                Err(error @ PacketError::Store(_)) => match pauses.next() {
                    Some(pause) => sleep(pause).await,
                    None => return Err(error),
                },
                other => return other,
            }
        }
    }

    /// Packs an outcome. One that cannot be packed ends the call as cut off: its body has run.
    async fn tell(&self, outcome: &DispatchOutcome) -> Result<Packet, ActivityError> {
        let mut pauses = pauses();
        let error = loop {
            match self.contents.pack(outcome).await {
                Ok(packet) => return Ok(packet),
                Err(error @ PacketError::Store(_)) => match pauses.next() {
                    Some(pause) => sleep(pause).await,
                    None => break error,
                },
                Err(error) => break error,
            }
        };
        let message = format!("the tool has run, and its result cannot be handed back: {error}");
        let lost = ToolError::new(ErrorKind::LimitExceeded, message);
        Ok(self.contents.pack(&DispatchOutcome::CutOff(lost)).await?)
    }
}

fn pauses() -> impl Iterator<Item = Duration> {
    (0..STORE_ATTEMPTS.0 - 1).map(|attempt| STORE_ATTEMPTS.1 * 2u32.saturating_pow(attempt))
}

/// Returns true if a body that may be repeated was cancelled, which its call was or was not.
fn is_lost(call: &DispatchedCall, result: &ToolResult, cancellation: &CancellationToken) -> bool {
    let kind = result.error().map(ToolError::kind);
    call.definition().is_repeatable()
        && cancellation.is_cancelled()
        && kind == Some(ErrorKind::Cancelled)
}

/// The outcome of a call that cannot run here. An attempt before may have begun.
fn not_begun(error: &(dyn std::error::Error + 'static), attempt: u32) -> DispatchOutcome {
    let has_run = if attempt > 1 {
        "an attempt before was cut off"
    } else {
        "it has not run"
    };
    let message = format!("the host of the tool did not take the call; {has_run}: {error}");
    let error = ToolError::new(ErrorKind::Unavailable, message);
    if attempt > 1 {
        DispatchOutcome::CutOff(error)
    } else {
        DispatchOutcome::NotRun(error)
    }
}

/// The body was cancelled with its worker, or with its call.
#[derive(Debug, thiserror::Error)]
#[error("the body was cancelled where it ran")]
struct Retry;
