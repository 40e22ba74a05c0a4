//! The end of each call, however it came about: the output check, commands, the limit of what the model sees, and the
//! outcome. No other file makes one.

use std::mem;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::content::{
    CallStatus, Content, ResultSource, ToolCall, ToolError, ToolOutput, ToolResult,
};
use crate::context::{SessionScope, ToolContext};
use crate::executor::arguments::read::ReadNotes;
use crate::executor::call::commands::apply_or_fail;
use crate::executor::call::reached::{PlainCall, PlainEnd};
use crate::executor::call::state::CallState;
use crate::executor::catalog::tools::{Catalog, ToolPlan};
use crate::executor::core::hold::CoreHold;
use crate::executor::core::shared::ExecutorCore;
use crate::executor::core::site::CallSite;
use crate::executor::output::large::DEFAULT_LIMIT;
use crate::id::{CallId, CallIdentity, InvocationId, Label, ToolName, TurnId};
use crate::outcome::{Suspension, ToolOutcome};
use crate::state::StateCommand;
use crate::ticket::{Ticket, Wait, WaitKind};
use crate::util::cold::cold_path;

/// The details of a result besides its output.
#[derive(Default)]
pub(crate) struct ResultDetails {
    pub(crate) notes: ReadNotes,
    /// The start of the call. `None` if no times are measured.
    pub(crate) begun: Option<Instant>,
    /// True if a person changed the arguments.
    pub(crate) edited: bool,
    /// Texts that the model reads after the output.
    pub(crate) remarks: Vec<String>,
}

/// Checks the output of a body, and then has its commands happen: a call whose output is refused has not
/// succeeded.
#[expect(
    clippy::inline_always,
    reason = "an output is moved once more for each call between"
)]
#[inline(always)]
pub(crate) fn settle(
    plan: &ToolPlan,
    source: &mut ResultSource,
    output: &mut ToolOutput,
    happen: impl FnOnce(Vec<StateCommand>) -> Result<(), ToolError>,
) {
    if *source == ResultSource::Tool {
        plan.check(output);
    }
    if !output.commands().is_empty() {
        cold_path();
        apply_or_fail(source, output, happen);
    }
}

impl<C: CoreHold> PlainCall<'_, C> {
    /// The identity of the call. What it takes from the context it takes from its place: contexts are large.
    #[expect(clippy::inline_always, reason = "as `settle`")]
    #[inline(always)]
    pub(crate) fn identity(
        &self,
        context: &mut ToolContext,
        (turn, invocation): (TurnId, InvocationId),
    ) -> CallIdentity {
        CallIdentity {
            turn,
            invocation,
            parent: context
                .call
                .call_stack()
                .map(|call_stack| call_stack.parent),
            call_id: context.call.call_id.take(),
            tool: self.catalog().entry(context.call.number).name.label(),
        }
    }

    /// Returns true if there is nothing to tell but the output, and nobody to tell it to.
    #[inline]
    pub(crate) fn ends_without_details(&self, output: &ToolOutput) -> bool {
        let is_fatal = output.error.as_ref().is_some_and(ToolError::is_fatal);
        self.rare.is_none() && self.observer.is_none() && !is_fatal
    }

    /// Makes the outcome, if it [has no details](Self::ends_without_details). All that may fail or be dropped comes
    /// first: what stays is written where the caller has it, and is moved no more.
    #[expect(clippy::inline_always, reason = "as `settle`")]
    #[inline(always)]
    pub(crate) fn conclude_plainly(
        &self,
        context: &mut ToolContext,
        invocation: InvocationId,
        source: ResultSource,
        output: &mut ToolOutput,
    ) -> ToolOutcome {
        let tool = &self.catalog().entry(context.call.number).name;
        let ids = (context.call.call_id.take(), invocation, tool);
        completed(ids, source, mem::take(output))
    }

    /// Makes the outcome, and tells whoever observes the call, which has taken that time, unless the clock was not
    /// read.
    #[inline(never)]
    pub(crate) fn conclude(
        mut self,
        context: &mut ToolContext,
        ids: (TurnId, InvocationId),
        elapsed: Option<Duration>,
        source: ResultSource,
        output: &mut ToolOutput,
    ) -> ToolOutcome {
        let mut observer = self.observer.take();
        let outcome = if self.ends_without_details(output) {
            self.conclude_plainly(context, ids.1, source, output)
        } else {
            let identity = self.identity(context, ids);
            self.outcome_with_details(identity, source, mem::take(output))
        };
        if let Some(observer) = &mut observer {
            observer.end_plain(&outcome, elapsed);
        }
        outcome
    }

    /// The outcome where there is more to tell than the output.
    #[inline(never)]
    fn outcome_with_details(
        self,
        identity: CallIdentity,
        source: ResultSource,
        output: ToolOutput,
    ) -> ToolOutcome {
        let details = self.rare.map(|rare| ResultDetails {
            notes: rare.notes,
            begun: rare.begun,
            ..ResultDetails::default()
        });
        ended(identity, source, output, details)
    }
}

/// The outcome of a call that has nothing to tell but its output.
#[expect(clippy::inline_always, reason = "as `settle`")]
#[inline(always)]
pub(crate) fn completed(
    (call_id, invocation, tool): (Option<CallId>, InvocationId, &ToolName),
    source: ResultSource,
    output: ToolOutput,
) -> ToolOutcome {
    let parts = output.into_result_parts();
    ToolOutcome::Completed(ToolResult::new(
        call_id,
        invocation,
        tool.label(),
        source,
        parts,
    ))
}

/// Returns the most bytes of an output that the model sees, by the one rule for all calls.
///
/// An output of a tool, or of a gate, a hook, an answer or a record in its place, has the tool's limit. Text of
/// the executor has the larger of the executor's limit and 64 KiB. It is not held to the tool's limit, because
/// under one of a few bytes a model would not learn why its call did not run. It has a limit at all, because
/// checkers, gates and hooks write into it.
#[inline]
pub(crate) fn limit_of(
    shared: &ExecutorCore,
    plan: Option<&ToolPlan>,
    source: ResultSource,
) -> u64 {
    match (source, plan) {
        (ResultSource::Executor, _) | (_, None) => shared.planner.excess.limit.max(DEFAULT_LIMIT),
        (_, Some(plan)) => plan.output,
    }
}

/// Returns true if an output is larger than the model may see.
#[inline]
pub(crate) fn exceeds_limit(
    shared: &ExecutorCore,
    plan: Option<&ToolPlan>,
    source: ResultSource,
    output: &ToolOutput,
) -> bool {
    output.size() > limit_of(shared, plan, source)
}

/// Cuts an output to its limit, and keeps all of it where results are kept.
#[cold]
pub(crate) async fn cut(
    shared: &ExecutorCore,
    (catalog, number): (&Catalog, Option<usize>),
    (session, invocation): (&SessionScope, InvocationId),
    source: ResultSource,
    output: ToolOutput,
) -> ToolOutput {
    let limit = limit_of(shared, number.map(|number| catalog.plan(number)), source);
    let tool = (&*catalog.snapshot, number);
    let excess = &shared.planner.excess;
    excess.cut(tool, (session, invocation), output, limit).await
}

/// The end of a call that was not admitted.
#[cold]
pub(crate) fn refused(
    shared: &Arc<ExecutorCore>,
    site: &CallSite<'_>,
    call: &ToolCall<'_>,
    (begun, notes): (Option<Instant>, ReadNotes),
    (tool, output): (Label, impl Into<ToolOutput>),
) -> PlainEnd<'static> {
    let identity = site.identity(call.id().cloned(), tool);
    let of = (&*site.catalog, site.session);
    refused_as(shared, of, identity, (begun, notes), output.into())
}

/// The same by the identity of the call.
pub(crate) fn refused_as(
    shared: &Arc<ExecutorCore>,
    (catalog, session): (&Arc<Catalog>, &Arc<SessionScope>),
    identity: CallIdentity,
    (begun, notes): (Option<Instant>, ReadNotes),
    output: ToolOutput,
) -> PlainEnd<'static> {
    let source = ResultSource::Executor;
    let details = ResultDetails {
        notes,
        begun,
        ..ResultDetails::default()
    };
    if !exceeds_limit(shared, None, source, &output) {
        return Ok(ended(identity, source, output, Some(details)));
    }
    let (shared, catalog, session) = (Arc::clone(shared), Arc::clone(catalog), Arc::clone(session));
    Err(Box::pin(async move {
        let of = (&*session, identity.invocation);
        let output = cut(&shared, (&catalog, None), of, source, output).await;
        ended(identity, source, output, Some(details))
    }))
}

impl CallState {
    /// The call has ended.
    pub(crate) async fn finish(
        mut self: Box<Self>,
        mut source: ResultSource,
        mut output: ToolOutput,
    ) -> ToolOutcome {
        if self.shows_its_end() {
            (source, output) = self.after(source, output).await;
        } else {
            self.settle_own(&mut source, &mut output);
        }
        self.record_end_now(source, &mut output);
        self.finish_settled(source, output).await
    }

    /// Returns true if hooks see the end of the call.
    fn shows_its_end(&self) -> bool {
        self.passed && !self.shared.hooks.after.is_empty()
    }

    /// Returns true if nothing but its record and the limit of its output may have the call wait for its end.
    pub(crate) fn finishes_in_place(&self) -> bool {
        !self.shows_its_end() && !self.is_blocked()
    }

    /// Checks the output, and has the commands of the tool happen.
    pub(crate) fn settle_own(&self, source: &mut ResultSource, output: &mut ToolOutput) {
        settle(self.plan(), source, output, |all| self.apply(all));
    }

    /// Returns true if the model is to see less than the whole output.
    pub(crate) fn cuts(&self, source: ResultSource, output: &ToolOutput) -> bool {
        !self.is_hosted && exceeds_limit(&self.shared, Some(self.plan()), source, output)
    }

    /// The call has ended, and all but the limit of its output was looked at, and perhaps its record.
    pub(crate) async fn finish_settled(
        mut self: Box<Self>,
        mut source: ResultSource,
        mut output: ToolOutput,
    ) -> ToolOutcome {
        if self.recorder.is_some() {
            (source, output) = Box::pin(self.record_end(source, output)).await;
        }
        if self.cuts(source, &output) {
            let tool = (&*self.catalog, Some(self.number));
            let of = (&*self.session, self.identity.invocation);
            output = Box::pin(cut(&self.shared, tool, of, source, output)).await;
        }
        self.conclude(source, output)
    }

    /// Makes the outcome, and tells whoever observes the call.
    pub(crate) fn conclude(
        mut self: Box<Self>,
        source: ResultSource,
        output: ToolOutput,
    ) -> ToolOutcome {
        self.step(CallStatus::of_end(output.error.as_ref()));
        let remarks = self.remarks();
        let observer = self.let_go();
        let (identity, details) = self.into_details(remarks);
        let outcome = ended(identity, source, output, Some(details));
        if let Some(observer) = observer {
            observer.end(&outcome);
        }
        outcome
    }

    /// The call waits in a ticket, and its future ends.
    pub(crate) fn suspended(mut self: Box<Self>, asked: &Wait, ticket: Arc<Ticket>) -> ToolOutcome {
        let output = asked.waiting(&ticket);
        let observer = self.let_go();
        let (identity, details) = self.into_details(Vec::new());
        let outcome = suspended(identity, ticket, output, details);
        if let Some(observer) = observer {
            observer.end(&outcome);
        }
        outcome
    }

    fn into_details(self: Box<Self>, remarks: Vec<String>) -> (CallIdentity, ResultDetails) {
        let details = ResultDetails {
            notes: self.notes,
            begun: self.begun,
            edited: self.edited,
            remarks,
        };
        (self.identity, details)
    }

    /// Returns the remarks that tell the model what people did.
    pub(crate) fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if self.edited || self.rewritten {
            let spec = self.spec().ok();
            let canonical = spec.and_then(|spec| self.arguments.canonical(spec).ok());
            let who = match (self.edited, self.rewritten) {
                (true, true) => "The user and the app",
                (_, true) => "The app",
                (_, false) => "The user",
            };
            remarks.push(match canonical {
                Some(arguments) => {
                    format!("{who} changed the arguments of this call to: {arguments}")
                }
                None => format!("{who} changed the arguments of this call."),
            });
            let said = self.said.as_ref();
            remarks.extend(said.map(|said| format!("The user said why: {said}")));
        }
        for (kind, _, answer) in &self.answered {
            let said_yes = *kind == WaitKind::Approval && !answer.is_refusal();
            let Some(reason) = answer.reason().filter(|_| said_yes) else {
                continue;
            };
            let remark = format!("The user allowed this call and said: {reason}");
            // A person may give the same reason for several requests.
            if !remarks.contains(&remark) {
                remarks.push(remark);
            }
        }
        remarks
    }
}

/// Makes the outcome of a call that has ended.
#[expect(
    clippy::inline_always,
    reason = "an outcome is moved once more for each call between"
)]
#[inline(always)]
pub(crate) fn ended(
    identity: CallIdentity,
    source: ResultSource,
    output: ToolOutput,
    details: Option<ResultDetails>,
) -> ToolOutcome {
    let mut result = result(identity, source, output);
    if let Some(details) = details {
        let begun = details.begun;
        note(&mut result, details);
        if let Some(begun) = begun {
            result = result.with_duration(begun.elapsed());
        }
    }
    ToolOutcome::of(result)
}

/// Makes the outcome of a call that waits in a ticket.
pub(crate) fn suspended(
    identity: CallIdentity,
    ticket: Arc<Ticket>,
    output: ToolOutput,
    details: ResultDetails,
) -> ToolOutcome {
    let mut result = result(identity, ResultSource::Executor, output);
    let begun = details.begun;
    note(&mut result, details);
    if let Some(begun) = begun {
        result = result.with_duration(begun.elapsed());
    }
    let result = result.with_ticket(ticket.id());
    ToolOutcome::Suspended(Suspension::new(ticket, result))
}

#[expect(clippy::inline_always, reason = "as `ended`")]
#[inline(always)]
fn result(identity: CallIdentity, source: ResultSource, output: ToolOutput) -> ToolResult {
    let CallIdentity {
        invocation,
        call_id,
        tool,
        ..
    } = identity;
    ToolResult::new(
        call_id,
        invocation,
        tool,
        source,
        output.into_result_parts(),
    )
}

/// Notes the details but for the duration.
fn note(result: &mut ToolResult, details: ResultDetails) {
    result.note(details.notes.purpose, details.notes.repairs);
    if details.edited {
        result.note_edit();
    }
    for remark in details.remarks {
        result.push(Content::text(remark));
    }
}
