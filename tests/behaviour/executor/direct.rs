//! Calls whose tool reads the arguments and runs the body in one step. They end as those do that something may hold up: there
//! one stage follows the other.

use std::future::pending;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::yield_now;
use toolwright::content::ErrorKind;
use toolwright::event::MemoryEvents;
use toolwright::executor::Limits;
use toolwright::hook::{GateCall, GateDecision, ToolGate};
use toolwright::permission::AllowAll;
use toolwright::state::StateCommand;
use toolwright::{
    Executor, Session, ToolCall, ToolContext, ToolError, ToolOutcome, ToolOutput, ToolRegistry,
    tool, toolset,
};

use crate::support::{poll_once, ready_now};

/// Add two integers.
#[tool(pure, register = false)]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Add two integers, perhaps after a while.
#[tool(pure, register = false)]
async fn add_later(a: i64, b: i64, waits: usize) -> i64 {
    for _ in 0..waits {
        yield_now().await;
    }
    a + b
}

/// Say who calls.
#[tool(pure, register = false)]
fn caller(ctx: &ToolContext) -> String {
    format!("{} of {}", ctx.tool_name(), ctx.session_id())
}

/// Say who calls, after a while.
#[tool(pure, register = false)]
async fn caller_later(waits: usize, ctx: &ToolContext, greeting: &Greeting) -> String {
    for _ in 0..waits {
        yield_now().await;
    }
    format!(
        "{}, {} of {}",
        greeting.0,
        ctx.tool_name(),
        ctx.session_id()
    )
}

struct Greeting(&'static str);

/// Fail as said.
#[tool(pure, register = false)]
fn fail(fatally: bool) -> Result<String, ToolError> {
    let error = ToolError::failed("the disk is full").with_code("disk_full");
    Err(if fatally { error.into_fatal() } else { error })
}

/// Fail later.
#[tool(pure, register = false)]
async fn fail_later(waits: usize) -> Result<String, String> {
    for _ in 0..waits {
        yield_now().await;
    }
    Err("no luck".to_owned())
}

/// Panic.
#[tool(pure, register = false)]
fn explode(message: String) -> String {
    panic!("{message}")
}

/// Panic later.
#[tool(pure, register = false)]
async fn explode_later(waits: usize) -> String {
    for _ in 0..waits {
        yield_now().await;
    }
    panic!("much later")
}

/// Panics when it is dropped.
struct Brittle;

impl Drop for Brittle {
    fn drop(&mut self) {
        panic!("it broke");
    }
}

/// Hold something that breaks.
#[tool(pure, register = false)]
async fn hold_brittle() -> &'static str {
    let _brittle = Brittle;
    "held"
}

/// Write many words.
#[tool(pure, limits(output = "64B"), register = false)]
fn write_much(words: usize) -> String {
    "word ".repeat(words)
}

/// Write many words later.
#[tool(pure, limits(output = "64B"), register = false)]
async fn write_later(waits: usize, words: usize) -> String {
    for _ in 0..waits {
        yield_now().await;
    }
    "word ".repeat(words)
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Place(i64);

/// Go to a place later.
#[tool(read_only, register = false)]
async fn go_later(waits: usize, place: i64) -> ToolOutput {
    for _ in 0..waits {
        yield_now().await;
    }
    ToolOutput::text("gone").with_command(StateCommand::set(Place(place)))
}

/// Go to a place.
#[tool(read_only, register = false)]
fn go_to(place: i64) -> ToolOutput {
    ToolOutput::text("gone").with_command(StateCommand::set(Place(place)))
}

/// Go to a place that cannot be gone to.
#[tool(read_only, register = false)]
fn go_nowhere() -> ToolOutput {
    ToolOutput::text("gone").with_command(StateCommand::update_with(|_: Option<&Place>| -> Place {
        panic!("there is no such place")
    }))
}

fn not_odd(count: &u32) -> Result<(), String> {
    if count.is_multiple_of(2) {
        Ok(())
    } else {
        Err("a pair has two".to_owned())
    }
}

/// Count pairs.
#[tool(pure, validate = not_odd, register = false)]
fn pairs(count: u32) -> u32 {
    count / 2
}

/// Never end.
#[tool(pure, timeout = "50ms", register = false)]
async fn wait_forever() -> String {
    pending().await
}

struct Counter(AtomicUsize);

#[toolset]
impl Counter {
    /// Count calls.
    #[tool(pure)]
    fn count(&self) -> usize {
        self.0.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Count calls later.
    #[tool(pure)]
    async fn count_later(&self, waits: usize) -> usize {
        for _ in 0..waits {
            yield_now().await;
        }
        self.0.fetch_add(1, Ordering::Relaxed) + 1
    }
}

/// The ways that a call may take.
#[derive(Clone, Copy)]
enum Way {
    /// In one step, unseen.
    Direct,
    /// In one step, with a sink that is told of it.
    Told,
    /// Through all stages, with a sink too: a gate might hold it up.
    Staged,
}

struct Open;

impl ToolGate for Open {
    fn decide(&self, _: &GateCall<'_>) -> Option<GateDecision> {
        None
    }
}

fn executor(way: Way) -> Executor {
    executor_told(way, MemoryEvents::new(1))
}

/// The same; its events come to `events`, unless it goes unseen.
fn executor_told(way: Way, events: MemoryEvents) -> Executor {
    let registry = ToolRegistry::new()
        .with(Add)
        .with(AddLater)
        .with(Caller)
        .with(CallerLater)
        .with(Fail)
        .with(FailLater)
        .with(Explode)
        .with(ExplodeLater)
        .with(HoldBrittle)
        .with(WriteMuch)
        .with(WriteLater)
        .with(GoTo)
        .with(GoLater)
        .with(GoNowhere)
        .with(Pairs)
        .with(WaitForever)
        .with_set(Counter(AtomicUsize::new(0)));
    let builder = Executor::builder(registry)
        .permission_checker(AllowAll)
        .resource(Greeting("hello"))
        .limits(Limits::new().max_input_bytes(200));
    let builder = match way {
        Way::Direct => builder,
        Way::Told => builder.events(events),
        Way::Staged => builder.events(events).gate(Open),
    };
    builder.build().unwrap()
}

/// The calls of the comparison, and the kinds of error that they end with.
fn calls() -> Vec<(&'static str, Value, Option<ErrorKind>)> {
    let mut calls = vec![
        ("add", json!({"a": 1, "b": 2}), None),
        ("add", json!({"a": "1", "b": 2}), None),
        (
            "add",
            json!({"a": "one", "b": 2}),
            Some(ErrorKind::InvalidArguments),
        ),
        (
            "add",
            json!({"a": 1, "b": 2, "c": 3}),
            Some(ErrorKind::InvalidArguments),
        ),
        (
            "add",
            json!({"a": 1, "b": "x".repeat(300)}),
            Some(ErrorKind::LimitExceeded),
        ),
        ("ad", json!({}), Some(ErrorKind::NotFound)),
        ("caller", json!({}), None),
        ("fail", json!({"fatally": false}), Some(ErrorKind::Failed)),
        ("fail", json!({"fatally": true}), Some(ErrorKind::Failed)),
        (
            "explode",
            json!({"message": "boom"}),
            Some(ErrorKind::Panicked),
        ),
        ("hold_brittle", json!({}), Some(ErrorKind::Panicked)),
        ("write_much", json!({"words": 3}), None),
        ("write_much", json!({"words": 300}), None),
        ("go_to", json!({"place": 7}), None),
        ("go_nowhere", json!({}), Some(ErrorKind::Panicked)),
        ("pairs", json!({"count": 4}), None),
        (
            "pairs",
            json!({"count": 3}),
            Some(ErrorKind::InvalidArguments),
        ),
        ("wait_forever", json!({}), Some(ErrorKind::TimedOut)),
        ("count", json!({}), None),
    ];
    for waits in [0, 1, 3] {
        let waits = json!({ "waits": waits });
        calls.push(("caller_later", waits.clone(), None));
        calls.push(("fail_later", waits.clone(), Some(ErrorKind::Failed)));
        calls.push(("explode_later", waits.clone(), Some(ErrorKind::Panicked)));
        calls.push(("count_later", waits.clone(), None));
        let with = |others: &[(&str, i64)]| {
            let mut arguments = waits.clone();
            for (name, value) in others {
                arguments[*name] = json!(value);
            }
            arguments
        };
        calls.push(("add_later", with(&[("a", 20), ("b", 1)]), None));
        calls.push(("write_later", with(&[("words", 3)]), None));
        calls.push(("write_later", with(&[("words", 300)]), None));
        calls.push(("go_later", with(&[("place", 8)]), None));
    }
    calls
}

/// Takes out the fields of these names.
fn strip(value: &mut Value, names: &[&str]) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !names.contains(&name.as_str()));
            fields.values_mut().for_each(|value| strip(value, names));
        }
        Value::Array(items) => items.iter_mut().for_each(|value| strip(value, names)),
        _ => {}
    }
}

/// Returns all of an outcome but the ids that differ between two executors.
fn comparable(outcome: &ToolOutcome) -> Value {
    let mut value = serde_json::to_value(outcome.result()).unwrap();
    strip(&mut value, &["invocation_id"]);
    value
}

fn kind(outcome: &ToolOutcome) -> Option<ErrorKind> {
    outcome.error().map(ToolError::kind)
}

#[tokio::test(start_paused = true)]
async fn a_call_in_one_step_ends_as_one_that_takes_all_stages() {
    let ways = [Way::Direct, Way::Told, Way::Staged];
    let executors = ways.map(executor);
    let sessions = executors.each_ref().map(|executor| executor.session("s"));
    let turns = sessions.each_ref().map(Session::turn);
    for (tool, arguments, expected) in calls() {
        let text = arguments.to_string();
        let call = || ToolCall::new(tool, text.as_str());
        let about = serde_json::Map::from_iter([("who".to_owned(), json!("me"))]);
        let mut ended = [Vec::new(), Vec::new(), Vec::new()];
        for (at, outcomes) in ended.iter_mut().enumerate() {
            outcomes.extend([
                sessions[at].call(call().with_id("c-1")).await,
                sessions[at].call(call().with_metadata(about.clone())).await,
                turns[at].call(call().with_id("c-2")).await,
                executors[at].call(tool, &text).await,
            ]);
        }
        let [direct, told, staged] = ended;
        let (unseen, seen) = (direct.iter().zip(&staged), told.iter().zip(&staged));
        for (ended, expectation) in unseen.chain(seen) {
            let [one, other] = [ended, expectation].map(comparable);
            assert_eq!(one, other, "{tool} {text}");
            assert_eq!(kind(ended), expected, "{tool} {text}");
            let [one, other] = [ended, expectation].map(|outcome| {
                let source = outcome.error().and_then(std::error::Error::source);
                source.map(ToString::to_string)
            });
            assert_eq!(one, other, "{tool} {text}");
        }
        let places = sessions
            .each_ref()
            .map(|session| session.state().get::<Place>().copied());
        assert_eq!(places, [places[2]; 3], "{tool} {text}");
    }
    assert_eq!(sessions[0].state().get::<Place>(), Some(&Place(8)));
}

#[tokio::test(start_paused = true)]
async fn a_call_in_one_step_is_told_of_as_one_that_takes_all_stages() {
    let mut told = [Vec::new(), Vec::new()];
    for (way, told) in [Way::Told, Way::Staged].into_iter().zip(&mut told) {
        let events = MemoryEvents::new(10_000);
        let executor = executor_told(way, events.clone());
        let session = executor.session("s");
        for (tool, arguments, _) in calls() {
            let call = ToolCall::new(tool, arguments).with_id("c-1");
            session.call(call).await;
        }
        // A call that its host gives up on, and another that was cancelled before.
        let arguments = json!({"a": 1, "b": 2, "waits": 1});
        let mut call = Box::pin(session.call(ToolCall::new("add_later", arguments)));
        assert!(poll_once(call.as_mut()).is_pending());
        drop(call);
        let turn = session.turn();
        turn.cancel();
        turn.call(ToolCall::new("count", json!({}))).await;
        for event in events.events() {
            let mut event = serde_json::to_value(&*event).unwrap();
            strip(&mut event, &["invocation", "time", "duration"]);
            told.push(event);
        }
    }
    let [told, staged] = told;
    assert!(told.len() > 4 * calls().len());
    for (told, staged) in told.iter().zip(&staged) {
        assert_eq!(told, staged);
    }
    assert_eq!(told.len(), staged.len());
}

#[tokio::test]
async fn a_call_in_one_step_of_a_tree_ends_as_one_of_a_text() {
    let executor = executor(Way::Direct);
    let session = executor.session("s");
    for (tool, arguments, expected) in calls() {
        if matches!(tool, "wait_forever" | "count" | "count_later") {
            continue;
        }
        let text = arguments.to_string();
        let of_text = session.call(ToolCall::new(tool, text.as_str())).await;
        let of_tree = session.call(ToolCall::new(tool, arguments)).await;
        assert_eq!(comparable(&of_text), comparable(&of_tree), "{tool} {text}");
        assert_eq!(kind(&of_tree), expected, "{tool} {text}");
    }
}

/// Runs all calls of the comparison as one batch.
async fn batch(way: Way) -> Vec<Value> {
    let executor = executor(way);
    let calls: Vec<_> = calls()
        .into_iter()
        .filter(|(tool, ..)| !matches!(*tool, "count" | "count_later"))
        .map(|(tool, arguments, _)| (tool, arguments.to_string()))
        .collect();
    let calls = calls
        .iter()
        .enumerate()
        .map(|(at, (tool, text))| ToolCall::new(*tool, text.as_str()).with_id(format!("c-{at}")));
    let outcomes = executor.session("s").call_all(calls).await;
    outcomes.iter().map(comparable).collect()
}

#[test]
fn a_batch_in_one_step_ends_as_one_that_takes_all_stages() {
    let mut one = tokio::runtime::Builder::new_current_thread();
    let mut two = tokio::runtime::Builder::new_multi_thread();
    let [one, two] = [&mut one, two.worker_threads(2)].map(|builder| {
        let runtime = builder.enable_time().build().unwrap();
        [Way::Direct, Way::Told, Way::Staged].map(|way| runtime.block_on(batch(way)))
    });
    for [direct, told, staged] in [one, two] {
        assert_eq!(direct.len(), 39);
        for ((direct, told), staged) in direct.iter().zip(&told).zip(&staged) {
            assert_eq!(direct, staged);
            assert_eq!(told, staged);
        }
    }
}

#[test]
fn members_that_wait_where_there_is_no_runtime_go_on_one_after_another() {
    let executor = executor(Way::Direct);
    let session = executor.session("s");
    let calls = (1..=3).map(|a| {
        let arguments = json!({"a": a, "b": 1, "waits": 0});
        ToolCall::new("add_later", arguments.to_string())
    });
    let outcomes = ready_now(session.call_all(calls));
    let texts: Vec<_> = outcomes.iter().map(ToolOutcome::text).collect();
    assert_eq!(texts, ["2", "3", "4"]);
}

#[tokio::test]
async fn a_call_of_a_cancelled_session_or_turn_never_begins() {
    let mut texts = Vec::new();
    for way in [Way::Direct, Way::Told, Way::Staged] {
        let executor = executor(way);
        let session = executor.session("s");
        let turn = session.turn();
        turn.cancel();
        let of_turn = turn.call(ToolCall::new("count", "{}")).await;
        assert_eq!(kind(&of_turn), Some(ErrorKind::Cancelled));
        let refused = turn.call(ToolCall::new("add", r#"{"a": "x"}"#)).await;
        assert_eq!(kind(&refused), Some(ErrorKind::InvalidArguments));
        session.cancel();
        let of_session = session
            .call(ToolCall::new("count_later", r#"{"waits": 1}"#))
            .await;
        assert_eq!(kind(&of_session), Some(ErrorKind::Cancelled));
        let counted = executor.call("count", "{}").await;
        assert_eq!(counted.text(), "1");
        texts.push([of_turn, refused, of_session].map(|outcome| comparable(&outcome)));
    }
    assert_eq!(texts[0], texts[2]);
    assert_eq!(texts[1], texts[2]);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_was_polled_in_one_step_is_stopped_like_any_other() {
    let executor = executor(Way::Direct);
    let session = executor.session("s");
    let turn = session.turn();
    let (ended, ()) = tokio::join!(turn.call(ToolCall::new("wait_forever", "{}")), async {
        tokio::time::sleep(Duration::from_millis(10)).await;
        turn.cancel();
    });
    assert_eq!(kind(&ended), Some(ErrorKind::Cancelled));

    // The host gives up on a call.
    let mut call = Box::pin(session.call(ToolCall::new(
        "add_later",
        r#"{"a": 1, "b": 2, "waits": 1}"#,
    )));
    assert!(poll_once(call.as_mut()).is_pending());
    drop(call);
    assert_eq!(
        ready_now(executor.call("add", r#"{"a": 1, "b": 2}"#)).text(),
        "3"
    );
}

#[test]
fn a_call_that_waits_where_there_are_no_timers_is_told_so_in_one_step_too() {
    let told = [Way::Direct, Way::Told, Way::Staged].map(|way| {
        let executor = executor(way);
        let outcome = ready_now(executor.call("wait_forever", "{}"));
        assert_eq!(kind(&outcome), Some(ErrorKind::Internal));
        comparable(&outcome)
    });
    assert_eq!(told[0], told[2]);
    assert_eq!(told[1], told[2]);
}

#[tokio::test]
async fn a_call_that_waits_ends_with_the_tools_that_it_began_with() {
    let executor = executor(Way::Direct);
    let session = executor.session("s");
    let call = || ToolCall::new("write_later", r#"{"waits": 1, "words": 300}"#);
    let expected = session.call(call()).await;
    let mut waits = Box::pin(session.call(call()));
    assert!(poll_once(waits.as_mut()).is_pending());
    executor
        .replace_tools(ToolRegistry::new().with(Add))
        .unwrap();
    assert_eq!(comparable(&waits.await), comparable(&expected));
    assert_eq!(kind(&session.call(call()).await), Some(ErrorKind::NotFound));
}
