//! The state of a session: what calls read, and what they change by commands.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::sync::Notify;
use toolwright::content::ErrorKind;
use toolwright::event::{EventChannel, EventKind, EventReceiver};
use toolwright::executor::{SessionOptions, WaitMode};
use toolwright::id::{RunIdentity, TurnId};
use toolwright::permission::AllowAll;
use toolwright::state::{ScheduledAction, StateCommand, StateSnapshot};
use toolwright::ticket::Answer;
use toolwright::{
    Executor, PermissionRequest, Session, ToolCall, ToolContext, ToolError, ToolOutcome,
    ToolOutput, ToolRegistry, ToolResult, tool,
};

use crate::waiting_support::interrupted;

#[derive(Debug, Clone, Default, PartialEq)]
struct Count(u32);

#[derive(Debug, PartialEq)]
struct Directory(String);

struct LastTurn(TurnId);

/// Go to a directory.
#[tool(register = false)]
fn cd(path: String) -> ToolOutput {
    ToolOutput::empty().with_command(StateCommand::set(Directory(path)))
}

/// Tell the directory.
#[tool(register = false, read_only)]
fn pwd(ctx: &ToolContext) -> String {
    let directory = ctx.state::<Directory>();
    directory.map_or_else(|| "nowhere".to_owned(), |directory| directory.0.clone())
}

/// Count, and end in one way or another.
#[tool(register = false, read_only, timeout = "1s")]
async fn count_up(how: Option<String>) -> Result<ToolOutput, ToolError> {
    let one_more = StateCommand::update(|count: &mut Count| count.0 += 1);
    let output = match how.as_deref() {
        Some("error") => ToolOutput::error("no"),
        Some("fail") => return Err(ToolError::failed("no")),
        Some("hang") => {
            std::future::pending::<()>().await;
            ToolOutput::empty()
        }
        Some("panic") => ToolOutput::text("done")
            .with_command(one_more.clone())
            .with_command(StateCommand::update(|_: &mut Count| panic!("no more"))),
        _ => ToolOutput::text("counted"),
    };
    tokio::task::yield_now().await;
    Ok(output.with_command(one_more))
}

/// Run once in a turn.
#[tool(register = false, read_only)]
fn once_a_turn(ctx: &ToolContext) -> ToolOutput {
    if ctx
        .state::<LastTurn>()
        .is_some_and(|last| last.0 == ctx.turn_id())
    {
        return ToolOutput::error("once in a turn is enough");
    }
    ToolOutput::text("ran").with_command(StateCommand::set(LastTurn(ctx.turn_id())))
}

/// Look at the state before and after something.
#[tool(register = false, read_only)]
async fn look_twice(gate: &Arc<Gate>, ctx: &ToolContext) -> String {
    let see = || ctx.state::<Count>().map(|count| count.0);
    let before = see();
    gate.here.notify_one();
    gate.go_on.notified().await;
    format!("{before:?} {:?}", see())
}

/// Open a door, and count the doors.
#[tool(register = false, read_only)]
async fn open_door(ctx: &ToolContext) -> Result<ToolOutput, ToolError> {
    ctx.check(PermissionRequest::new("door", "front", "Open the door"))
        .await?;
    let one_more = StateCommand::update(|count: &mut Count| count.0 += 1);
    Ok(ToolOutput::text("open").with_command(one_more))
}

/// Have everything happen.
#[tool(register = false, read_only)]
fn everything() -> ToolOutput {
    let later = ScheduledAction::new("remind", json!({"of": "tea"}), Duration::from_secs(180));
    ToolOutput::text("done")
        .with_command(StateCommand::emit("brewing", json!({"pot": 1})))
        .with_command(StateCommand::set(Count(7)))
        .with_command(StateCommand::schedule(later))
        .with_command(StateCommand::remove::<Directory>())
}

#[derive(Default)]
struct Gate {
    here: Notify,
    go_on: Notify,
}

fn registry() -> ToolRegistry {
    ToolRegistry::new()
        .with(Cd)
        .with(Pwd)
        .with(CountUp)
        .with(OnceATurn)
        .with(LookTwice)
        .with(OpenDoor)
        .with(Everything)
}

struct Host {
    executor: Executor,
    session: Session,
    gate: Arc<Gate>,
}

/// The plain way of a call, and that on which somebody looks.
fn hosts() -> [(Host, Option<EventReceiver>); 2] {
    let channel = EventChannel::new(256);
    let receiver = channel.subscribe();
    [
        (host(|builder| builder), None),
        (host(|builder| builder.events(channel)), Some(receiver)),
    ]
}

fn host(set: impl FnOnce(toolwright::ExecutorBuilder) -> toolwright::ExecutorBuilder) -> Host {
    let gate = Arc::new(Gate::default());
    let builder = Executor::builder(registry())
        .resource(Arc::clone(&gate))
        .permission_checker(AllowAll);
    let executor = set(builder).build().unwrap();
    let session = executor.session("s-1");
    Host {
        executor,
        session,
        gate,
    }
}

async fn call(session: &Session, tool: &str, arguments: &str) -> ToolOutcome {
    session.call(ToolCall::new(tool, arguments)).await
}

fn counted(session: &Session) -> Option<u32> {
    session.state().get::<Count>().map(|count| count.0)
}

#[tokio::test]
async fn s2_07_state_is_of_one_session() {
    let host = host(|builder| builder);
    let other = host.executor.session("s-2");
    assert!(
        call(&host.session, "cd", r#"{"path": "/data"}"#)
            .await
            .is_success()
    );
    assert_eq!(call(&host.session, "pwd", "").await.text(), "/data");
    assert_eq!(call(&other, "pwd", "").await.text(), "nowhere");
    // Another handle of the id is the same session.
    let again = host.executor.session("s-1");
    assert_eq!(call(&again, "pwd", "").await.text(), "/data");
}

#[tokio::test]
async fn s2_09_a_tool_can_refuse_a_second_call_in_one_turn() {
    let host = host(|builder| builder);
    let turn = host.session.turn();
    let run = || async {
        turn.call(ToolCall::new("once_a_turn", ""))
            .await
            .is_success()
    };
    assert!(run().await);
    assert!(!run().await);
    let next = host.session.turn();
    assert!(
        next.call(ToolCall::new("once_a_turn", ""))
            .await
            .is_success()
    );
}

#[tokio::test]
async fn s4_19_effects_of_an_output_happen_once() {
    let plain: ToolOutput = "just a text".into();
    assert!(plain.commands().is_empty());
    for (host, _) in hosts() {
        for expected in 1..=3 {
            let outcome = call(&host.session, "count_up", "").await;
            assert_eq!(
                (outcome.text(), counted(&host.session)),
                ("counted".to_owned(), Some(expected))
            );
        }
    }
}

#[tokio::test]
async fn s4_23_a_nested_run_shows_its_parents() {
    /// Tell the run.
    #[tool(register = false, read_only)]
    fn which_run(ctx: &ToolContext) -> Option<String> {
        let run = ctx.run()?;
        let id = |run: &RunIdentity| run.run().as_str().to_owned();
        let parent = run.parent().map_or_else(|| "-".to_owned(), id);
        let text = |text: Option<&str>| text.unwrap_or("-").to_owned();
        let thread = text(run.thread().map(toolwright::id::ThreadId::as_str));
        let agent = text(run.agent().map(toolwright::id::AgentId::as_str));
        Some(format!("{thread} {} {agent} {parent}", id(run)))
    }
    let executor = Executor::new(ToolRegistry::new().with(WhichRun)).unwrap();
    let tell = async |session: &Session| call(session, "which_run", "").await.text();
    assert_eq!(tell(&executor.session("none")).await, "");
    let run = RunIdentity::new("run-1")
        .with_thread("thread-1")
        .with_agent("writer");
    let session = executor.session_with("s-1", SessionOptions::new().run(run.clone()));
    assert_eq!(tell(&session).await, "thread-1 run-1 writer -");
    assert_eq!(
        tell(&session.sub_session("s-1/a")).await,
        "thread-1 run-1 writer -"
    );
    let own = SessionOptions::new().run(RunIdentity::new("run-2").with_agent("critic"));
    let below = session.sub_session_with("s-1/b", own);
    assert_eq!(tell(&below).await, "thread-1 run-2 critic run-1");
    let own =
        SessionOptions::new().run(RunIdentity::new("run-3").with_parent(RunIdentity::new("far")));
    assert_eq!(
        tell(&session.sub_session_with("s-1/c", own)).await,
        "- run-3 - far"
    );
    let text = serde_json::to_string(below.run().unwrap()).unwrap();
    assert_eq!(
        serde_json::from_str::<RunIdentity>(&text).unwrap(),
        *below.run().unwrap()
    );
}

#[tokio::test]
async fn s4_24_the_agent_spec_is_the_very_same() {
    struct Agent;
    /// Keep the agent.
    #[tool(register = false, read_only)]
    fn keep_agent(ctx: &ToolContext, kept: &std::sync::Mutex<Vec<Arc<Agent>>>) -> bool {
        assert!(ctx.agent_spec::<String>().is_none());
        let agent = ctx.agent_spec::<Agent>();
        kept.lock().unwrap().extend(agent.clone());
        agent.is_some()
    }
    let kept = Arc::new(std::sync::Mutex::new(Vec::new()));
    let executor = Executor::builder(ToolRegistry::new().with(KeepAgent))
        .resource_arc(Arc::clone(&kept))
        .build()
        .unwrap();
    let agent = Arc::new(Agent);
    let options = SessionOptions::new().agent_spec(Arc::clone(&agent));
    let session = executor.session_with("s-1", options);
    assert_eq!(call(&session, "keep_agent", "").await.text(), "true");
    assert_eq!(
        call(&session.sub_session("s-2"), "keep_agent", "")
            .await
            .text(),
        "true"
    );
    assert_eq!(
        call(&executor.session("s-3"), "keep_agent", "")
            .await
            .text(),
        "false"
    );
    let kept = kept.lock().unwrap();
    assert_eq!(kept.len(), 2);
    assert!(kept.iter().all(|its| Arc::ptr_eq(its, &agent)));
}

#[tokio::test]
async fn s4_25_a_snapshot_does_not_change_while_the_tool_runs() {
    for (host, _) in hosts() {
        host.session.set_state(Count(1));
        let looking = {
            let session = host.session.clone();
            tokio::spawn(async move { call(&session, "look_twice", "").await })
        };
        host.gate.here.notified().await;
        call(&host.session, "count_up", "").await;
        host.session
            .apply([StateCommand::update(|count: &mut Count| count.0 += 10)])
            .unwrap();
        host.gate.go_on.notify_one();
        assert_eq!(looking.await.unwrap().text(), "Some(1) Some(1)");
        assert_eq!(counted(&host.session), Some(12));
    }
}

#[tokio::test]
async fn s4_26_a_missing_key_gives_none() {
    let host = host(|builder| builder);
    assert_eq!(call(&host.session, "pwd", "").await.text(), "nowhere");
    host.session.set_state(Count(1));
    assert_eq!(call(&host.session, "pwd", "").await.text(), "nowhere");
    assert_eq!(host.session.state().get::<Directory>(), None);
    assert_eq!(host.session.state().get(), Some(&Count(1)));
    assert_eq!(StateSnapshot::default().get::<Count>(), None);
}

#[tokio::test]
async fn commands_of_each_kind_are_seen_by_the_host() {
    for (host, events) in hosts() {
        host.session.set_state(Directory("/".to_owned()));
        assert!(call(&host.session, "everything", "").await.is_success());
        let state = host.session.state();
        assert_eq!(
            (state.get(), state.get::<Directory>()),
            (Some(&Count(7)), None)
        );
        let scheduled = host.session.take_scheduled();
        assert_eq!(scheduled.len(), 1);
        assert_eq!(scheduled[0].name, "remind");
        assert_eq!(scheduled[0].after, Duration::from_secs(180));
        assert!(host.session.take_scheduled().is_empty());
        let Some(mut events) = events else { continue };
        let mut told = Vec::new();
        while let Some(received) = events.try_recv() {
            let event = received.event();
            match event.kind() {
                EventKind::Emitted { name, payload, .. } => {
                    assert_eq!(payload, &json!({"pot": 1}));
                    told.push(name.clone());
                }
                EventKind::Scheduled { action, .. } => told.push(action.name.clone()),
                _ => continue,
            }
            assert_eq!(event.call().unwrap().tool(), "everything");
        }
        assert_eq!(told, ["brewing", "remind"]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_does_not_succeed_changes_nothing() {
    for (host, _) in hosts() {
        for how in ["error", "fail", "hang"] {
            let outcome = call(&host.session, "count_up", &json!({"how": how}).to_string()).await;
            assert!(!outcome.is_success(), "{how}");
            assert_eq!(counted(&host.session), None, "{how}");
        }
        let turn = host.session.turn();
        let hanging = {
            let turn = turn.clone();
            tokio::spawn(async move {
                turn.call(ToolCall::new("count_up", r#"{"how": "hang"}"#))
                    .await
            })
        };
        tokio::task::yield_now().await;
        turn.cancel();
        let outcome = hanging.await.unwrap();
        assert_eq!(
            outcome.error().map(ToolError::kind),
            Some(ErrorKind::Cancelled)
        );
        assert_eq!(counted(&host.session), None);
        assert_eq!(host.session.state().version(), 0);
    }
}

#[tokio::test]
async fn a_change_that_panics_fails_its_call_and_leaves_the_state() {
    for (host, _) in hosts() {
        host.session.set_state(Count(3));
        let outcome = call(&host.session, "count_up", r#"{"how": "panic"}"#).await;
        assert_eq!(
            outcome.error().map(ToolError::kind),
            Some(ErrorKind::Panicked)
        );
        assert!(!outcome.text().contains("no more"), "{}", outcome.text());
        assert_eq!(counted(&host.session), Some(3));
        assert!(call(&host.session, "count_up", "").await.is_success());
        assert_eq!(counted(&host.session), Some(4));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_side_by_side_lose_no_change() {
    for (host, _) in hosts() {
        let calls = (0..100).map(|_| ToolCall::new("count_up", ""));
        let outcomes = host.session.call_all(calls).await;
        assert!(outcomes.iter().all(ToolOutcome::is_success));
        assert_eq!(counted(&host.session), Some(100));
    }
}

#[tokio::test]
async fn commands_of_a_resumed_call_happen_once() {
    struct AsksForDoors;
    impl toolwright::permission::PermissionChecker for AsksForDoors {
        fn check_tool(&self, _: &toolwright::ToolSpec) -> toolwright::permission::Verdict {
            toolwright::permission::Verdict::Allow
        }
        fn check_request(
            &self,
            _: &toolwright::permission::CallView<'_>,
            _: &PermissionRequest,
        ) -> toolwright::permission::Verdict {
            toolwright::permission::Verdict::ask("it is a door")
        }
    }
    let host = host(|builder| {
        builder
            .permission_checker(AsksForDoors)
            .approvals(WaitMode::Suspending)
    });
    let waits = interrupted(call(&host.session, "open_door", "").await);
    assert_eq!(counted(&host.session), None);
    let outcome = host
        .session
        .resume(waits.ticket(), Answer::yes())
        .await
        .unwrap();
    assert_eq!(
        (outcome.text(), counted(&host.session)),
        ("open".to_owned(), Some(1))
    );
    assert!(
        host.session
            .resume(waits.ticket(), Answer::yes())
            .await
            .is_err()
    );
    assert_eq!(counted(&host.session), Some(1));
    let waits = interrupted(call(&host.session, "open_door", "").await);
    let outcome = host
        .session
        .resume(waits.ticket(), Answer::no())
        .await
        .unwrap();
    assert!(!outcome.is_success());
    assert_eq!(counted(&host.session), Some(1));
}

#[tokio::test]
async fn a_session_below_has_a_state_of_its_own() {
    let host = host(|builder| builder);
    host.session.set_state(Count(1));
    let below = host.session.sub_session("s-1/below");
    assert_eq!(counted(&below), None);
    call(&below, "count_up", "").await;
    assert_eq!(
        (counted(&host.session), counted(&below)),
        (Some(1), Some(1))
    );
    let given = SessionOptions::new()
        .state(Count(5))
        .state(Directory("/data".to_owned()));
    let below = host.session.sub_session_with("s-1/given", given);
    assert_eq!(call(&below, "pwd", "").await.text(), "/data");
    call(&below, "count_up", "").await;
    assert_eq!(counted(&below), Some(6));
    // Another handle does not set the state of an existing session anew.
    let again = SessionOptions::new().state(Count(5));
    assert_eq!(
        counted(&host.executor.session_with("s-1/given", again)),
        Some(6)
    );
}

#[tokio::test]
async fn the_end_of_a_session_drops_its_state() {
    let host = host(|builder| builder);
    call(&host.session, "everything", "").await;
    let other = host.session.clone();
    host.session.end().await.unwrap();
    assert!(other.state().is_empty());
    assert!(other.take_scheduled().is_empty());
    other.set_state(Count(1));
    assert!(other.state().is_empty());
    assert_eq!(counted(&host.executor.session("s-1")), None);
}

#[tokio::test]
async fn commands_are_no_part_of_a_result() {
    for (host, _) in hosts() {
        let result = call(&host.session, "cd", r#"{"path": "/data"}"#)
            .await
            .into_result();
        let text = serde_json::to_string(&result).unwrap();
        assert!(
            !text.contains("/data") && !text.contains("command"),
            "{text}"
        );
        let back: ToolResult = serde_json::from_str(&text).unwrap();
        assert_eq!(back, result);
    }
}

#[tokio::test]
async fn too_many_scheduled_actions_are_refused() {
    let host = host(|builder| builder);
    let action = || ScheduledAction::new("x", json!(null), Duration::ZERO);
    let many = (0..Session::MAX_SCHEDULED).map(|_| StateCommand::schedule(action()));
    host.session.apply(many).unwrap();
    let outcome = call(&host.session, "everything", "").await;
    assert_eq!(
        outcome.error().map(ToolError::kind),
        Some(ErrorKind::LimitExceeded)
    );
    assert_eq!(counted(&host.session), None);
    assert_eq!(host.session.take_scheduled().len(), Session::MAX_SCHEDULED);
    assert!(call(&host.session, "everything", "").await.is_success());
}
