//! The first stages of a call: its tool is found, nesting and capabilities are checked, and its arguments are read.

use std::borrow::Cow;
use std::sync::Arc;

use crate::arguments::Arguments;
use crate::content::{ErrorKind, ExceededLimit, Limit, ToolCall, ToolError};
use crate::context::{ArgumentsInFlight, CallExtras, CallIds, CallStack, CallTurn, ToolContext};
use crate::event::EventCall;
use crate::executor::arguments::read::{ReadNotes, read};
use crate::executor::call::authorize::PermissionCheck;
use crate::executor::catalog::tools::CatalogRef;
use crate::executor::core::shared::ExecutorCore;
use crate::executor::core::site::{CallSite, NamedTool};
use crate::executor::guard::catch_tool_panic;
use crate::executor::people::mode::WaitMode;
use crate::id::{Label, ToolName};
use crate::registry::ToolEntry;
use crate::spec::Capability;
use crate::tool::Invocation;
use crate::util::cold::{cold_path, rarely};

impl CallSite<'_> {
    /// Returns true if a call may name a tool. One that is not advertised does not exist for a model.
    #[inline]
    pub(crate) fn reaches(&self, call: &ToolCall<'_>, entry: &ToolEntry) -> bool {
        entry.is_advertised() || call.is_by_host() || self.call_stack.is_some()
    }
}

impl ExecutorCore {
    /// Checks that the calling tool may call this one.
    #[cold]
    pub(crate) fn check_nesting(
        &self,
        call_stack: &CallStack,
        entry: &ToolEntry,
    ) -> Result<(), ToolError> {
        if call_stack.depth > self.max_call_depth {
            return Err(too_deep(&entry.name, self.max_call_depth));
        }
        let spec = catch_tool_panic("the tool", || entry.tool.spec())?;
        let required = spec.capabilities().iter();
        let missing: Vec<Capability> = required
            .filter(|capability| !call_stack.declared.contains(capability))
            .cloned()
            .collect();
        if missing.is_empty() {
            return Ok(());
        }
        Err(undeclared(&entry.name, &call_stack.caller, missing))
    }
}

#[cold]
fn too_deep(tool: &ToolName, limit: usize) -> ToolError {
    ToolError::new(
        ErrorKind::LimitExceeded,
        format!(
            "`{tool}` was not called: tools may call each other {limit} deep, and this is deeper"
        ),
    )
    .with_code("call_depth_exceeded")
    .with_exceeded_limit(ExceededLimit::new(Limit::CallDepth, limit, None))
    .with_source("the setting is `Limits::max_call_depth`")
}

#[cold]
fn undeclared(tool: &ToolName, caller: &ToolName, missing: Vec<Capability>) -> ToolError {
    let names: Vec<String> = missing.iter().map(|name| format!("`{name}`")).collect();
    let names = names.join(", ");
    ToolError::new(
        ErrorKind::CapabilityDenied,
        format!("`{tool}` was denied: `{caller}`, which called it, does not declare {names}"),
    )
    .with_missing_capabilities(missing)
    .with_source("a tool that calls another declares what that one requires: `capabilities(..)`")
}

/// Drops a call that was denied. That runs code of the tool, which may panic; the call is denied in any case.
#[cold]
fn discard(invocation: Box<dyn Invocation>) {
    let _ = catch_tool_panic("the tool", || drop(invocation));
}

/// A call that may run.
pub(crate) struct Admitted {
    pub(crate) invocation: Box<dyn Invocation>,
    pub(crate) context: ToolContext,
}

/// A call, with the tool that it names, and true if that has refused its arguments as they were sent.
pub(crate) type FoundCall<'c> = (&'c ToolCall<'c>, NamedTool<'c>, bool);

/// The stages before the tool runs, which was looked up; the last, `permit`, is the caller's. The arguments that run, if they are not
/// those that were sent, and the notes are stored in any case, also if the call may not run. `watched` is the call for
/// whoever takes its events.
#[inline]
pub(crate) fn admit<T>(
    shared: &ExecutorCore,
    place: &CallSite<'_>,
    (call, found, is_refused): FoundCall<'_>,
    (changed, notes): (&mut Option<Arguments<'static>>, &mut ReadNotes),
    watched: Option<&Arc<EventCall>>,
    permit: impl FnOnce(&PermissionCheck<'_>, &dyn Invocation, &ToolContext) -> Result<T, ToolError>,
) -> Result<(Admitted, T), (Label, ToolError)> {
    let reachable = found.filter(|(_, entry)| place.reaches(call, entry));
    let Some((number, entry)) = reachable else {
        cold_path();
        let name: String = call.name().chars().take(ToolName::MAX_LENGTH).collect();
        let error = place.catalog.not_there(call.name(), &name);
        return Err((Label::from(Cow::Owned(name)), error));
    };
    let refuse = |error: ToolError| (entry.name.label(), error);
    let plan = place.catalog.plan(number);
    if let Some(call_stack) = place.call_stack {
        cold_path();
        shared.check_nesting(call_stack, entry).map_err(refuse)?;
    }
    if let Some(unequipped) = &plan.unequipped
        && let Some(error) = unequipped.refusal(&place.session.resources)
    {
        return Err(refuse(error));
    }
    let sent = call.arguments();
    let invocation = read(
        &shared.reading,
        place.catalog.snapshot.asks_purpose(),
        entry,
        (sent, is_refused),
        changed,
        notes,
    )
    .map_err(refuse)?;
    let running = (changed.as_ref().unwrap_or(sent), notes.purpose.as_deref());
    let context = context_of(shared, place, (call, number), running, watched);
    let asked = PermissionCheck {
        entry,
        foreknown: &plan.foreknown,
        arguments: running.0,
        purpose: running.1,
    };
    let permitted = match permit(&asked, &*invocation, &context) {
        Ok(permitted) => permitted,
        Err(denied) => {
            discard(invocation);
            return Err(refuse(denied));
        }
    };
    let admitted = Admitted {
        invocation,
        context,
    };
    Ok((admitted, permitted))
}

/// Returns the context of a call at a site. `running` are the arguments that run, and the model's reason for the call;
/// `watched` is the call for whoever takes its events.
#[expect(
    clippy::inline_always,
    reason = "a context is large, and made where it stays"
)]
#[inline(always)]
pub(crate) fn context_of(
    shared: &ExecutorCore,
    place: &CallSite<'_>,
    (call, number): (&ToolCall<'_>, usize),
    (arguments, purpose): (&Arguments<'_>, Option<&str>),
    watched: Option<&Arc<EventCall>>,
) -> ToolContext {
    let plan = place.catalog.plan(number);
    let CallSite {
        catalog: _,
        session,
        turn,
        turn_id,
        invocation_id,
        call_stack,
        source: _,
    } = *place;
    // The gate of a call that this one makes may end the turn.
    let turn = match turn {
        CallTurn::Single if !plan.arguments_only => place.turn_to_block(shared),
        turn => turn.scope().cloned(),
    };
    // A body that may ask while it runs needs them for its ticket.
    let keeps = plan.foreknown.looks_at_arguments
        || (matches!(shared.base.people.mode, WaitMode::Blocking) && !plan.never_waits);
    let kept = rarely(keeps, || {
        Arc::new(ArgumentsInFlight {
            arguments: arguments.clone().into_owned(),
            purpose: purpose.map(Into::into),
        })
    });
    let watched = watched.filter(|_| !plan.arguments_only);
    let environment = session.environment.of_call(invocation_id, call_stack);
    let is_plain = call.metadata().is_none()
        && kept.is_none()
        && call_stack.is_none()
        && environment.is_none()
        && watched.is_none()
        && matches!(place.catalog, CatalogRef::First(_));
    let extras = rarely(!is_plain, || {
        Arc::new(CallExtras {
            metadata: call.metadata().cloned(),
            kept,
            watched: watched.cloned(),
            call_stack: call_stack.cloned(),
            specs: place.catalog.specs(),
            environment,
            ..CallExtras::default()
        })
    });
    ToolContext::new(
        Arc::clone(session),
        turn,
        CallIds {
            turn: turn_id,
            invocation: invocation_id,
            call: call.id(),
        },
        number,
        extras,
    )
}
