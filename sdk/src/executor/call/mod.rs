//! The list of the stages of a call, from its beginning to its end.
//!
//! | | stage | file | why here |
//! |---|---|---|---|
//! | 1 | the tool is found; nesting and capabilities | `prepare` | nothing is read for a call that cannot run |
//! | 2 | the arguments are read: limits, purpose, parse, validate, repair | `prepare` | what follows judges values, not text |
//! | 3 | gates | `ask_gates`, `gates` | they decide by the session's state, cheaper than a permission |
//! | 4 | permissions | `authorize`, `review` | hooks and people see what would be allowed |
//! | 5 | hooks before the call | `hooks` | changed arguments go back to stage 2, once for each hook |
//! | 6 | people approve | `approval` | they see the call as it would run |
//! | 7 | the permit to run, and gates once more | `run`, `permit` | the state may have changed while somebody was asked |
//! | 8 | the body: panics, timeout, cancellation | `run`, `body` | |
//! | 9 | the output check and commands to the state; hooks after the call around them | `outcome`, `commands`, `after` | a hook may replace what is checked |
//! | 10 | the limit of the output | `outcome` | what the model reads is cut last, so that records have all of it |
//! | | the outcome | `outcome` | the only file that makes one |
//!
//! There are two ways through this list, of the same stage functions: [`PlainStages`] below, `staged` and `plain` for a
//! plain call, which has no state of its own; `CallState::drive`, in `drive`, for any other. Most plain calls have nothing
//! to decide in the stages 3 to 7, which is known before they begin: nobody holds them up, and their tool may run and
//! requests nothing. In these the tool reads the arguments and runs the body in one step (`direct`), and if the body waits,
//! the call needs no context (`direct_wait`). A plain call that has to wait
//! before or after its body becomes a `CallState` and goes on there (`boxed`, `review`), and so does one that a hook
//! before it changes or stops (`hooks`). One that is recorded or has a span is a `CallState` from its beginning
//! (`observed`), and so is the call of a batch where anything observes calls or holds them up; it runs in place (`CallState::go_in_place`) until it has to wait.

use std::future::Future;
use std::sync::Arc;
use std::task::Context;

use crate::content::ToolCall;
use crate::executor::arguments::read::ReadNotes;
use crate::executor::call::body::BodyEnd;
use crate::executor::call::direct::{DirectCall, Directly, ObserverCell, go_on_directly};
use crate::executor::call::future::{Begin, CallFuture, CallInput};
use crate::executor::call::held_thread::tell_of_held_thread;
use crate::executor::call::observed::observed;
use crate::executor::call::reached::{Begun, DirectWait, Reached};
use crate::executor::call::staged::{not_admitted, staged};
use crate::executor::core::origin::CallOrigin;
use crate::executor::core::shared::ExecutorCore;
use crate::executor::core::site::{CallSite, NamedTool};
use crate::executor::observe::observer::CallObserver;
use crate::outcome::ToolOutcome;
use crate::util::cold::cold_path;

pub(crate) mod after;
pub(crate) mod approval;
pub(crate) mod ask_gates;
pub(crate) mod authorize;
pub(crate) mod block;
pub(crate) mod body;
pub(crate) mod body_scope;
pub(crate) mod boxed;
pub(crate) mod commands;
pub(crate) mod direct;
pub(crate) mod direct_wait;
pub(crate) mod drive;
pub(crate) mod future;
pub(crate) mod gates;
pub(crate) mod held_thread;
pub(crate) mod hook_run;
pub(crate) mod hooks;
pub(crate) mod nested;
pub(crate) mod observed;
pub(crate) mod outcome;
pub(crate) mod permit;
pub(crate) mod plain;
pub(crate) mod prepare;
pub(crate) mod preview;
pub(crate) mod reached;
pub(crate) mod recorded;
pub(crate) mod resume;
pub(crate) mod review;
pub(crate) mod run;
pub(crate) mod sourced;
pub(crate) mod staged;
pub(crate) mod state;

/// Runs a call through all stages.
pub(crate) fn run_call<'a>(
    at: CallOrigin<'a>,
    call: ToolCall<'a>,
) -> impl Future<Output = ToolOutcome> + Send + 'a {
    CallFuture::<PlainStages>::new(CallInput { at, call })
}

/// A plain call up to where its body may wait, and all of a call whose body never does.
struct PlainStages;

impl Begin for PlainStages {
    #[expect(
        clippy::inline_always,
        reason = "an outcome is moved once more for each call between"
    )]
    #[inline(always)]
    fn begin<'a>(input: &mut CallInput<'a>, cx: &mut Context<'_>) -> Reached<Begun<'a>> {
        let CallInput { at, call } = input;
        let shared: &'a Arc<ExecutorCore> = at.shared();
        let site = at.site();
        if shared.needs_state() || site.source.is_some() {
            cold_path();
            return Reached::of(observed(shared, site, call.take()));
        }
        let found = site.catalog.snapshot.find(call.name());
        if site.session.events.is_listening() {
            cold_path();
            return told(at, &site, call, found, cx);
        }
        stages(at, &site, call, found, None, cx)
    }
}

/// A plain call whose events somebody takes.
#[cold]
#[inline(never)]
fn told<'a>(
    at: &CallOrigin<'a>,
    site: &CallSite<'a>,
    call: &mut ToolCall<'a>,
    found: NamedTool<'_>,
    cx: &mut Context<'_>,
) -> Reached<Begun<'a>> {
    let shared = at.shared();
    let observer = CallObserver::at(shared, site, call, found);
    let mut observer = ObserverCell::new(Some(observer));
    let reached = stages(at, site, call, found, Some(&observer), cx);
    // A call that has run directly was not told of to its end.
    if let Reached::Ended(outcome) = &reached
        && let Some((number, entry)) = found
        && let Some(observer) = observer.get_mut()
    {
        let tool = (site.catalog.plan(number), &entry.name);
        let elapsed = tell_of_held_thread(shared, tool, observer);
        observer.end_plain(outcome, Some(elapsed));
    }
    reached
}

/// The stages of a plain call, with its observer if somebody takes its events. It is compiled once with and once without:
/// nearly every call has none, and pays nothing for asking.
#[expect(clippy::inline_always, reason = "as `PlainStages::begin`")]
#[inline(always)]
fn stages<'a>(
    at: &CallOrigin<'a>,
    site: &CallSite<'a>,
    call: &mut ToolCall<'a>,
    found: NamedTool<'_>,
    observer: Option<&ObserverCell>,
    cx: &mut Context<'_>,
) -> Reached<Begun<'a>> {
    let shared: &'a Arc<ExecutorCore> = at.shared();
    let take_observer = || observer.and_then(ObserverCell::take).map(Box::new);
    let mut is_refused = false;
    if shared.lets_run_directly()
        && site.session.slots.is_none()
        && let Some(direct) = DirectCall::of(shared, site, call, found, observer)
    {
        // Nearly every call. 1, 2 and 8 to 10.
        let mut end = BodyEnd::new();
        match direct.run(cx, &mut end) {
            // They may be repaired.
            Directly::Refused => is_refused = true,
            Directly::Ended => {
                let end = match direct.outcome(end) {
                    Ok(outcome) => return Reached::Ended(outcome),
                    Err(end) => end,
                };
                let parts = (direct.into_context(), take_observer());
                return go_on_directly((shared, &site.catalog), call, parts, Ok(end), cx);
            }
            Directly::Waits(body) => {
                if let Some(source) = direct.lends(*at) {
                    return DirectWait::begin(source, body, cx, Begun::Waits);
                }
                let parts = (direct.into_context(), take_observer());
                return go_on_directly((shared, &site.catalog), call, parts, Err(body), cx);
            }
            Directly::Unread(tool, panicked) => {
                let parts = (None, ReadNotes::default(), take_observer());
                let refusal = (tool, panicked);
                return Reached::of(not_admitted(shared, site, call, parts, refusal));
            }
        }
    }
    staged(shared, site, call, (found, is_refused), take_observer(), cx)
}
