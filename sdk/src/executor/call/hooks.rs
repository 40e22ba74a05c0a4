//! The stage of the hooks before a call.

use std::sync::Arc;

use serde_json::Value;

use crate::event::HookStage;
use crate::executor::arguments::edit::restored;
use crate::executor::arguments::read::read_anew;
use crate::executor::call::hook_run::HookRun;
use crate::executor::call::run_hook::hosted;
use crate::executor::call::state::{Cleared, Course, Step, without};
use crate::executor::hooks::Named;
use crate::hook::{BatchDecision, BeforeTool, HookCall, Said};
use crate::message::{Arguments, CanonicalArguments, ToolError};
use crate::pending::WaitKind;
use crate::registry::Candidate;
use crate::tool::{BoxFuture, ToolContext};

impl Cleared {
    /// A hook sees the state of the moment in which it is asked.
    fn see_state_of(&mut self, course: &Course) {
        self.context.state = course.session.state.snapshot();
    }
}

/// Shows the calls of a batch to the hooks.
pub(crate) async fn show_hooks(batch: &mut [(usize, Box<Course>, Step)]) {
    let has_to = |(_, _, step): &(usize, Box<Course>, Step)| matches!(step, Step::Before(_));
    if !batch.iter().any(has_to) {
        return;
    }
    let take = |step: &mut Step| std::mem::replace(step, Step::Start);
    let members = batch.iter_mut();
    let (mut steps, mut calls): (Vec<&mut Step>, Vec<(&mut Course, Step)>) = members
        .map(|(_, course, step)| {
            let taken = take(step);
            (step, (&mut **course, taken))
        })
        .unzip();
    before_all(&mut calls).await;
    for (step, (_, next)) in steps.iter_mut().zip(calls) {
        **step = next;
    }
}

/// Shows calls to the hooks that have not seen them: hook by hook, and to each the calls in their order.
pub(crate) fn before_all<'a>(calls: &'a mut [(&mut Course, Step)]) -> BoxFuture<'a, ()> {
    Box::pin(async move {
        let Some(shared) = calls.first().map(|(course, _)| Arc::clone(&course.shared)) else {
            return;
        };
        for (number, hook) in shared.hooks.before.iter().enumerate() {
            let standing: Vec<usize> = (0..calls.len())
                .filter(|at| calls[*at].0.hooked == number)
                .filter(|at| matches!(calls[*at].1, Step::Before(_)))
                .collect();
            if standing.is_empty() {
                continue;
            }
            for at in &standing {
                if let (course, Step::Before(cleared)) = &mut calls[*at] {
                    cleared.see_state_of(course);
                }
            }
            let said = match ask_of_batch(hook, calls, &standing) {
                Ok(asking) => asking.await.and_then(|said| {
                    let first = standing.first().map(|at| &calls[*at].0);
                    first.map_or(Ok(()), |course| course.apply(said.commands))?;
                    Ok(said.said)
                }),
                Err(error) => Err(error),
            };
            for (place, at) in standing.into_iter().enumerate() {
                let (course, step) = &mut calls[at];
                let mut cleared = match std::mem::replace(step, Step::Start) {
                    Step::Before(cleared) => cleared,
                    other => {
                        *step = other;
                        continue;
                    }
                };
                let said = match &said {
                    Err(error) => Err(error.clone()),
                    Ok(said) => {
                        if let Some(said) = said.get(&place) {
                            Ok(Some(said.clone()))
                        } else {
                            // What the hook has said of the calls before may have changed it.
                            cleared.see_state_of(course);
                            course.ask_hook(hook, &cleared.context).await
                        }
                    }
                };
                course.hooked = number + 1;
                *step = course.heed(*cleared, said).await;
            }
        }
    })
}

/// Shows a hook the calls of a batch together.
fn ask_of_batch<'a>(
    hook: &'a Named<dyn BeforeTool>,
    calls: &'a [(&mut Course, Step)],
    standing: &[usize],
) -> Result<BoxFuture<'a, Result<BatchDecision, ToolError>>, ToolError> {
    let mut shown = Vec::with_capacity(standing.len());
    let mut courses: Vec<&Course> = Vec::with_capacity(standing.len());
    let mut scope = None;
    for at in standing {
        let (course, step) = &calls[*at];
        if let Step::Before(cleared) = step {
            shown.push(course.shown(&cleared.context)?);
            courses.push(course);
            scope = Some((&course.shared.hooks, cleared.context.cancel_scope()));
        }
    }
    Ok(Box::pin(async move {
        // All are of one turn.
        let Some((hooks, token)) = scope else {
            return Ok(BatchDecision::proceed());
        };
        let run = HookRun::begin(hooks, courses, &hook.name, HookStage::Before);
        let look = || hook.it.before_batch(&shown);
        let said = hosted(&hook.name, hooks.timeout, Some(token), look).await;
        run.end(&said);
        let said = said?;
        match said.said.last_key_value() {
            Some((place, _)) if *place >= shown.len() => {
                Err(nowhere(&hook.name, *place, shown.len()))
            }
            _ => Ok(said),
        }
    }))
}

#[cold]
fn nowhere(hook: &str, place: usize, calls: usize) -> ToolError {
    ToolError::internal("a hook of the app decided about a call that there is not")
        .with_code("invalid_hook")
        .with_source(format!(
            "`{hook}` spoke of call {place} of {calls}, counted from 0"
        ))
}

impl Course {
    /// Shows the call to the hooks that have not seen it.
    pub(crate) fn before(&mut self, cleared: Box<Cleared>) -> BoxFuture<'_, Step> {
        Box::pin(async move {
            let mut one = [(self, Step::Before(cleared))];
            before_all(&mut one).await;
            let [(_, step)] = one;
            step
        })
    }

    /// The call as a hook sees it.
    pub(crate) fn shown<'c>(&'c self, context: &'c ToolContext) -> Result<HookCall<'c>, ToolError> {
        let call = HookCall::new(self.spec()?, &self.arguments, context);
        let tool = Candidate::new(self.entry(), self.plan().explicit_only);
        let call = call.with_tool(tool);
        Ok(call.with_purpose(self.notes.purpose.as_deref()))
    }

    async fn ask_hook(
        &self,
        hook: &Named<dyn BeforeTool>,
        context: &ToolContext,
    ) -> Result<Option<Said>, ToolError> {
        let call = self.shown(context)?;
        let hooks = &self.shared.hooks;
        let token = Some(context.cancel_scope());
        let run = HookRun::begin(hooks, vec![self], &hook.name, HookStage::Before);
        let decision = hosted(&hook.name, hooks.timeout, token, || hook.it.before(&call)).await;
        run.end(&decision);
        let decision = decision?;
        self.apply(decision.commands)?;
        Ok(decision.said)
    }

    /// Does what a hook has said.
    async fn heed(&mut self, cleared: Cleared, said: Result<Option<Said>, ToolError>) -> Step {
        match said {
            Ok(None) => self.cleared(cleared),
            Ok(Some(Said::Rewrite(arguments))) => self.rewrite(cleared, arguments).await,
            Ok(Some(Said::Veto(reason))) => {
                let vetoed = self.vetoed(&reason);
                without(cleared.invocation, Step::refuse(vetoed))
            }
            Err(error) => without(cleared.invocation, Step::refuse(error)),
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
    async fn rewrite(&mut self, cleared: Cleared, arguments: Value) -> Step {
        let rewritten = self.spec().map(|spec| {
            let canonical = self.arguments.canonical(spec).ok();
            let before = canonical.map(CanonicalArguments::into_value);
            let is_same = before.is_some_and(|before| before == arguments);
            (!is_same).then(|| restored(&arguments, &self.arguments, spec))
        });
        let rewritten = match rewritten {
            Ok(None) => return self.cleared(cleared),
            Ok(Some(Ok(rewritten))) => rewritten,
            Ok(Some(Err(why))) => return without(cleared.invocation, unfit(why)),
            Err(panicked) => return without(cleared.invocation, Step::refuse(panicked)),
        };
        // What the call holds may panic when it goes; it goes on with other arguments.
        let _ = without(cleared.invocation, Step::Start);
        self.arguments = Arguments::from(rewritten);
        self.rewritten = true;
        self.passed = false;
        // What was allowed was allowed for the arguments before.
        self.answered
            .retain(|(kind, _, answer)| *kind != WaitKind::Approval || answer.is_refusal());
        let (shared, catalog) = (Arc::clone(&self.shared), Arc::clone(&self.catalog));
        let entry = catalog.entry(self.number);
        let repairs = &mut self.notes.repairs;
        match read_anew(&shared.reading, entry, &mut self.arguments, repairs) {
            Ok(invocation) => self.judge(invocation, None, false).await,
            Err(error) => unfit(error),
        }
    }
}

/// The fault is the hook's, so this is no report of invalid arguments of the model's.
#[cold]
fn unfit(why: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Step {
    Step::refuse(
        ToolError::internal(
            "a hook of the app changed the arguments to some that the tool does not take: this is a \
             fault of the app, not of the call",
        )
        .with_code("invalid_rewrite")
        .with_source(why),
    )
}
