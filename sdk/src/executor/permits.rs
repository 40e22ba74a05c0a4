//! The stage that asks for permission.

use super::guard::guarded;
use super::{Shared, WaitMode};
use crate::message::{Arguments, ToolError};
use crate::permission::{Asking, CallView, Judge, PermissionRequest, Ruling, Verdict, call_of};
use crate::registry::Entry;
use crate::spec::ToolSpec;
use crate::tool::{Invocation, ToolContext, by_grants, refused};

/// What the checker says of a tool before any call of it.
#[derive(Clone)]
pub(super) struct Foreknown {
    /// On the tool itself.
    verdict: Verdict,
    looks_at_arguments: bool,
    /// Whether there is nothing to be said of a call but of its requests.
    lets_run: bool,
}

impl Foreknown {
    pub(super) fn new(judge: &Judge, spec: &ToolSpec) -> Self {
        let verdict = judge.tool(spec);
        // There is no call to look at of a tool that never runs.
        let looks_at_arguments = !is_final_denial(&verdict) && judge.looks_at_arguments(spec);
        Self {
            lets_run: matches!(verdict, Verdict::Allow) && !looks_at_arguments,
            looks_at_arguments,
            verdict,
        }
    }

    /// Whether arguments may matter.
    #[inline]
    pub(super) fn looks_at_arguments(&self) -> bool {
        self.looks_at_arguments
    }
}

/// What is asked about when permissions are checked.
pub(super) struct Asked<'c> {
    pub(super) entry: &'c Entry,
    pub(super) foreknown: &'c Foreknown,
    /// Those that run.
    pub(super) arguments: &'c Arguments<'c>,
    pub(super) purpose: Option<&'c str>,
}

impl Asked<'_> {
    #[inline]
    pub(super) fn view(&self) -> Result<CallView<'_>, ToolError> {
        let spec = guarded("the tool", || self.entry.tool.spec())?;
        Ok(CallView::new(spec, self.arguments).with_purpose(self.purpose))
    }
}

/// What a call asks for, and what the verdicts on it come to.
pub(super) struct Weighed {
    /// None where the call as such is denied: they were not worked out.
    pub(super) requests: Vec<PermissionRequest>,
    pub(super) ruling: Ruling,
}

/// Why a call may not go on as it is, and is not denied yet.
pub(super) struct Doubt {
    /// Those that run.
    pub(super) arguments: Arguments<'static>,
    /// None where the checker was not asked yet.
    pub(super) weighed: Option<Weighed>,
}

/// Lets a call go on, or tells what has to be looked at more closely, or says why it may not.
#[inline]
pub(super) fn permit(
    shared: &Shared,
    asked: &Asked<'_>,
    invocation: &dyn Invocation,
    context: &ToolContext,
) -> Result<Option<Box<Doubt>>, ToolError> {
    let grants = &context.session.grants;
    if !grants.are_current(&shared.base.people.broker) || grants.has_denials() {
        return Ok(Some(Box::new(doubt(asked, None))));
    }
    // Nearly every call.
    if asked.foreknown.lets_run {
        let requests = guarded("the tool", || invocation.proposed_requests(context))??;
        if requests.is_empty() {
            return Ok(None);
        }
        let judge = &shared.base.judge;
        let ruling = judge.weigh(&asked.view()?, &Verdict::Allow, &requests);
        return doubted(shared, asked, context, Weighed { requests, ruling });
    }
    permit_as_weighed(shared, asked, invocation, context)
}

fn permit_as_weighed(
    shared: &Shared,
    asked: &Asked<'_>,
    invocation: &dyn Invocation,
    context: &ToolContext,
) -> Result<Option<Box<Doubt>>, ToolError> {
    let weighed = weigh(shared, asked, invocation, context)?;
    doubted(shared, asked, context, weighed)
}

#[inline]
fn doubted(
    shared: &Shared,
    asked: &Asked<'_>,
    context: &ToolContext,
    weighed: Weighed,
) -> Result<Option<Box<Doubt>>, ToolError> {
    if weighed.ruling.is_clear() {
        return Ok(None);
    }
    let base = &shared.base;
    // Nobody is there, and nothing was granted: there is nothing to look at.
    if base.people.mode == WaitMode::Unattended && context.session.grants.is_empty() {
        let refused = base.judge.refusal(&asked.entry.name, weighed.ruling);
        return refused.map(|()| None);
    }
    Ok(Some(Box::new(doubt(asked, Some(weighed)))))
}

#[cold]
fn doubt(asked: &Asked<'_>, weighed: Option<Weighed>) -> Doubt {
    Doubt {
        arguments: asked.arguments.clone().into_owned(),
        weighed,
    }
}

/// What a person has yet to allow of a call, by its judge, the session's grants and what was answered
/// to it.
pub(super) fn left_to_ask(
    asked: &Asked<'_>,
    weighed: Weighed,
    context: &ToolContext,
) -> Result<Vec<Asking>, ToolError> {
    let tool = &asked.entry.name;
    let Weighed {
        mut requests,
        ruling,
    } = weighed;
    let mut asks = ruling.asks(tool)?;
    // Without grants there is nothing to compare requests with.
    if !context.session.grants.is_empty() {
        requests.push(call_of(tool));
        let spec = guarded("the tool", || asked.entry.tool.spec())?;
        asks = by_grants(context, spec, &requests, asks)?;
    }
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

/// Judges the call as such and all of its requests.
#[inline]
pub(super) fn weigh(
    shared: &Shared,
    asked: &Asked<'_>,
    invocation: &dyn Invocation,
    context: &ToolContext,
) -> Result<Weighed, ToolError> {
    let Foreknown {
        verdict,
        looks_at_arguments,
        ..
    } = asked.foreknown;
    if *looks_at_arguments {
        return weigh_by_arguments(shared, asked, invocation, context);
    }
    let requests = propose(verdict, invocation, context)?;
    let ruling = if requests.is_empty() {
        Ruling::of(verdict)
    } else {
        shared.base.judge.weigh(&asked.view()?, verdict, &requests)
    };
    Ok(Weighed { requests, ruling })
}

/// The same, where the verdict on the call takes the place of that on the tool.
fn weigh_by_arguments(
    shared: &Shared,
    asked: &Asked<'_>,
    invocation: &dyn Invocation,
    context: &ToolContext,
) -> Result<Weighed, ToolError> {
    // One view for all, so that the canonical arguments are made once.
    let call = asked.view()?;
    let verdict = shared.base.judge.call(&call);
    let requests = propose(&verdict, invocation, context)?;
    let ruling = shared.base.judge.weigh(&call, &verdict, &requests);
    Ok(Weighed { requests, ruling })
}

/// Works out what a call asks for, unless it is denied whatever that is.
#[inline]
fn propose(
    verdict: &Verdict,
    invocation: &dyn Invocation,
    context: &ToolContext,
) -> Result<Vec<PermissionRequest>, ToolError> {
    if is_final_denial(verdict) {
        return Ok(Vec::new());
    }
    guarded("the tool", || invocation.proposed_requests(context))?
}

/// Whether nothing that is said of requests can change it.
#[inline]
fn is_final_denial(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Deny(_)) && !verdict.is_fallback()
}
