//! The stage of the hooks before a call.

use std::mem;
use std::slice;
use std::sync::Arc;
use std::task::Poll;

use serde_json::Value;

use crate::arguments::{Arguments, CanonicalArguments};
use crate::content::{CallStatus, ToolError};
use crate::context::ToolContext;
use crate::event::HookStage;
use crate::executor::arguments::edit::restored;
use crate::executor::call::authorize::JudgedSoFar;
use crate::executor::call::commands::apply_in;
use crate::executor::call::hook_run::{HookRun, SeenCall};
use crate::executor::call::reached::PlainBody;
use crate::executor::call::state::{Authorized, CallState, ParsedCall, Stage};
use crate::executor::hooks::{BeforeHook, Hooks};
use crate::hook::{BatchDecision, BeforeDecision, HookCall, HookDecision, HookDecisions};
use crate::util::future::BoxFuture;

impl Authorized {
    /// A hook sees the state of the moment in which it is asked.
    fn see_state_of(&mut self, call_state: &CallState) {
        self.context.state = call_state.session.state.snapshot();
    }
}

/// A call of a batch by its place, and its next stage.
type HookedCall = (usize, Box<CallState>, Stage);

/// Shows calls to the hooks that have not seen them: hook by hook, and to each the calls in their order.
pub(crate) fn before_all(calls: &mut [HookedCall]) -> BoxFuture<'_, ()> {
    Box::pin(async move {
        let Some((_, first, _)) = calls.first() else {
            return;
        };
        let shared = Arc::clone(&first.shared);
        for (number, hook) in shared.hooks.before.iter().enumerate() {
            let mut standing = Vec::new();
            for (at, (_, call_state, stage)) in calls.iter_mut().enumerate() {
                if let Stage::Before(authorized) = stage
                    && call_state.hooked == number
                {
                    authorized.see_state_of(call_state);
                    standing.push(at);
                }
            }
            if standing.is_empty() {
                continue;
            }
            let decision = ask_of_calls(hook, calls, &standing).await;
            for (place, at) in standing.into_iter().enumerate() {
                let (_, call_state, stage) = &mut calls[at];
                let Stage::Before(mut authorized) = mem::replace(stage, Stage::Start) else {
                    continue;
                };
                let decision = match decision.as_ref().map(|decision| decision.get(&place)) {
                    Err(error) => Err(error.clone()),
                    Ok(Some(decision)) => Ok(Some(decision.clone())),
                    Ok(None) => {
                        // The hook's answers for the calls before may have changed the state.
                        authorized.see_state_of(call_state);
                        call_state.ask_hook(hook, &authorized.context).await
                    }
                };
                call_state.hooked = number + 1;
                *stage = call_state.heed(*authorized, decision).await;
            }
        }
    })
}

/// Shows a hook the calls of a batch together.
async fn ask_of_calls(
    hook: &BeforeHook,
    calls: &[HookedCall],
    standing: &[usize],
) -> Result<HookDecisions, ToolError> {
    let mut shown = Vec::with_capacity(standing.len());
    let mut seen = Vec::with_capacity(standing.len());
    let mut scope = None;
    for at in standing {
        let (_, call_state, stage) = &calls[*at];
        if let Stage::Before(authorized) = stage {
            let call = call_state.seen();
            shown.push(call.shown(&authorized.context)?);
            seen.push(call);
            // The calls of a batch belong to one turn, so the scope of the first is that of all.
            scope.get_or_insert((&call_state.shared.hooks, &authorized.context));
        }
    }
    let Some((hooks, context)) = scope else {
        return Ok(HookDecisions::new());
    };
    let mut run = HookRun::begin(hooks, &seen, (HookStage::Before, hook.number));
    ask_of_batch(&mut run, hook, &shown, context).await
}

/// Shows a hook calls together, of which this is the context of the first, and has happen what it wants to happen.
async fn ask_of_batch(
    run: &mut HookRun<'_>,
    hook: &BeforeHook,
    shown: &[HookCall<'_>],
    context: &ToolContext,
) -> Result<HookDecisions, ToolError> {
    let look = || hook.it.before_batch(shown);
    let mut decision = Poll::Pending;
    run.run(context, look, &mut decision).await?;
    let Poll::Ready(Ok(decision)) = decision else {
        return Ok(HookDecisions::new());
    };
    hook.note_answer(&decision);
    let BatchDecision {
        decisions,
        commands,
        ..
    } = decision;
    if let Some((place, _)) = decisions.last_key_value()
        && *place >= shown.len()
    {
        return Err(nowhere(&hook.name, *place, shown.len()));
    }
    if !commands.is_empty() {
        apply_in(context, run.observer(), commands)?;
    }
    Ok(decisions)
}

/// Shows a hook a call by itself, and has happen what it wants to happen. Its decision, if it has one, is noted.
async fn ask(
    run: &mut HookRun<'_>,
    hook: &BeforeHook,
    shown: &HookCall<'_>,
    context: &ToolContext,
    noted: &mut Option<HookDecision>,
) -> Result<(), ToolError> {
    let mut said = Poll::Pending;
    run.run(context, || hook.it.before(shown), &mut said)
        .await?;
    if let Poll::Ready(Ok(BeforeDecision { decision, commands })) = &mut said {
        if !commands.is_empty() {
            apply_in(context, run.observer(), mem::take(commands))?;
        }
        if decision.is_some() {
            *noted = decision.take();
        }
    }
    Ok(())
}

/// A plain call that goes on with a state of its own, because of what hooks have said of it or changed.
pub(crate) struct HeldByHooks {
    /// The version of the session's state in which the gates let the call go on.
    gated: u64,
    /// The number of hooks that have seen the call.
    hooked: usize,
    /// The decision of the last of them.
    decision: Result<Option<HookDecision>, ToolError>,
}

/// Shows a plain call to the hooks. It goes on as a plain one if they let it run as it is, and nothing has changed
/// meanwhile that it would have to be judged by once more. `apart` are the arguments that run, if nothing keeps them.
pub(crate) async fn show_plain(
    hooks: &Hooks,
    body: &mut PlainBody<'_>,
    apart: Option<&Arguments<'_>>,
) -> Option<Box<HeldByHooks>> {
    let gated = body.context.state.version();
    let mut hooked = 0;
    while let Some(hook) = hooks.before.get(hooked) {
        let mut decision = None;
        let asked = ask_alone(hooks, hook, body, apart, &mut decision).await;
        hooked += 1;
        if asked.is_err() || decision.is_some() {
            return Some(Box::new(HeldByHooks {
                gated,
                hooked,
                decision: asked.map(|()| decision),
            }));
        }
    }
    let context = &mut body.context;
    context.state = context.session.state.snapshot();
    let turn = context.turn.as_deref();
    let is_blocked = turn.is_some_and(|turn| turn.block().is_some());
    let is_judged = hooks.gates.is_empty() || context.state.version() == gated;
    let plan = body.rest.catalog().plan(context.call.number);
    let needs_permit = plan.slots.is_some() || context.session.slots.is_some();
    (is_blocked || !is_judged || needs_permit).then(|| {
        Box::new(HeldByHooks {
            gated,
            hooked,
            decision: Ok(None),
        })
    })
}

impl HeldByHooks {
    /// The state of the call from here on, and its next stage.
    pub(crate) async fn go_on(
        self,
        body: PlainBody<'_>,
        apart: Option<Arguments<'_>>,
    ) -> (Box<CallState>, Stage) {
        let PlainBody {
            rest,
            context,
            invocation,
        } = body;
        // There are arguments: the first hook was asked about them.
        let (mut call_state, _) = rest.into_state(context.clone());
        if let Some(arguments) = apart {
            call_state.arguments = arguments.into_owned();
            call_state.passed = true;
        }
        call_state.status = CallStatus::New;
        call_state.parsed = ParsedCall::new(invocation);
        call_state.gated = self.gated;
        call_state.hooked = self.hooked;
        let authorized = Authorized {
            context: call_state.context_to_run(context),
            asked: None,
            allowed: false,
        };
        let stage = call_state.heed(authorized, self.decision).await;
        (call_state, stage)
    }
}

/// Shows a hook a plain call, as a batch of one and then by itself, and notes its decision.
async fn ask_alone(
    hooks: &Hooks,
    hook: &BeforeHook,
    body: &mut PlainBody<'_>,
    apart: Option<&Arguments<'_>>,
    noted: &mut Option<HookDecision>,
) -> Result<(), ToolError> {
    let PlainBody { rest, context, .. } = body;
    context.state = context.session.state.snapshot();
    {
        let seen = rest.seen(context, apart)?;
        let shown = seen.shown(context)?;
        let calls = slice::from_ref(&seen);
        let mut run = HookRun::begin(hooks, calls, (HookStage::Before, hook.number));
        // A question without an answer is put only where somebody hears of it.
        if !hook.ignores_batches() || run.is_observed() {
            let calls = slice::from_ref(&shown);
            let mut decided = ask_of_batch(&mut run, hook, calls, context).await?;
            if !decided.is_empty() {
                *noted = decided.remove(&0);
                return Ok(());
            }
        }
        if context.session.state.version() == context.state.version() {
            run.again();
            return ask(&mut run, hook, &shown, context, noted).await;
        }
    }
    // The answer for the batch has changed the state, or somebody else has.
    context.state = context.session.state.snapshot();
    let seen = rest.seen(context, apart)?;
    Box::pin(ask_seen(hooks, hook, seen, context, noted)).await
}

async fn ask_seen(
    hooks: &Hooks,
    hook: &BeforeHook,
    seen: SeenCall<'_>,
    context: &ToolContext,
    noted: &mut Option<HookDecision>,
) -> Result<(), ToolError> {
    let shown = seen.shown(context)?;
    let calls = slice::from_ref(&seen);
    let mut run = HookRun::begin(hooks, calls, (HookStage::Before, hook.number));
    ask(&mut run, hook, &shown, context, noted).await
}

#[cold]
fn nowhere(hook: &str, place: usize, calls: usize) -> ToolError {
    ToolError::internal("a hook of the app decided about a call that there is not")
        .with_code("invalid_hook")
        .with_source(format!(
            "`{hook}` spoke of call {place} of {calls}, counted from 0"
        ))
}

impl CallState {
    /// Shows the call to the hooks that have not seen it.
    pub(crate) fn before(
        self: Box<Self>,
        authorized: Box<Authorized>,
    ) -> BoxFuture<'static, (Box<Self>, Stage)> {
        Box::pin(async move {
            let mut one = [(0, self, Stage::Before(authorized))];
            before_all(&mut one).await;
            let [(_, call_state, stage)] = one;
            (call_state, stage)
        })
    }

    /// The parts of the call that hooks see.
    pub(crate) fn seen(&self) -> SeenCall<'_> {
        SeenCall {
            entry: self.entry(),
            plan: self.plan(),
            arguments: &self.arguments,
            purpose: self.notes.purpose.as_deref(),
            invocation: self.identity.invocation,
            observer: self.observer.as_deref(),
        }
    }

    async fn ask_hook(
        &self,
        hook: &BeforeHook,
        context: &ToolContext,
    ) -> Result<Option<HookDecision>, ToolError> {
        let mut decision = None;
        let asked = ask_seen(
            &self.shared.hooks,
            hook,
            self.seen(),
            context,
            &mut decision,
        );
        asked.await.map(|()| decision)
    }

    /// Obeys the decision of a hook.
    async fn heed(
        &mut self,
        authorized: Authorized,
        decision: Result<Option<HookDecision>, ToolError>,
    ) -> Stage {
        match decision {
            Ok(None) => self.authorized(authorized),
            Ok(Some(HookDecision::Rewrite(arguments))) => self.rewrite(authorized, arguments).await,
            Ok(Some(HookDecision::Veto(reason))) => Stage::refuse(self.vetoed(&reason)),
            Err(error) => Stage::refuse(error),
        }
    }

    #[cold]
    fn vetoed(&self, reason: &str) -> ToolError {
        ToolError::denied(format!(
            "`{}` was stopped before it ran: {reason}. Do not repeat the call as it is",
            self.entry().name
        ))
        .with_code("vetoed")
    }

    /// Goes back to the parsing of other arguments.
    async fn rewrite(&mut self, authorized: Authorized, arguments: Value) -> Stage {
        let rewritten = self.spec().map(|spec| {
            let canonical = self.arguments.canonical(spec).ok();
            let before = canonical.map(CanonicalArguments::into_value);
            let is_same = before.is_some_and(|before| before == arguments);
            (!is_same).then(|| restored(&arguments, &self.arguments, spec))
        });
        let rewritten = match rewritten {
            Ok(None) => return self.authorized(authorized),
            Ok(Some(Ok(rewritten))) => rewritten,
            Ok(Some(Err(why))) => return unfit(why),
            Err(panicked) => return Stage::refuse(panicked),
        };
        self.arguments = Arguments::from(rewritten);
        self.rewritten = true;
        self.forget_approvals();
        match self.read_anew() {
            Ok(()) => self.judge(None, JudgedSoFar::default(), false).await,
            Err(error) => unfit(error),
        }
    }
}

/// The fault is the hook's, so this is no report of invalid arguments of the model's.
#[cold]
fn unfit(why: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Stage {
    Stage::refuse(
        ToolError::internal(
            "a hook of the app changed the arguments to some that the tool does not take: this is a \
             fault of the app, not of the call",
        )
        .with_code("invalid_rewrite")
        .with_source(why),
    )
}
