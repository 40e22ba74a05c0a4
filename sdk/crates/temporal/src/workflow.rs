//! The one workflow: it schedules the one activity, and tells how it ended. Nothing of a tool runs in it.

#![allow(
    unreachable_pub,
    missing_docs,
    missing_debug_implementations,
    reason = "the expansions of the macros name public items without documentation"
)]

use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use temporalio_common::RetryPolicy;
use temporalio_common::error::TimeoutError;
use temporalio_macros::{workflow, workflow_methods};
use temporalio_sdk::{
    ActivityCancellationType, ActivityCloseTimeouts, ActivityExecutionError, ActivityOptions,
    TimeoutType, WorkflowContext, WorkflowResult,
};

use crate::activity::ToolActivities;
use crate::packet::Packet;

/// The time by which each limit on the server is longer than the one within it, so that the inner one tells how it ended.
pub(crate) const GRACE: Duration = Duration::from_secs(5);

/// The longest limit that the server is given, and that of an attempt of a tool that has no timeout: its body is given up
/// when its heartbeats end, not before.
pub(crate) const NO_LIMIT: Duration = Duration::from_hours(365 * 24);

/// The pauses before another attempt: the first, doubled each time, and the longest.
const PAUSES: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(30));

/// The input of the workflow.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CallInput {
    pub(crate) call: Packet,
    pub(crate) deadline: Option<SystemTime>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) heartbeat_timeout: Duration,
    pub(crate) attempts: u32,
}

/// The end of a call, as its workflow tells it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallEnd {
    /// The outcome that the host told.
    Told(Packet),
    /// No worker took the call in its time.
    NotTaken,
    /// The call was cancelled before a worker took it.
    NotBegun,
    /// The body may have begun, and was cut off.
    CutOff(CutOffCause),
}

/// The reason why a body was cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CutOffCause {
    /// Its worker gave no sign any more.
    Lost,
    /// Its time was over.
    TimedOut,
    /// The call was cancelled.
    Cancelled,
    /// Its worker could not tell its end.
    Failed,
}

#[workflow]
#[derive(Default)]
pub struct CallWorkflow;

#[workflow_methods]
impl CallWorkflow {
    #[run(name = "toolwright.call")]
    pub async fn run(ctx: &mut WorkflowContext<Self>, input: CallInput) -> WorkflowResult<CallEnd> {
        if ctx.cancellation_token().is_cancelled() {
            return Ok(CallEnd::NotBegun);
        }
        let remaining = match (input.deadline, ctx.workflow_time()) {
            (Some(deadline), Some(now)) => match deadline.duration_since(now) {
                Ok(remaining) => Some(remaining.min(NO_LIMIT)),
                Err(_) => return Ok(CallEnd::NotTaken),
            },
            _ => None,
        };
        let attempts = input.attempts;
        let options = options(&input, remaining);
        let ended = ctx
            .execute_activity(ToolActivities::run_tool, input.call, options)
            .await;
        let is_cancelled = ctx.cancellation_token().is_cancelled();
        Ok(ended.map_or_else(
            |error| end(&error, attempts == 1, is_cancelled),
            CallEnd::Told,
        ))
    }
}

fn options(input: &CallInput, remaining: Option<Duration>) -> ActivityOptions {
    let start_to_close = input
        .timeout
        .map_or(NO_LIMIT, |timeout| timeout.min(NO_LIMIT) + GRACE);
    let timeouts = match remaining {
        Some(remaining) => ActivityCloseTimeouts::ScheduleAndStartToClose {
            schedule_to_close: remaining + GRACE,
            start_to_close,
        },
        None => ActivityCloseTimeouts::StartToClose(start_to_close),
    };
    let retries = RetryPolicy::builder()
        .initial_interval(PAUSES.0)
        .maximum_interval(PAUSES.1)
        .maximum_attempts(input.attempts)
        .build();
    ActivityOptions::with_close_timeouts(timeouts)
        .maybe_schedule_to_start_timeout(remaining)
        .heartbeat_timeout(input.heartbeat_timeout)
        .cancellation_type(ActivityCancellationType::WaitCancellationCompleted)
        .retry_policy(retries)
        .build()
}

fn end(error: &ActivityExecutionError, is_once: bool, is_cancelled: bool) -> CallEnd {
    let timeout = error.as_timeout().map(TimeoutError::timeout_type);
    let ending = match (error, timeout) {
        (_, Some(TimeoutType::ScheduleToStart)) => ActivityEnding::NotStarted,
        (_, Some(TimeoutType::Heartbeat)) => ActivityEnding::Lost,
        (_, Some(_)) => ActivityEnding::TimedOut,
        (ActivityExecutionError::Cancelled(_), _) => ActivityEnding::Cancelled,
        _ if is_cancelled => return CallEnd::CutOff(CutOffCause::Cancelled),
        _ => ActivityEnding::Failed,
    };
    ending.of_call(is_once)
}

/// The end of an activity that told no outcome.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ActivityEnding {
    NotStarted,
    Lost,
    TimedOut,
    Cancelled,
    Failed,
}

impl ActivityEnding {
    /// The end of its call. A host reports each end of a body as a result, so that the server calls an activity cancelled,
    /// or not started in its time, only while no host has it. Of a call that may be repeated an attempt before may have
    /// begun.
    pub(crate) fn of_call(self, is_once: bool) -> CallEnd {
        CallEnd::CutOff(match self {
            Self::NotStarted if is_once => return CallEnd::NotTaken,
            Self::Cancelled if is_once => return CallEnd::NotBegun,
            Self::Cancelled => CutOffCause::Cancelled,
            Self::Lost => CutOffCause::Lost,
            Self::NotStarted | Self::TimedOut => CutOffCause::TimedOut,
            Self::Failed => CutOffCause::Failed,
        })
    }
}
