//! The permissions of a call: what its checker, the session's grants and the answers so far say of it and of its
//! requests.

use crate::arguments::Arguments;
use crate::content::ToolError;
use crate::context::{ToolContext, by_grants, refused};
use crate::executor::call::ask_gates::{GatesAsked, ask_gates};
use crate::executor::call::state::ParsedCall;
use crate::executor::catalog::foreknown::ToolVerdict;
use crate::executor::core::shared::ExecutorCore;
use crate::executor::guard::catch_tool_panic;
use crate::executor::people::mode::WaitMode;
use crate::hook::GateCall;
use crate::id::ToolName;
use crate::permission::{
    Asking, CallView, Judgement, PermissionRequest, SessionGrants, Verdict, call_of,
};
use crate::registry::ToolEntry;
use crate::tool::Invocation;
use crate::util::cold::cold_path;

impl ToolVerdict {
    /// Returns true if a call runs whatever another process has stored, as long as nobody is asked
    /// about it: its tool is pure, and nothing was refused here.
    pub(crate) fn goes_without_store(&self, shared: &ExecutorCore, grants: &SessionGrants) -> bool {
        let people = &shared.base.people;
        let may_be_refused = grants.has_denials() || people.broker.has_refused();
        self.is_pure && !people.is_own_store && !may_be_refused
    }
}

/// The input of a permission check.
pub(crate) struct PermissionCheck<'c> {
    pub(crate) entry: &'c ToolEntry,
    pub(crate) foreknown: &'c ToolVerdict,
    /// Those that run.
    pub(crate) arguments: &'c Arguments<'c>,
    pub(crate) purpose: Option<&'c str>,
}

impl<'c> PermissionCheck<'c> {
    /// The call as gates see it.
    pub(crate) fn gate_call(&self, context: &'c ToolContext) -> Result<GateCall<'c>, ToolError> {
        let spec = catch_tool_panic("the tool", || self.entry.tool.spec())?;
        Ok(GateCall::new(spec, self.arguments, context).with_purpose(self.purpose))
    }

    #[inline]
    fn view<'v>(&'v self, context: &'v ToolContext) -> Result<CallView<'v>, ToolError> {
        let spec = catch_tool_panic("the tool", || self.entry.tool.spec())?;
        let view = CallView::new(spec, self.arguments).with_purpose(self.purpose);
        Ok(view.with_caller(context.caller()))
    }
}

/// The requests of a call, and the ruling on them.
pub(crate) struct Assessment {
    /// Empty if the call as such is denied: the requests were not worked out.
    pub(crate) requests: Vec<PermissionRequest>,
    pub(crate) ruling: Judgement,
}

/// A call that needs more than the plain path before it may run, and is not denied yet.
pub(crate) struct NeedsReview {
    /// Those that run.
    pub(crate) arguments: Arguments<'static>,
    pub(crate) done: JudgedSoFar,
}

/// The part of the stages 3 and 4 that a call has behind it.
#[derive(Default)]
pub(crate) struct JudgedSoFar {
    pub(crate) gates: GatesAsked,
    /// `None` if the checker was not asked yet.
    pub(crate) assessment: Option<Assessment>,
}

/// Asks the gates, and then as [`permit`].
#[inline]
pub(crate) fn gate_and_permit<'c>(
    shared: &ExecutorCore,
    asked: &PermissionCheck<'c>,
    invocation: &dyn Invocation,
    context: &'c ToolContext,
) -> Result<Option<Box<NeedsReview>>, ToolError> {
    if shared.hooks.gates.is_empty() {
        return permit(shared, asked, invocation, context);
    }
    cold_path();
    let grants = &context.session.grants;
    // The grants are read before the gates are asked.
    if !grants.are_current(&shared.base.people.broker)
        && !asked.foreknown.goes_without_store(shared, grants)
    {
        return Ok(Some(Box::new(review(asked, None))));
    }
    let answer = ask_gates(&shared.hooks, 0, &asked.gate_call(context)?);
    let mut review = match answer {
        None => permit(shared, asked, invocation, context)?,
        Some(_) => Some(Box::new(review(asked, None))),
    };
    if let Some(review) = &mut review {
        review.done.gates = match answer {
            None => GatesAsked::All(context.state.version()),
            Some(answer) => GatesAsked::UpTo(Box::new(answer)),
        };
    }
    Ok(review)
}

/// Lets a call go on, or tells what has to be looked at more closely, or says why it may not.
#[inline]
pub(crate) fn permit(
    shared: &ExecutorCore,
    asked: &PermissionCheck<'_>,
    invocation: &dyn Invocation,
    context: &ToolContext,
) -> Result<Option<Box<NeedsReview>>, ToolError> {
    let grants = &context.session.grants;
    if !grants.are_current(&shared.base.people.broker) {
        return permit_unread(shared, asked, invocation, context);
    }
    if grants.has_denials() {
        cold_path();
        return Ok(Some(Box::new(review(asked, None))));
    }
    // Nearly every call.
    if asked.foreknown.lets_run {
        let requests = catch_tool_panic("the tool", || invocation.proposed_requests(context))??;
        if requests.is_empty() {
            return Ok(None);
        }
        let judge = &context.session.judge;
        if judge.is_async() {
            return Ok(Some(Box::new(review(asked, None))));
        }
        let ruling = judge.evaluate(&asked.view(context)?, &Verdict::Allow, &requests);
        return needs_review(shared, asked, context, Assessment { requests, ruling });
    }
    permit_as_weighed(shared, asked, invocation, context)
}

/// The same where the store of grants has to be read, unless the call does without.
#[cold]
fn permit_unread(
    shared: &ExecutorCore,
    asked: &PermissionCheck<'_>,
    invocation: &dyn Invocation,
    context: &ToolContext,
) -> Result<Option<Box<NeedsReview>>, ToolError> {
    let foreknown = asked.foreknown;
    let grants = &context.session.grants;
    if foreknown.lets_run && foreknown.goes_without_store(shared, grants) {
        let requests = catch_tool_panic("the tool", || invocation.proposed_requests(context))??;
        if requests.is_empty() {
            return Ok(None);
        }
    }
    Ok(Some(Box::new(review(asked, None))))
}

fn permit_as_weighed(
    shared: &ExecutorCore,
    asked: &PermissionCheck<'_>,
    invocation: &dyn Invocation,
    context: &ToolContext,
) -> Result<Option<Box<NeedsReview>>, ToolError> {
    if context.session.judge.is_async() {
        return Ok(Some(Box::new(review(asked, None))));
    }
    let assessment = assess(asked, invocation, context)?;
    needs_review(shared, asked, context, assessment)
}

#[inline]
fn needs_review(
    shared: &ExecutorCore,
    asked: &PermissionCheck<'_>,
    context: &ToolContext,
    assessment: Assessment,
) -> Result<Option<Box<NeedsReview>>, ToolError> {
    if assessment.ruling.is_clear() {
        return Ok(None);
    }
    let base = &shared.base;
    // Nobody is there, and nothing was granted: there is nothing to look at.
    if base.people.mode == WaitMode::Unattended && context.session.grants.is_empty() {
        let judge = &context.session.judge;
        let refused = judge.refusal(&asked.entry.name, assessment.ruling);
        return refused.map(|()| None);
    }
    Ok(Some(Box::new(review(asked, Some(assessment)))))
}

#[cold]
fn review(asked: &PermissionCheck<'_>, assessment: Option<Assessment>) -> NeedsReview {
    NeedsReview {
        arguments: asked.arguments.clone().into_owned(),
        done: JudgedSoFar {
            gates: GatesAsked::None,
            assessment,
        },
    }
}

/// Returns the requests of a call that a person has yet to allow, by its judge, the session's grants and what was answered
/// to it.
pub(crate) fn left_to_ask(
    asked: &PermissionCheck<'_>,
    assessment: Assessment,
    context: &ToolContext,
) -> Result<Vec<Asking>, ToolError> {
    let tool = &asked.entry.name;
    let Assessment {
        mut requests,
        ruling,
    } = assessment;
    let mut asks = ruling.asks(tool)?;
    // Without grants there is nothing to compare requests with.
    if !context.session.grants.is_empty() {
        requests.push(call_of(tool));
        let spec = catch_tool_panic("the tool", || asked.entry.tool.spec())?;
        asks = by_grants(context, spec, &requests, asks)?;
    }
    unanswered(tool, asks, context)
}

/// Returns the asks that nobody has answered yet.
///
/// # Errors
///
/// Fails if a person has refused one of them.
pub(crate) fn unanswered(
    tool: &ToolName,
    asks: Vec<Asking>,
    context: &ToolContext,
) -> Result<Vec<Asking>, ToolError> {
    let mut left = Vec::with_capacity(asks.len());
    for asking in asks {
        match context.approval_of(&asking.request) {
            None => left.push(asking),
            Some(answer) if answer.is_refusal() => {
                let summary = asking.request.summary();
                return Err(refused(tool, summary, answer.reason()));
            }
            Some(_) => {}
        }
    }
    Ok(left)
}

/// Judges the call as such and all of its requests, as far as that takes no waiting.
#[inline]
pub(crate) fn assess(
    asked: &PermissionCheck<'_>,
    invocation: &dyn Invocation,
    context: &ToolContext,
) -> Result<Assessment, ToolError> {
    let ToolVerdict {
        verdict,
        looks_at_call,
        ..
    } = asked.foreknown;
    if *looks_at_call {
        return assess_call(asked, invocation, context);
    }
    let requests = propose(verdict, invocation, context)?;
    let ruling = if requests.is_empty() {
        Judgement::of(verdict)
    } else {
        let judge = &context.session.judge;
        judge.evaluate(&asked.view(context)?, verdict, &requests)
    };
    Ok(Assessment { requests, ruling })
}

/// The same, where the verdict on the call takes the place of that on the tool.
fn assess_call(
    asked: &PermissionCheck<'_>,
    invocation: &dyn Invocation,
    context: &ToolContext,
) -> Result<Assessment, ToolError> {
    // All share one view, so that the canonical arguments are made once.
    let call = asked.view(context)?;
    let judge = &context.session.judge;
    let verdict = judge.call(&call);
    let requests = propose(&verdict, invocation, context)?;
    let ruling = judge.evaluate(&call, &verdict, &requests);
    Ok(Assessment { requests, ruling })
}

/// Judges the call as such and all of its requests, and waits for the checker where that is asynchronous.
pub(crate) async fn assess_awaited(
    asked: &PermissionCheck<'_>,
    parsed: &mut ParsedCall,
    context: &ToolContext,
) -> Result<Assessment, ToolError> {
    let judge = &context.session.judge;
    if !judge.is_async() {
        return assess(asked, parsed.get().ok_or_else(unparsed)?, context);
    }
    let cancellation = context.cancel_scope().token();
    let call = asked.view(context)?;
    let verdict = if asked.foreknown.looks_at_call {
        judge.call_awaited(&call, cancellation).await?
    } else {
        asked.foreknown.verdict.clone()
    };
    let requests = propose(&verdict, parsed.get().ok_or_else(unparsed)?, context)?;
    let assessment = judge.evaluate_awaited(&call, &verdict, &requests, cancellation);
    let ruling = assessment.await?;
    Ok(Assessment { requests, ruling })
}

/// A fault of ours: a call is judged when it is parsed.
#[cold]
pub(crate) fn unparsed() -> ToolError {
    ToolError::internal("the call was not read")
}

/// Works out what a call asks for, unless it is denied whatever that is.
#[inline]
fn propose(
    verdict: &Verdict,
    invocation: &dyn Invocation,
    context: &ToolContext,
) -> Result<Vec<PermissionRequest>, ToolError> {
    if verdict.is_final_denial() {
        return Ok(Vec::new());
    }
    catch_tool_panic("the tool", || invocation.proposed_requests(context))?
}
