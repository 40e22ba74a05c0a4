//! The workflow of a call as the server has it, for whoever waits for its end.

use std::time::{Duration, SystemTime};

use temporalio_client::errors::WorkflowInteractionError;
use temporalio_client::{
    Client, WorkflowDescribeOptions, WorkflowExecutionDescription, WorkflowFetchHistoryOptions,
    WorkflowHandle, WorkflowTerminateOptions,
};
use temporalio_common::protos::temporal::api::enums::v1::TimeoutType;
use temporalio_common::protos::temporal::api::failure::v1::Failure;
use temporalio_common::protos::temporal::api::failure::v1::failure::FailureInfo;
use temporalio_common::protos::temporal::api::history::v1::HistoryEvent;
use temporalio_common::protos::temporal::api::history::v1::history_event::Attributes;
use tokio::time::sleep;
use toolwright::dispatch::DispatchError;
use toolwright::id::InvocationId;

use crate::workflow::{ActivityEnding, CallEnd, CallWorkflow, GRACE};

/// The workflow of one call.
pub(crate) type CallHandle = WorkflowHandle<Client, CallWorkflow>;

/// The time after which a waiting process looks at the call the first time, and the longest time between two looks.
const LOOKS: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(5));

/// The longest time before its deadline at which a call that no worker has taken is given up, so that whoever waits hears
/// the reason in time; less of a call that has little time.
const EARLY: Duration = Duration::from_secs(1);

/// The events of a workflow of which no worker has taken the first task: its start, and the task.
const UNTOUCHED: usize = 2;

/// Looks at a call now and then, and ends with its end where no worker is left to tell it by the workflow: the only worker
/// of the pool was lost, or was shut down with this call as its last. A call that no worker has taken is given up
/// shortly before its deadline. Failures change nothing: the server ends the call too, only later.
pub(crate) async fn watch(handle: &CallHandle) -> CallEnd {
    let mut pause = LOOKS.0;
    loop {
        sleep(pause).await;
        pause = LOOKS.1;
        let described = handle.describe(WorkflowDescribeOptions::default()).await;
        let Ok(described) = described else { continue };
        if described.history_length() > UNTOUCHED {
            if !described.raw().pending_activities.is_empty() {
                continue;
            }
            if let Ok(Ended {
                by_activity: Some(end),
                ..
            }) = ended(handle).await
            {
                return end;
            }
        } else if let Some(remaining) = remaining(&described) {
            pause = pause.min(remaining);
            if remaining.is_zero() {
                let options = WorkflowTerminateOptions::builder()
                    .reason("no worker took the call before its deadline")
                    .build();
                drop(handle.terminate(options).await);
                pause = LOOKS.1;
            }
        }
    }
}

/// The time until an untaken call is given up, if it has a deadline.
fn remaining(described: &WorkflowExecutionDescription) -> Option<Duration> {
    let config = described.raw().execution_config.as_ref()?;
    let limit: Duration = config.workflow_execution_timeout?.try_into().ok()?;
    let limit = limit.checked_sub(2 * GRACE)?;
    let limit = limit.saturating_sub(EARLY.min(limit / 10));
    let end = described.start_time()?.checked_add(limit)?;
    Some(end.duration_since(SystemTime::now()).unwrap_or_default())
}

/// A call as its history tells it.
pub(crate) struct Ended {
    /// True if the activity was scheduled: without that no body has begun.
    pub(crate) was_scheduled: bool,
    /// The end of the activity, if it has one.
    pub(crate) by_activity: Option<CallEnd>,
}

/// Reads a history.
pub(crate) async fn ended(handle: &CallHandle) -> Result<Ended, WorkflowInteractionError> {
    let history = handle.fetch_history(WorkflowFetchHistoryOptions::default());
    let events = history.into_events().await?;
    let mut ended = Ended {
        was_scheduled: false,
        by_activity: None,
    };
    let mut is_once = false;
    for event in events {
        if let Some(Attributes::ActivityTaskScheduledEventAttributes(scheduled)) = &event.attributes
        {
            ended.was_scheduled = true;
            is_once = scheduled
                .retry_policy
                .as_ref()
                .is_some_and(|policy| policy.maximum_attempts == 1);
        }
        if let Some(end) = activity_end(event, is_once) {
            ended.by_activity = Some(end);
        }
    }
    Ok(ended)
}

/// The end of the activity, if that is the event. The server records an attempt only if none follows.
fn activity_end(event: HistoryEvent, is_once: bool) -> Option<CallEnd> {
    let ending = match event.attributes? {
        Attributes::ActivityTaskCompletedEventAttributes(completed) => {
            let payload = completed.result?.payloads.into_iter().next()?;
            return serde_json::from_slice(&payload.data)
                .ok()
                .map(CallEnd::Told);
        }
        Attributes::ActivityTaskTimedOutEventAttributes(timed_out) => {
            match timed_out.failure.as_ref().and_then(timeout_type) {
                Some(TimeoutType::ScheduleToStart) => ActivityEnding::NotStarted,
                Some(TimeoutType::Heartbeat) => ActivityEnding::Lost,
                _ => ActivityEnding::TimedOut,
            }
        }
        Attributes::ActivityTaskCanceledEventAttributes(_) => ActivityEnding::Cancelled,
        Attributes::ActivityTaskFailedEventAttributes(_) => ActivityEnding::Failed,
        _ => return None,
    };
    Some(ending.of_call(is_once))
}

fn timeout_type(failure: &Failure) -> Option<TimeoutType> {
    match failure.failure_info.as_ref()? {
        FailureInfo::TimeoutFailureInfo(info) => Some(info.timeout_type()),
        _ => None,
    }
}

/// The error of a question about a call.
pub(crate) fn interaction(error: WorkflowInteractionError, call: InvocationId) -> DispatchError {
    match error {
        WorkflowInteractionError::NotFound(_) => DispatchError::unknown(call),
        error => DispatchError::unavailable(error),
    }
}
