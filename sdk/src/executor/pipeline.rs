//! The stages of a call, in their order: resolve, parse and validate, permissions, run, result.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use super::guard::{Guarded, guarded};
use super::{FailedCall, Shared, ToolOutcome};
use crate::id::{CallId, InvocationId, Label, TurnId};
use crate::message::{
    Content, ErrorKind, ResultSource, ToolCall, ToolError, ToolOutput, ToolResult,
};
use crate::permission::{PermissionRequest, Verdict};
use crate::registry::Entry;
use crate::spec::ToolSpec;
use crate::tool::{CallScope, Invocation, SessionScope, ToolContext, TurnScope};

/// Runs a call through all stages.
pub(super) async fn run(
    shared: &Shared,
    session: &Arc<SessionScope>,
    turn: Option<&Arc<TurnScope>>,
    turn_id: TurnId,
    call: ToolCall<'_>,
) -> ToolOutcome {
    let begun = shared.measures_time.then(Instant::now);
    let invocation_id = shared.next_invocation();
    let call_id = call.id().cloned();
    let (tool, source, output) = match shared.snapshot.find(call.name()) {
        None => {
            let name = Label::from(std::borrow::Cow::Owned(call.name().to_owned()));
            (name, ResultSource::Executor, unknown(shared, call.name()).into())
        }
        Some((number, entry)) => {
            let context = || {
                ToolContext::new(
                    Arc::clone(session),
                    turn.cloned(),
                    CallScope {
                        turn_id,
                        call_id: call_id.clone(),
                        invocation_id,
                        tool: entry.name.clone(),
                        metadata: call.metadata().cloned(),
                        output_hint: shared.output_sizes[number].load(Ordering::Relaxed),
                    },
                )
            };
            match admit(shared, number, entry, &call, context) {
                Err(refused) => (entry.name.label(), ResultSource::Executor, refused.into()),
                Ok((invocation, context)) => {
                    let (source, output) = execute(shared, entry, invocation, &context).await;
                    note_size(shared, number, &output);
                    (entry.name.label(), source, output)
                }
            }
        }
    };
    finish(call_id, invocation_id, tool, source, output, begun)
}

/// The stages before the tool runs.
fn admit(
    shared: &Shared,
    number: usize,
    entry: &Entry,
    call: &ToolCall<'_>,
    context: impl FnOnce() -> ToolContext,
) -> Result<(Box<dyn Invocation>, ToolContext), ToolError> {
    let invocation = guarded("the tool", || entry.tool.parse(call.arguments()))??;
    let context = context();
    permit(shared, number, entry, &*invocation, &context)?;
    Ok((invocation, context))
}

/// Judges the tool itself and all requests of the call: a denial goes before an ask, and an ask
/// before an allowance.
fn permit(
    shared: &Shared,
    number: usize,
    entry: &Entry,
    invocation: &dyn Invocation,
    context: &ToolContext,
) -> Result<(), ToolError> {
    let own = &shared.verdicts[number];
    if let Verdict::Deny(denial) = own {
        return Err(denied(entry, None, denial.reason()));
    }
    let requests = guarded("the tool", || invocation.proposed_requests(context))??;
    if requests.is_empty() && *own == Verdict::Allow {
        return Ok(());
    }
    let mut asked = Vec::new();
    let mut reasons = Vec::new();
    if let Verdict::Ask(ask) = own {
        reasons.push(ask.why().to_owned());
    }
    let spec = entry.tool.spec();
    for request in &requests {
        match judge(shared, spec, request) {
            Verdict::Allow => {}
            Verdict::Ask(ask) => {
                asked.push(request.summary());
                reasons.push(ask.why().to_owned());
            }
            Verdict::Deny(denial) => return Err(denied(entry, Some(request), denial.reason())),
        }
    }
    if reasons.is_empty() {
        return Ok(());
    }
    reasons.sort();
    reasons.dedup();
    Err(unattended(shared, entry, &asked, &reasons))
}

fn judge(shared: &Shared, spec: &ToolSpec, request: &PermissionRequest) -> Verdict {
    guarded("the permission checker", || {
        shared.checker.check_request(spec, request)
    })
    .unwrap_or_else(|error| Verdict::deny(error.message().to_owned()))
}

fn denied(entry: &Entry, request: Option<&PermissionRequest>, reason: &str) -> ToolError {
    ToolError::denied(match request {
        None => format!("`{}` was denied: {reason}", entry.name),
        Some(request) => {
            let summary = request.summary();
            format!("`{}` was denied ({summary}): {reason}", entry.name)
        }
    })
}

/// A call that a person would have to allow, while there is nobody to ask.
fn unattended(shared: &Shared, entry: &Entry, asked: &[&str], reasons: &[String]) -> ToolError {
    let asked = match asked {
        [] => String::new(),
        some => format!(" ({})", some.join(", ")),
    };
    ToolError::denied(format!(
        "`{}` was denied{asked}: it needs approval because {}, and nobody is here to give it. {}",
        entry.name,
        reasons.join(" and "),
        shared.unattended_hint
    ))
    .with_code("approval_unavailable")
}

fn unknown(shared: &Shared, name: &str) -> ToolError {
    let shown: String = name.chars().take(128).collect();
    ToolError::not_found(match shared.snapshot.nearest(name) {
        Some(near) => format!("there is no tool `{shown}`; did you mean `{near}`?"),
        None => format!("there is no tool `{shown}`"),
    })
    .with_code("unknown_tool")
}

/// Runs the tool in place.
async fn execute(
    shared: &Shared,
    entry: &Entry,
    invocation: Box<dyn Invocation>,
    context: &ToolContext,
) -> (ResultSource, ToolOutput) {
    let spec = entry.tool.spec();
    let timeout = spec.timeout().or(shared.timeout);
    let ran = match guarded("the tool", || invocation.invoke(context)) {
        Ok(body) => Guarded::new(body, context.cancellation(), timeout).await,
        Err(panicked) => Err(panicked),
    };
    match ran {
        Ok(output) => (ResultSource::Tool, output),
        Err(error) => match error.kind() {
            ErrorKind::Cancelled | ErrorKind::TimedOut => {
                (ResultSource::Executor, interrupted(spec, error).into())
            }
            ErrorKind::Panicked => (ResultSource::Executor, error.into()),
            _ => (ResultSource::Tool, error.into()),
        },
    }
}

/// Says what is known of the effect of a call that did not come to its end.
fn interrupted(spec: &ToolSpec, error: ToolError) -> ToolError {
    if spec.effect().is_repeatable() {
        return error;
    }
    error
        .with_note("; whether it had an effect is unknown, so check before you repeat it")
        .with_retryable(false)
}

/// Remembers how much the tool wrote, for the next call to reserve.
fn note_size(shared: &Shared, number: usize, output: &ToolOutput) {
    if let [Content::Json { json }] = output.content() {
        shared.output_sizes[number].store(json.as_str().len(), Ordering::Relaxed);
    }
}

fn finish(
    call_id: Option<CallId>,
    invocation_id: InvocationId,
    tool: Label,
    source: ResultSource,
    output: ToolOutput,
    begun: Option<Instant>,
) -> ToolOutcome {
    let mut result = ToolResult::new(call_id, invocation_id, tool, source, output);
    if let Some(begun) = begun {
        result = result.with_duration(begun.elapsed());
    }
    match result.error().filter(|error| error.is_fatal()).cloned() {
        Some(error) => ToolOutcome::Failed(FailedCall::new(error, result)),
        None => ToolOutcome::Completed(result),
    }
}
