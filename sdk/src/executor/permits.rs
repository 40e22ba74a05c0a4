//! The stage that asks for permission.

use super::Shared;
use super::guard::guarded;
use crate::message::{Arguments, ToolError};
use crate::permission::{CallView, Judge, PermissionRequest, Ruling, Verdict};
use crate::registry::Entry;
use crate::spec::ToolSpec;
use crate::tool::{Invocation, ToolContext};

/// What the checker says of a tool before any call of it.
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

/// Lets a call go on, or says why not.
#[inline]
pub(super) fn permit(
    shared: &Shared,
    asked: &Asked<'_>,
    invocation: &dyn Invocation,
    context: &ToolContext,
) -> Result<(), ToolError> {
    // Nearly every call.
    if asked.foreknown.lets_run {
        let requests = guarded("the tool", || invocation.proposed_requests(context))??;
        if requests.is_empty() {
            return Ok(());
        }
        let ruling = shared
            .base
            .judge
            .weigh(&asked.view()?, &Verdict::Allow, &requests);
        return shared.base.judge.refusal(&asked.entry.name, ruling);
    }
    permit_as_weighed(shared, asked, invocation, context)
}

fn permit_as_weighed(
    shared: &Shared,
    asked: &Asked<'_>,
    invocation: &dyn Invocation,
    context: &ToolContext,
) -> Result<(), ToolError> {
    let Weighed { ruling, .. } = weigh(shared, asked, invocation, context)?;
    shared.base.judge.refusal(&asked.entry.name, ruling)
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
