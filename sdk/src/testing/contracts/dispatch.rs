//! The contract of every [`Dispatcher`], as a test.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a test helper: what it finds it says by panicking"
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::content::{ErrorKind, ToolError, ToolOutput, ToolResult};
use crate::context::ToolContext;
use crate::dispatch::{
    CallClaims, CallDefinition, DispatchError, DispatchOutcome, DispatchedCall, Dispatcher,
    Submission,
};
use crate::dynamic::tool_fn;
use crate::executor::{Approvals, Executor, ToolHost};
use crate::id::{InvocationId, SessionId, ToolName, TurnId};
use crate::permission::AllowAll;
use crate::registry::ToolRegistry;
use crate::spec::{Effect, ToolSpec};
use crate::ticket::TicketKey;

/// The time in which a dispatcher has to do what it has to do.
const PATIENCE: Duration = Duration::from_secs(60);

/// The time after which a call that does not end has plainly not ended.
const MOMENT: Duration = Duration::from_millis(300);

/// Checks that a dispatcher keeps to the contract of [`Dispatcher`]: a call runs once however often it is submitted, its
/// end is told whole, a cancellation arrives where that is promised, and what the host does not take does not run.
///
/// The closure gives a dispatcher that brings its calls to this host, which is in this process; it is called once. That
/// a call outlives a process takes a test of its own, with processes.
///
/// ```
/// use toolwright::executor::LocalDispatcher;
/// use toolwright::testing;
///
/// # #[tokio::main(flavor = "multi_thread", worker_threads = 2)]
/// # async fn main() {
/// testing::dispatcher_contract(async |host| LocalDispatcher::new(host)).await;
/// # }
/// ```
///
/// # Panics
///
/// Panics if the dispatcher does something else; the message says what.
pub async fn dispatcher_contract<D: Dispatcher + Clone>(make: impl AsyncFn(ToolHost) -> D) {
    let runs = Arc::new(AtomicUsize::new(0));
    let host = executor(&runs, crate::ExecutorBuilder::hosts_pools);
    let dispatcher = make(ToolHost::new(&host)).await;
    let suite = Suite { dispatcher, runs };
    suite.runs_once().await;
    suite.attaches().await;
    suite.tells_errors().await;
    suite.cancels().await;
    suite.knows_what_it_has().await;
    suite.refuses().await;
    suite.serves_executors().await;
}

/// The key of the suite, which its host has too.
fn key() -> TicketKey {
    TicketKey::from_bytes(*b"the key of a contract suite only")
}

fn executor(
    runs: &Arc<AtomicUsize>,
    set: impl FnOnce(crate::ExecutorBuilder) -> crate::ExecutorBuilder,
) -> Executor {
    let builder = Executor::builder(tools(runs))
        .approvals(Approvals::new().ticket_key(key()))
        .permission_checker(AllowAll);
    set(builder)
        .build()
        .expect("the tools of the suite fit an executor")
}

fn spec(name: &str) -> ToolSpec {
    let name = ToolName::new(name.to_owned()).expect("it is a name");
    ToolSpec::new(name, "For the contract of dispatchers.")
        .with_pool("contract")
        .with_effect(Effect::Idempotent)
        .with_input_schema(json!({"type": "object"}))
}

/// Counts, waits, and fails.
fn tools(runs: &Arc<AtomicUsize>) -> ToolRegistry {
    let counted = Arc::clone(runs);
    let count = tool_fn(
        spec("contract.count"),
        move |arguments: Value, ctx: ToolContext| {
            let run = counted.fetch_add(1, Ordering::SeqCst);
            async move {
                let told = json!({
                    "run": run, "arguments": arguments, "key": ctx.invocation_id().to_string(),
                    "session": ctx.session_id().as_str(),
                });
                Ok::<_, ToolError>(ToolOutput::from(told))
            }
        },
    );
    let began = Arc::clone(runs);
    let wait = tool_fn(spec("contract.wait"), move |_: Value, ctx: ToolContext| {
        began.fetch_add(1, Ordering::SeqCst);
        async move {
            ctx.cancellation().cancelled().await;
            Ok::<_, ToolError>("cancelled")
        }
    });
    let slow = tool_fn(spec("contract.slow"), |_: Value, _: ToolContext| async {
        tokio::time::sleep(MOMENT * 4).await;
        Ok::<_, ToolError>("slept")
    });
    let fail = tool_fn(spec("contract.fail"), |_: Value, _: ToolContext| async {
        let error = ToolError::new(ErrorKind::Failed, "no ä \u{1f600} \"there\"");
        Err::<ToolOutput, _>(error.with_code("nothing_there").with_retryable(true))
    });
    let registry = ToolRegistry::new().with(count).with(wait).with(slow);
    registry.with(fail)
}

struct Suite<D> {
    dispatcher: D,
    runs: Arc<AtomicUsize>,
}

/// A call with an id of its own.
fn call(tool: &str, arguments: &Value) -> DispatchedCall {
    call_with(tool, arguments, &key(), SystemTime::now() + PATIENCE)
}

fn call_with(
    tool: &str,
    arguments: &Value,
    key: &TicketKey,
    deadline: SystemTime,
) -> DispatchedCall {
    static COUNT: AtomicU64 = AtomicU64::new(1);
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let prefix = since.map_or(0, |since| u64::try_from(since.as_nanos()).unwrap_or(0));
    let invocation = InvocationId::from_parts(prefix, COUNT.fetch_add(1, Ordering::SeqCst));
    let spec = spec(tool);
    let claims = CallClaims {
        invocation,
        session: SessionId::new("contract/\u{e4}"),
        turn: TurnId::new(7),
        call_id: Some("call-1".into()),
        tool: spec.name().clone(),
        definition: CallDefinition::of(&spec, key, Some(PATIENCE))
            .expect("the tool has a definition"),
        arguments: arguments.to_string(),
        metadata: None,
        deadline: Some(deadline),
    };
    DispatchedCall::sign(claims, key).expect("the call has JSON")
}

fn ended(outcome: DispatchOutcome) -> ToolResult {
    match outcome {
        DispatchOutcome::Ended(result) => *result,
        other => panic!("a call that ran to its end ended as {other:?}"),
    }
}

impl<D: Dispatcher + Clone> Suite<D> {
    async fn submit(&self, call: &DispatchedCall) -> Submission {
        let submitted = self.dispatcher.submit(call).await;
        submitted.expect("a call is taken")
    }

    async fn outcome(&self, call: &DispatchedCall) -> DispatchOutcome {
        let outcome = self.dispatcher.outcome(call.invocation(), PATIENCE).await;
        let outcome = outcome.expect("a call that was submitted has an outcome");
        outcome.expect("a call ends in its time")
    }

    async fn runs_once(&self) {
        let before = self.runs.load(Ordering::SeqCst);
        let arguments = json!({"text": "ä \u{1f600} \" \\ \n", "float": 0.5, "deep": [[{}]]});
        let call = call("contract.count", &arguments);
        assert_eq!(
            self.submit(&call).await,
            Submission::Started,
            "a new call starts"
        );
        let outcome = self.outcome(&call).await;
        let result = ended(outcome.clone());
        let told: Value = result.json().expect("the output is data");
        assert_eq!(
            told["arguments"], arguments,
            "arguments arrive as they were"
        );
        assert_eq!(
            told["session"], "contract/\u{e4}",
            "a body is in the session of its call"
        );
        let id = call.invocation();
        assert_eq!(told["key"], id.to_string(), "a body has the id of its call");
        assert_eq!(result.invocation_id(), id, "the result is that of the call");
        let again = self.submit(&call).await;
        assert_eq!(again, Submission::Done, "a call that has ended is done");
        assert_eq!(
            self.outcome(&call).await,
            outcome,
            "an outcome stays the same"
        );
        let runs = self.runs.load(Ordering::SeqCst) - before;
        assert_eq!(runs, 1, "a call that is submitted again runs once");
    }

    async fn attaches(&self) {
        let before = self.runs.load(Ordering::SeqCst);
        let call = call("contract.count", &json!({}));
        let slow = self::call("contract.slow", &json!({}));
        let mut tasks = tokio::task::JoinSet::new();
        for _ in 0..8 {
            for call in [call.clone(), slow.clone()] {
                let dispatcher = self.dispatcher.clone();
                tasks.spawn(async move {
                    let submitted = dispatcher.submit(&call).await;
                    (call.invocation(), submitted.expect("a call is taken"))
                });
            }
        }
        let submitted = tasks.join_all().await;
        for call in [&call, &slow] {
            let of_call = submitted.iter().filter(|(id, _)| *id == call.invocation());
            let started = of_call.filter(|(_, submitted)| *submitted == Submission::Started);
            assert_eq!(
                started.count(),
                1,
                "of several that submit one call one starts it"
            );
        }
        let attached = self.submit(&slow).await;
        assert!(
            matches!(attached, Submission::Attached | Submission::Done),
            "a call that runs is attached to, and not {attached:?}"
        );
        assert_eq!(ended(self.outcome(&slow).await).text(), "slept");
        ended(self.outcome(&call).await);
        let runs = self.runs.load(Ordering::SeqCst) - before;
        assert_eq!(runs, 1, "a call that many submit runs once");
    }

    async fn tells_errors(&self) {
        let call = call("contract.fail", &json!({}));
        self.submit(&call).await;
        let result = ended(self.outcome(&call).await);
        let error = result.error().expect("the tool failed");
        assert_eq!(
            (
                error.kind(),
                error.code(),
                error.is_retryable(),
                error.message()
            ),
            (
                ErrorKind::Failed,
                "nothing_there",
                true,
                "no ä \u{1f600} \"there\""
            ),
            "an error of the tool is told whole"
        );
    }

    async fn cancels(&self) {
        if !self.dispatcher.promises().interrupts_body {
            return;
        }
        let before = self.runs.load(Ordering::SeqCst);
        let call = call("contract.wait", &json!({}));
        self.submit(&call).await;
        let running = async {
            while self.runs.load(Ordering::SeqCst) == before {
                tokio::time::sleep(MOMENT / 30).await;
            }
        };
        let running = tokio::time::timeout(PATIENCE, running).await;
        running.expect("the body of a call that was submitted begins");
        let still = self.dispatcher.outcome(call.invocation(), MOMENT).await;
        let still = still.expect("a call that runs is known");
        assert_eq!(still, None, "a call that waits has no outcome");
        let cancelled = self.dispatcher.cancel(call.invocation()).await;
        cancelled.expect("a call is cancelled");
        match self.outcome(&call).await {
            DispatchOutcome::Ended(result) => {
                let kind = result.error().map(ToolError::kind);
                let is_cancelled =
                    kind == Some(ErrorKind::Cancelled) || result.text() == "cancelled";
                assert!(is_cancelled, "a cancelled call ended as {result:?}");
            }
            DispatchOutcome::CutOff(error) => assert_eq!(error.kind(), ErrorKind::Cancelled),
            other @ DispatchOutcome::NotRun(_) => {
                panic!("the body has begun, and the outcome is {other:?}")
            }
        }
    }

    async fn knows_what_it_has(&self) {
        let nobody = call("contract.count", &json!({})).invocation();
        let knows = self.dispatcher.knows(nobody).await;
        assert!(
            !knows.expect("the dispatcher can be asked"),
            "a call that was not submitted is not known"
        );
        let submitted = call("contract.count", &json!({}));
        for _ in 0..2 {
            self.submit(&submitted).await;
            let knows = self.dispatcher.knows(submitted.invocation()).await;
            assert!(
                knows.expect("the dispatcher can be asked"),
                "a call that was submitted is known, running or ended"
            );
            self.outcome(&submitted).await;
        }
        let unknown = self.dispatcher.outcome(nobody, MOMENT).await;
        assert!(
            matches!(unknown, Err(DispatchError::Unknown { .. })),
            "a call that was not submitted is unknown, and not {unknown:?}"
        );
        let cancelled = self.dispatcher.cancel(nobody).await;
        cancelled.expect("a call that is not there can be cancelled");
    }

    async fn refuses(&self) {
        let before = self.runs.load(Ordering::SeqCst);
        let other = TicketKey::from_bytes([3; 32]);
        let in_time = SystemTime::now() + PATIENCE;
        let forged = call_with("contract.count", &json!({}), &other, in_time);
        let unknown = call("contract.unknown", &json!({}));
        let late = call_with(
            "contract.count",
            &json!({}),
            &key(),
            SystemTime::now() - MOMENT,
        );
        for call in [forged, unknown, late] {
            match self.dispatcher.submit(&call).await {
                Err(DispatchError::Refused { .. }) => continue,
                submitted => submitted.expect("a call is taken or refused"),
            };
            let outcome = self.outcome(&call).await;
            let is_not_run = matches!(outcome, DispatchOutcome::NotRun(_));
            assert!(
                is_not_run,
                "a call that the host refuses ended as {outcome:?}"
            );
        }
        if let Some(most) = self.dispatcher.promises().max_payload {
            let large = "x".repeat(usize::try_from(most).unwrap_or(usize::MAX));
            let call = call("contract.count", &json!({"large": large}));
            let refused = self.dispatcher.submit(&call).await;
            let is_refused = matches!(refused, Err(DispatchError::Refused { .. }));
            assert!(
                is_refused,
                "a call over the limit is refused, and not {refused:?}"
            );
        }
        let runs = self.runs.load(Ordering::SeqCst) - before;
        assert_eq!(runs, 0, "a call that is refused does not run");
    }

    async fn serves_executors(&self) {
        let dispatcher = self.dispatcher.clone();
        let executor = executor(&self.runs, |builder| builder.dispatcher(dispatcher));
        let session = executor.session("through an executor");
        let long = "ü".repeat(10_000);
        let call = |name: &'static str, text: &str| {
            crate::content::ToolCall::new(name, json!({ "text": text }).to_string())
        };
        let outcome = session.call(call("contract.count", &long)).await;
        let told: Value = outcome.json().expect("the call succeeds");
        assert_eq!(
            told["arguments"]["text"], long,
            "arguments arrive as they were"
        );
        let id = outcome.result().invocation_id().to_string();
        assert_eq!(told["key"], id, "a body has the id of its call");
        let failed = session.call(call("contract.fail", "")).await;
        let code = failed.error().map(|error| error.code().to_owned());
        assert_eq!(code.as_deref(), Some("nothing_there"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::executor::LocalDispatcher;

    #[tokio::test(flavor = "multi_thread")]
    async fn the_dispatcher_of_one_process_keeps_to_the_contract() {
        dispatcher_contract(async |host| LocalDispatcher::new(host)).await;
    }
}
