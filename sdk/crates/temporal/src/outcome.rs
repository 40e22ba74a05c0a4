//! The outcome of a call, by the end of its workflow.

use std::time::Duration;

use temporalio_client::WorkflowGetResultOptions;
use temporalio_client::errors::WorkflowGetResultError;
use tokio::time::timeout;
use toolwright::ToolError;
use toolwright::content::ErrorKind;
use toolwright::dispatch::{DispatchError, DispatchOutcome};
use toolwright::id::InvocationId;

use crate::history::{CallHandle, ended, interaction, watch};
use crate::packet::{PacketError, PacketStore};
use crate::workflow::{CallEnd, CutOffCause};

/// Waits for the end of a call.
pub(crate) async fn outcome(
    handle: &CallHandle,
    contents: &PacketStore,
    call: InvocationId,
    wait: Duration,
) -> Result<Option<DispatchOutcome>, DispatchError> {
    let ended = async {
        tokio::select! {
            ended = handle.get_result(WorkflowGetResultOptions::default()) => ended,
            end = watch(handle) => Ok(end),
        }
    };
    let end = match timeout(wait, ended).await {
        Err(_) => return Ok(None),
        Ok(Ok(end)) => end,
        Ok(Err(WorkflowGetResultError::NotFound(_))) => return Err(DispatchError::unknown(call)),
        Ok(Err(error)) if error.is_workflow_outcome() => closed(handle, call).await?,
        Ok(Err(error)) => return Err(DispatchError::unavailable(error)),
    };
    Ok(Some(match end {
        CallEnd::Told(packet) => match contents.unpack(&packet).await {
            Ok(outcome) => outcome,
            Err(PacketError::Store(error)) => return Err(DispatchError::unavailable(error)),
            Err(error) => DispatchOutcome::CutOff(
                ToolError::new(ErrorKind::Internal, "the result of the call cannot be read")
                    .with_source(error),
            ),
        },
        CallEnd::NotTaken => DispatchOutcome::NotRun(not_taken()),
        CallEnd::NotBegun => DispatchOutcome::NotRun(ToolError::new(
            ErrorKind::Cancelled,
            "the call was cancelled before it began",
        )),
        CallEnd::CutOff(cause) => DispatchOutcome::CutOff(cut_off(cause)),
    }))
}

/// The end of a workflow that was ended from outside, or by its own limit.
async fn closed(handle: &CallHandle, call: InvocationId) -> Result<CallEnd, DispatchError> {
    let ended = ended(handle)
        .await
        .map_err(|error| interaction(error, call))?;
    Ok(match ended.by_activity {
        Some(end) => end,
        None if ended.was_scheduled => CallEnd::CutOff(CutOffCause::TimedOut),
        None => CallEnd::NotTaken,
    })
}

fn not_taken() -> ToolError {
    let message = "no machine that can run this tool was free before the call's time was over; it has not run";
    ToolError::new(ErrorKind::Unavailable, message)
        .with_code("no_worker")
        .with_retryable(true)
}

fn cut_off(cause: CutOffCause) -> ToolError {
    let (kind, message) = match cause {
        CutOffCause::Lost => (
            ErrorKind::Unavailable,
            "the machine that ran the call is gone",
        ),
        CutOffCause::TimedOut => (ErrorKind::TimedOut, "the time of the call was over"),
        CutOffCause::Cancelled => (ErrorKind::Cancelled, "the call was cancelled while it ran"),
        CutOffCause::Failed => (
            ErrorKind::Unavailable,
            "the machine that ran the call could not tell its end",
        ),
    };
    ToolError::new(kind, message)
}
