//! The rules for an answer to a wait, and the errors of a tool that gets none.

use std::error::Error;

use serde_json::Value;

use super::Question;
use crate::content::{ErrorKind, ToolError};
use crate::ticket::{Answer, Decision, PendingRequest, ResumeMode, WaitKind};

/// Checks that an answer fits its request; the text of the error is for the person who answers. Approvals are checked
/// by the code that knows the tools.
pub(crate) fn check_answer(
    kind: WaitKind,
    request: &PendingRequest,
    resume: ResumeMode,
    answer: &Answer,
) -> Result<(), String> {
    if kind == WaitKind::Approval {
        return Ok(());
    }
    let value = match (kind, answer.decision()) {
        (_, Decision::No) => return Ok(()),
        (WaitKind::SignIn, Decision::Yes) if resume == ResumeMode::RunAgain => return Ok(()),
        (_, Decision::Value(value)) => value,
        (WaitKind::SignIn, _) => return Err("a sign-in takes yes, a value, or no".to_owned()),
        (WaitKind::ExternalResult, _) => {
            return Err("an external result is a value; no says that there is none".to_owned());
        }
        _ => return Err("a question takes a value; no declines it".to_owned()),
    };
    if kind == WaitKind::Question {
        let question = Question::of(request)
            .ok_or_else(|| "the question cannot be read: it has a form unknown here".to_owned())?;
        question.check(value).map_err(|unfit| unfit.to_string())?;
    }
    if resume == ResumeMode::AnswerIsArguments && !value.is_object() {
        return Err("the answer becomes the arguments of the call: a JSON object".to_owned());
    }
    Ok(())
}

/// The value of an answer that fits: `null` for a plain yes, and the default of a question for `null`.
pub(crate) fn value_of(kind: WaitKind, request: &PendingRequest, answer: &Answer) -> Value {
    let Decision::Value(value) = answer.decision() else {
        return Value::Null;
    };
    let default = match (kind, value) {
        (WaitKind::Question, Value::Null) => Question::of(request),
        _ => None,
    };
    let default = default.and_then(|question| question.default);
    default.unwrap_or_else(|| value.clone())
}

/// The call, its turn or its session was cancelled.
#[cold]
pub(crate) fn cancelled() -> ToolError {
    ToolError::new(ErrorKind::Cancelled, "the call was cancelled")
}

/// An answer that was kept does not fit: its question is not what it was when it was answered, or a
/// test scripts something else.
#[cold]
pub(crate) fn unfit(summary: &str, why: &str) -> ToolError {
    ToolError::internal(format!("the answer does not fit ({summary}): {why}"))
        .with_code("unfit_answer")
}

/// The noun, and the beginning of the codes.
fn named(kind: WaitKind) -> (&'static str, &'static str) {
    match kind {
        WaitKind::Approval => ("approval", "approval"),
        WaitKind::SignIn => ("sign-in", "sign_in"),
        WaitKind::Question => ("question", "question"),
        WaitKind::ExternalResult => ("external result", "external_result"),
    }
}

/// Somebody said no. The reason is theirs, for the model.
#[cold]
pub(crate) fn declined(kind: WaitKind, summary: &str, reason: Option<&str>) -> ToolError {
    let (noun, code) = named(kind);
    let message = match (kind, reason) {
        (WaitKind::Question, None) => format!("the user declined to answer: {summary}"),
        (WaitKind::Question, Some(reason)) => {
            format!("the user declined to answer ({summary}): {reason}")
        }
        (_, None) => format!("the {noun} was declined: {summary}"),
        (_, Some(reason)) => format!("the {noun} was declined ({summary}): {reason}"),
    };
    ToolError::denied(message).with_code(format!("{code}_declined"))
}

/// Nobody answered in time.
#[cold]
pub(crate) fn expired(kind: WaitKind, summary: &str) -> ToolError {
    let (noun, code) = named(kind);
    let message = match kind {
        WaitKind::Question => format!("nobody answered in time: {summary}"),
        _ => format!("the {noun} did not come in time: {summary}"),
    };
    ToolError::new(ErrorKind::TimedOut, message).with_code(format!("{code}_expired"))
}

/// Nobody is there to ask.
#[cold]
pub(crate) fn unavailable(kind: WaitKind, summary: &str) -> ToolError {
    let (noun, code) = named(kind);
    let message = match kind {
        WaitKind::Question => format!(
            "nobody is there to answer a question ({summary}); go on without, or say what is missing"
        ),
        _ => format!("nobody is there to wait for: {noun} ({summary})"),
    };
    let error = match kind {
        WaitKind::Approval => ToolError::denied(message),
        _ => ToolError::unavailable(message),
    };
    error.with_code(format!("{code}_unavailable"))
}

/// The ticket could not be kept, read or settled.
#[cold]
pub(crate) fn no_tickets(error: impl Into<Box<dyn Error + Send + Sync>>) -> ToolError {
    ToolError::unavailable("nobody can be asked now: the ticket could not be kept or read")
        .with_code("tickets_unavailable")
        .with_source(error)
}
