//! The end of a call, read from its workflow.

use std::pin::pin;
use std::time::{Duration, SystemTime};

use temporalio_client::errors::{WorkflowGetResultError, WorkflowInteractionError};
use temporalio_client::{
    WorkflowDescribeOptions, WorkflowFetchHistoryOptions, WorkflowGetResultOptions,
    WorkflowTerminateOptions,
};
use temporalio_common::protos::temporal::api::enums::v1::EventType;
use tokio::time::{Instant, sleep, sleep_until, timeout_at};
use toolwright::ToolError;
use toolwright::content::ErrorKind;
use toolwright::dispatch::{DispatchError, DispatchOutcome};
use toolwright::id::InvocationId;

use crate::dispatcher::{CallHandle, TemporalDispatcher, interaction};
use crate::packet::PacketError;
use crate::workflow::{CallEnd, CutOffCause, GRACE};

/// The time after which a wait looks for the deadline of its call.
const SHORT: Duration = Duration::from_secs(1);

/// The longest time before its deadline at which a call that no worker has taken is given up, so that whoever waits hears
/// the reason in time; less of a call that has little time.
const EARLY: Duration = Duration::from_secs(1);

/// The events of a workflow of which no worker has taken the first task: its start, and the task.
const UNTOUCHED: usize = 2;

pub(crate) async fn outcome(
    dispatcher: &TemporalDispatcher,
    call: InvocationId,
    wait: Duration,
) -> Result<Option<DispatchOutcome>, DispatchError> {
    let until = Instant::now() + wait;
    let handle = dispatcher.handle(call);
    let mut ended = pin!(handle.get_result(WorkflowGetResultOptions::default()));
    let given_up = async {
        sleep(SHORT).await;
        give_up_untaken(&handle).await
    };
    let waiting = async {
        tokio::select! {
            ended = &mut ended => return Some(ended),
            () = given_up => {}
        }
        timeout_at(until, ended).await.ok()
    };
    let Ok(Some(ended)) = timeout_at(until, waiting).await else {
        return Ok(None);
    };
    let outcome = match ended {
        Ok(CallEnd::Told(packet)) => match dispatcher.contents.unpack(&packet).await {
            Ok(outcome) => outcome,
            Err(PacketError::Store(error)) => return Err(DispatchError::unavailable(error)),
            Err(error) => DispatchOutcome::CutOff(
                ToolError::new(ErrorKind::Internal, "the result of the call cannot be read")
                    .with_source(error),
            ),
        },
        Ok(CallEnd::NotTaken) => not_taken(),
        Ok(CallEnd::NotBegun) => DispatchOutcome::NotRun(cancelled()),
        Ok(CallEnd::CutOff(cause)) => DispatchOutcome::CutOff(cut_off(cause)),
        Err(WorkflowGetResultError::NotFound(_)) => return Err(DispatchError::unknown(call)),
        Err(error) if error.is_workflow_outcome() => closed(&handle, call).await?,
        Err(error) => return Err(DispatchError::unavailable(error)),
    };
    Ok(Some(outcome))
}

/// Ends a call shortly before its deadline if no worker has taken it. Failures change nothing: the server ends the call
/// too, only later.
async fn give_up_untaken(handle: &CallHandle) {
    let Some(end) = deadline(handle).await else {
        return;
    };
    sleep_until(end).await;
    let described = handle.describe(WorkflowDescribeOptions::default()).await;
    if described.is_ok_and(|described| described.history_length() <= UNTOUCHED) {
        let options = WorkflowTerminateOptions::builder()
            .reason("no worker took the call before its deadline")
            .build();
        drop(handle.terminate(options).await);
    }
}

/// The time at which an untaken call is given up, if it has a deadline.
async fn deadline(handle: &CallHandle) -> Option<Instant> {
    let described = handle
        .describe(WorkflowDescribeOptions::default())
        .await
        .ok()?;
    let config = described.raw().execution_config.as_ref()?;
    let limit: Duration = config.workflow_execution_timeout?.try_into().ok()?;
    let limit = limit.checked_sub(2 * GRACE)?;
    let early = EARLY.min(limit / 10);
    let end = described.start_time()?.checked_add(limit - early)?;
    let remaining = end.duration_since(SystemTime::now()).unwrap_or_default();
    Some(Instant::now() + remaining)
}

/// The outcome of a workflow that was ended from outside, or by its own limit. Its history says if the activity was
/// scheduled: without that no body has begun.
async fn closed(handle: &CallHandle, call: InvocationId) -> Result<DispatchOutcome, DispatchError> {
    let events = handle.fetch_history(WorkflowFetchHistoryOptions::default());
    let events = events.into_events().await;
    let events = events.map_err(|error: WorkflowInteractionError| interaction(error, call))?;
    let was_scheduled = events
        .iter()
        .any(|event| event.event_type() == EventType::ActivityTaskScheduled);
    Ok(if was_scheduled {
        DispatchOutcome::CutOff(cut_off(CutOffCause::TimedOut))
    } else {
        not_taken()
    })
}

fn not_taken() -> DispatchOutcome {
    DispatchOutcome::NotRun(
        ToolError::new(
            ErrorKind::Unavailable,
            "no machine that can run this tool was free before the call's time was over; it has not run",
        )
        .with_code("no_worker")
        .with_retryable(true),
    )
}

fn cancelled() -> ToolError {
    ToolError::new(
        ErrorKind::Cancelled,
        "the call was cancelled before it began",
    )
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
