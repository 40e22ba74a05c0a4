//! Hooks as tracked executions: listed while they run, and told of at their start and end.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::sync::Notify;
use toolwright::content::ErrorKind;
use toolwright::event::{Event, EventKind, HookStage, MemoryEvents};
use toolwright::executor::RunningHook;
use toolwright::hook::{AfterCall, AfterDecision, AfterTool, BatchDecision, BeforeTool, HookCall};
use toolwright::id::{HookRunId, InvocationId};
use toolwright::permission::AllowAll;
use toolwright::{Executor, ExecutorBuilder, ToolCall, ToolError, ToolRegistry, async_trait, tool};

/// Say something.
#[tool(register = false, pure)]
async fn say(text: String) -> String {
    text
}

/// Looks for as long as nobody lets it go on.
struct Slow {
    looks: Arc<Notify>,
    goes_on: Arc<Notify>,
}

#[async_trait]
impl BeforeTool for Slow {
    async fn before_batch(&self, _calls: &[HookCall<'_>]) -> Result<BatchDecision, ToolError> {
        self.looks.notify_one();
        self.goes_on.notified().await;
        Ok(BatchDecision::proceed())
    }

    fn name(&self) -> &'static str {
        "slow"
    }
}

/// Fails with what a call says.
struct Picky;

#[async_trait]
impl AfterTool for Picky {
    async fn after(&self, call: &AfterCall<'_>) -> Result<AfterDecision, ToolError> {
        let [said] = call.output().content() else {
            return Ok(AfterDecision::keep());
        };
        match said.as_text().unwrap_or_default() {
            "fail" => Err(ToolError::unavailable("the censor is away")),
            "trip" => panic!("the censor fell"),
            _ => Ok(AfterDecision::keep()),
        }
    }

    fn name(&self) -> &'static str {
        "picky"
    }
}

fn builder() -> ExecutorBuilder {
    Executor::builder(ToolRegistry::new().with(Say)).permission_checker(AllowAll)
}

fn call(text: &str) -> ToolCall<'static> {
    ToolCall::new("say", json!({"text": text}))
}

type Told = (
    bool,
    HookRunId,
    String,
    HookStage,
    Option<ErrorKind>,
    InvocationId,
);

/// The events of hooks; the first of each says whether it is that of a start.
fn told(events: &[Arc<Event>]) -> Vec<Told> {
    let of_hook = |event: &Arc<Event>| {
        let call = event.call().unwrap().invocation();
        match event.kind() {
            EventKind::HookStarted {
                id, hook, stage, ..
            } => Some((true, *id, hook.clone(), *stage, None, call)),
            EventKind::HookFinished {
                id,
                hook,
                stage,
                duration,
                error,
                ..
            } => {
                assert!(*duration < Duration::from_secs(600));
                Some((false, *id, hook.clone(), *stage, *error, call))
            }
            _ => None,
        }
    };
    events.iter().filter_map(of_hook).collect()
}

#[tokio::test]
async fn s3_57_a_running_hook_is_listed_with_its_id_and_its_start_and_end_are_events() {
    let (looks, goes_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let slow = Slow {
        looks: Arc::clone(&looks),
        goes_on: Arc::clone(&goes_on),
    };
    let memory = MemoryEvents::new(100);
    let executor = builder()
        .before(slow)
        .events(memory.clone())
        .build()
        .unwrap();
    assert!(executor.running_hooks().is_empty());
    let session = executor.session("s-1");
    let calling = tokio::spawn(async move { session.call_all([call("a"), call("b")]).await });
    looks.notified().await;
    let [running] = &executor.running_hooks()[..] else {
        panic!("one hook looks at both calls");
    };
    assert_eq!(
        (running.hook(), running.stage()),
        ("slow", HookStage::Before)
    );
    let calls = running.calls().to_vec();
    let id = running.id();
    goes_on.notify_one();
    let outcomes = calling.await.unwrap();
    assert!(executor.running_hooks().is_empty());
    let of_calls: Vec<InvocationId> = outcomes
        .iter()
        .map(|outcome| outcome.result().invocation_id())
        .collect();
    assert_eq!(calls, of_calls);
    let slow = || "slow".to_owned();
    let expected: Vec<Told> = [true, false]
        .into_iter()
        .flat_map(|start| of_calls.iter().map(move |call| (start, *call)))
        .map(|(start, call)| (start, id, slow(), HookStage::Before, None, call))
        .collect();
    // Each call is then shown alone.
    let mut told = told(&memory.events());
    told.retain(|(_, of, ..)| *of == id);
    assert_eq!(told, expected);
}

#[tokio::test]
async fn s3_57_a_hook_that_fails_or_panics_is_told_of_with_its_end() {
    let memory = MemoryEvents::new(100);
    let executor = builder()
        .after(Picky)
        .events(memory.clone())
        .build()
        .unwrap();
    for (text, error) in [
        ("well", None),
        ("fail", Some(ErrorKind::Unavailable)),
        ("trip", Some(ErrorKind::Panicked)),
    ] {
        memory.take();
        let outcome = executor.session("s-1").call(call(text)).await;
        let events = memory.events();
        let [(true, started, ..), (false, ended, hook, stage, told, of)] = &told(&events)[..]
        else {
            panic!("{events:?}");
        };
        assert_eq!(
            (started, hook.as_str(), *stage),
            (ended, "picky", HookStage::After)
        );
        assert_eq!(*told, error, "{text}");
        assert_eq!(*of, outcome.result().invocation_id());
    }
    assert!(executor.running_hooks().is_empty());
}

#[tokio::test]
async fn s3_57_a_hook_whose_call_is_dropped_has_ended() {
    let (looks, goes_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let memory = MemoryEvents::new(100);
    for listens in [true, false] {
        let slow = Slow {
            looks: Arc::clone(&looks),
            goes_on: Arc::clone(&goes_on),
        };
        let mut builder = builder().before(slow);
        if listens {
            builder = builder.events(memory.clone());
        }
        let executor = builder.build().unwrap();
        let session = executor.session("s-1");
        let calling = tokio::spawn(async move { session.call(call("a")).await });
        looks.notified().await;
        let ids: Vec<HookRunId> = executor
            .running_hooks()
            .iter()
            .map(RunningHook::id)
            .collect();
        assert_eq!(ids.len(), 1);
        calling.abort();
        assert!(calling.await.unwrap_err().is_cancelled());
        assert!(executor.running_hooks().is_empty());
    }
    let told = told(&memory.events());
    assert_eq!(told.len(), 2);
    assert_eq!(told[1].4, Some(ErrorKind::Cancelled));
}
