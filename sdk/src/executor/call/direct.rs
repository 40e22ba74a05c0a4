//! The direct run of a plain call. Where nothing stands between its arguments and its body, which is known before, its
//! tool reads them and runs the body in one step: no invocation is made, and no context unless the body asks for it.

use std::cell::{OnceCell, RefCell};
use std::sync::Arc;
use std::task::{Context, Poll};

use crate::arguments::Arguments;
use crate::content::{ResultSource, ToolCall, ToolError, ToolOutput};
use crate::context::{BodyContext, Specs, ToolContext};
use crate::executor::arguments::read::ReadNotes;
use crate::executor::call::body::{BodyEnd, BodyFault, BodyFuture, GuardedBody};
use crate::executor::call::body_scope::BodyScope;
use crate::executor::call::outcome::{completed, exceeds_limit};
use crate::executor::call::plain::{ended, keeps_arguments};
use crate::executor::call::prepare::context_of;
use crate::executor::call::reached::{
    Begun, Continuation, DirectWait, PlainCall, Reached, WaitingBody,
};
use crate::executor::call::run::{broken, note_size};
use crate::executor::catalog::tools::{Catalog, CatalogRef, ToolPlan};
use crate::executor::core::hold::{CoreHold, SharedCore};
use crate::executor::core::origin::{CallOrigin, LentSource, WaitOrigin, WaitSource};
use crate::executor::core::shared::ExecutorCore;
use crate::executor::core::site::{CallSite, NamedTool};
use crate::executor::guard::catch_tool_panic;
use crate::executor::observe::observer::CallObserver;
use crate::id::{CallId, InvocationId, Label};
use crate::outcome::ToolOutcome;
use crate::registry::ToolEntry;
use crate::schedule::BodyStage;
use crate::tool::{DirectRun, DirectStage};
use crate::util::cold::{cold_path, rarely};
use crate::util::future::BoxFuture;

/// A plain call that nothing holds up before its body has ended, and that runs directly.
pub(crate) struct DirectCall<'c> {
    shared: &'c ExecutorCore,
    site: &'c CallSite<'c>,
    call: &'c ToolCall<'c>,
    number: usize,
    entry: &'c ToolEntry,
    plan: &'c ToolPlan,
    context: OnceCell<ToolContext>,
    /// If somebody takes its events.
    observer: Option<&'c ObserverCell>,
}

/// The observer of a call, until the rest of the call takes it with it.
pub(crate) type ObserverCell = RefCell<Option<CallObserver>>;

/// The point that a direct run has reached.
pub(crate) enum Directly {
    /// The arguments do not fit, and nothing has run.
    Refused,
    /// The tool has panicked while it read the arguments.
    Unread(Label, ToolError),
    /// The body has ended.
    Ended,
    /// The body was polled once, and waits.
    Waits(BodyFuture<'static>),
}

impl<'c> DirectCall<'c> {
    /// Finds out whether a call runs directly: the stages up to its body have nothing to decide, except whether its
    /// arguments fit.
    #[inline]
    pub(crate) fn of(
        shared: &'c ExecutorCore,
        site: &'c CallSite<'c>,
        call: &'c ToolCall<'c>,
        found: NamedTool<'c>,
        observer: Option<&'c ObserverCell>,
    ) -> Option<Self> {
        let (number, entry) = found?;
        let plan = site.catalog.plan(number);
        let grants = &site.session.grants;
        let limits = &shared.reading;
        let is_direct = plan.runs_directly
            && plan.foreknown.lets_run
            && plan.unequipped.is_none()
            && site.call_stack.is_none()
            && site.session.environment.is_real()
            && !site.catalog.snapshot.asks_purpose()
            && site.reaches(call, entry)
            && grants.are_current(&shared.base.people.broker)
            && !grants.has_denials()
            && call
                .arguments()
                .excess(limits.max_bytes, limits.max_depth)
                .is_none();
        is_direct.then_some(Self {
            shared,
            site,
            call,
            number,
            entry,
            plan,
            context: OnceCell::new(),
            observer,
        })
    }

    /// Reads the arguments and runs the body up to its first wait.
    #[expect(clippy::inline_always, reason = "as `PlainStages::begin`")]
    #[inline(always)]
    pub(crate) fn run(&self, cx: &mut Context<'_>, end: &mut BodyEnd) -> Directly {
        let mut run = DirectRun::new(self, cx, &mut end.ran);
        let arguments = self.call.arguments();
        let reached = catch_tool_panic("the tool", || {
            self.entry.tool.run_directly(arguments, &mut run);
        });
        let DirectRun { stage, body, .. } = run;
        match (stage, body) {
            (DirectStage::Ran, None) if reached.is_ok() => Directly::Ended,
            (DirectStage::Ran, Some(body)) => {
                cold_path();
                Directly::Waits(body)
            }
            (stage, body) => {
                cold_path();
                self.stopped(stage, body, reached.err(), end)
            }
        }
    }

    /// The end of a body that did not run as it should: its call was cancelled before, or it panicked.
    #[cold]
    fn stopped(
        &self,
        stage: DirectStage,
        body: Option<BodyFuture<'_>>,
        panicked: Option<ToolError>,
        end: &mut BodyEnd,
    ) -> Directly {
        let _ = catch_tool_panic("the tool", || drop(body));
        end.fail(BodyFault::Executor(match (stage, panicked) {
            (DirectStage::Reads, None) => return Directly::Refused,
            (DirectStage::Reads, Some(panicked)) => {
                return Directly::Unread(self.entry.name.label(), panicked);
            }
            (_, Some(panicked)) => self.broken(panicked),
            (_, None) => BodyScope::of(self.context()).never_began(),
        }));
        Directly::Ended
    }

    /// The error of a body that panicked. One that never asked for its context has nothing to stop.
    fn broken(&self, panicked: ToolError) -> ToolError {
        match self.context.get() {
            Some(context) => broken(&BodyScope::of(context), panicked),
            None => panicked,
        }
    }

    /// The outcome of a call whose body never asked for its context, if its output stands as it is.
    #[expect(clippy::inline_always, reason = "as `PlainStages::begin`")]
    #[inline(always)]
    pub(crate) fn outcome(&self, end: BodyEnd) -> Result<ToolOutcome, BodyEnd> {
        match end {
            BodyEnd {
                ran: Poll::Ready(Ok(output)),
                fault: None,
            } if self.context.get().is_none() && stands(self.shared, self.plan, &output) => {
                let ids = (self.call.id().cloned(), self.site.invocation_id);
                Ok(ends_directly(&self.site.catalog, self.number, ids, output))
            }
            end => Err(end),
        }
    }

    /// Returns true if the call needs no context to wait: its body never asked for one, and nobody looks at the call after
    /// it.
    #[inline]
    fn needs_no_context(&self) -> bool {
        self.context.get().is_none()
            && self.observer.is_none()
            && self.call.metadata().is_none()
            && self.shared.hooks.after.is_empty()
            && matches!(self.site.catalog, CatalogRef::First(_))
    }

    /// The source of the call, if it waits without a context and borrows what it needs.
    #[inline]
    pub(crate) fn lends<'a>(&self, at: CallOrigin<'a>) -> Option<LentSource<'a>> {
        let at = WaitOrigin::of(at, self.number).filter(|_| self.needs_no_context())?;
        Some(LentSource {
            at,
            call_id: self.call.id().cloned(),
            count: self.site.invocation_id.count(),
        })
    }

    /// The context of the call, for stages that take one.
    pub(crate) fn into_context(mut self) -> ToolContext {
        let made = self.context.take();
        made.unwrap_or_else(|| self.make_context())
    }

    fn make_context(&self) -> ToolContext {
        let running = (self.call.arguments(), None);
        let tool = (self.call, self.number);
        let observer = self.observer.and_then(|cell| cell.try_borrow().ok());
        let observer = observer.as_deref().and_then(Option::as_ref);
        let watched = observer.map(|observer| &observer.call);
        context_of(self.shared, self.site, tool, running, watched)
    }
}

/// Returns true if an output is that of its call as it is: no hook sees it, and nothing checks, applies or cuts it.
#[expect(
    clippy::inline_always,
    reason = "it is a few comparisons of every call"
)]
#[inline(always)]
pub(crate) fn stands(shared: &ExecutorCore, plan: &ToolPlan, output: &ToolOutput) -> bool {
    shared.hooks.after.is_empty()
        && !output.is_error()
        && output.commands().is_empty()
        && plan.checker.is_none()
        && !exceeds_limit(shared, Some(plan), ResultSource::Tool, output)
}

/// The outcome of a call whose output [stands].
#[expect(clippy::inline_always, reason = "as `PlainStages::begin`")]
#[inline(always)]
pub(crate) fn ends_directly(
    catalog: &Catalog,
    tool: usize,
    (call_id, invocation): (Option<CallId>, InvocationId),
    output: ToolOutput,
) -> ToolOutcome {
    note_size(catalog, tool, &output);
    let ids = (call_id, invocation, &catalog.entry(tool).name);
    completed(ids, ResultSource::Tool, output)
}

impl BodyContext for DirectCall<'_> {
    fn context(&self) -> &ToolContext {
        self.context.get_or_init(|| self.make_context())
    }

    #[inline]
    fn output_hint(&self) -> usize {
        self.site.catalog.output_hint(self.number)
    }

    #[inline]
    fn begins(&self) -> bool {
        if let Some(observer) = self.observer {
            tell_begin(observer);
        }
        let turn = self.site.turn.innermost();
        !self.site.session.was_told_to_cancel_call(turn)
    }
}

/// Tells that a call was requested and that its body begins.
#[cold]
fn tell_begin(cell: &ObserverCell) {
    if let Ok(mut cell) = cell.try_borrow_mut()
        && let Some(observer) = &mut *cell
    {
        let mut now = observer.request();
        observer.start_plain(&mut now);
    }
}

/// Goes on with a plain call whose body was run directly, up to where it has to wait, or to its end.
#[inline(never)]
pub(crate) fn go_on_directly<'a>(
    (shared, catalog): (&'a Arc<ExecutorCore>, &CatalogRef<'_>),
    call: &mut ToolCall<'a>,
    (context, observer): (ToolContext, Option<Box<CallObserver>>),
    body: Result<BodyEnd, BodyFuture<'static>>,
    cx: &mut Context<'_>,
) -> Reached<Begun<'a>> {
    let mut rest = PlainCall::new(shared, catalog, None, ReadNotes::default());
    rest.observer = observer;
    let arguments = || Some(call.take_arguments());
    go_on(rest, arguments, context, body, cx, |waits| {
        Begun::Boxed(Box::new(Continuation::Waits(waits)))
    })
}

/// The same, for each that holds a call. `waits` tells where it keeps one whose body waits.
fn go_on<'a, C, R>(
    mut rest: PlainCall<'a, C>,
    arguments: impl FnOnce() -> Option<Arguments<'a>>,
    mut context: ToolContext,
    body: Result<BodyEnd, BodyFuture<'static>>,
    cx: &mut Context<'_>,
    waits: impl FnOnce(WaitingBody<'a, C>) -> R,
) -> Reached<R>
where
    C: CoreHold<Kept: 'a>,
    R: From<BoxFuture<'a, ToolOutcome>>,
{
    let mut end = match body {
        Ok(end) => end,
        Err(body) => {
            let scope = BodyScope::of(&context);
            let mut running = GuardedBody::of(body, BodyStage::Running, scope);
            match running.wait(cx) {
                Poll::Pending => {
                    let body = running.begun();
                    let keeps = keeps_arguments(&rest.shared, &context);
                    rest.keep(rarely(keeps, arguments).flatten());
                    let held = Some((rest, context));
                    return Reached::Goes(waits(WaitingBody { held, body }));
                }
                Poll::Ready(fault) => {
                    let mut end = BodyEnd::new();
                    end.fail(fault);
                    end
                }
            }
        }
    };
    ended(rest, arguments, &mut context, &mut end)
}

/// Begins a call in one step, for a host that keeps what is left of it: up to where its body has to wait, or to its end.
/// Nobody takes its events. `source` tells what a call that waits is kept with. `None` if something has to be decided
/// first; nothing of the call has run then.
pub(crate) fn begin_apart<S, R>(
    shared: &Arc<ExecutorCore>,
    site: &CallSite<'_>,
    call: &mut ToolCall<'_>,
    found: NamedTool<'_>,
    cx: &mut Context<'_>,
    source: impl FnOnce() -> S,
) -> Option<Reached<R>>
where
    S: WaitSource<Hold = SharedCore>,
    R: From<BoxFuture<'static, ToolOutcome>>
        + From<DirectWait<S>>
        + From<WaitingBody<'static, SharedCore>>,
{
    let direct = DirectCall::of(shared, site, call, found, None)?;
    let mut end = BodyEnd::new();
    let body = match direct.run(cx, &mut end) {
        Directly::Ended => match direct.outcome(end) {
            Ok(outcome) => return Some(Reached::Ended(outcome)),
            Err(end) => Ok(end),
        },
        Directly::Waits(body) if direct.needs_no_context() => {
            return Some(DirectWait::begin(source(), body, cx, R::from));
        }
        Directly::Waits(body) => Err(body),
        // They are read once more where that is told, or repaired.
        Directly::Refused | Directly::Unread(..) => return None,
    };
    let context = direct.into_context();
    let arguments = || Some(call.take_arguments().into_owned());
    let rest = PlainCall::new(
        SharedCore::of(shared),
        &site.catalog,
        None,
        ReadNotes::default(),
    );
    Some(go_on(rest, arguments, context, body, cx, R::from))
}
