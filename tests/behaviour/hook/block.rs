//! A gate's block ends the turn: what becomes of each other call of it, and of the session.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::json;
use tokio::sync::Notify;
use toolwright::content::ErrorKind;
use toolwright::executor::{Approvals, WaitMode};
use toolwright::hook::GateDecision;
use toolwright::permission::AllowAll;
use toolwright::ticket::{Answer, TicketErrorKind, TicketFilter};
use toolwright::{
    Executor, ExecutorBuilder, PermissionRequest, Session, ToolCall, ToolContext, ToolError,
    ToolOutcome, ToolRegistry, tool,
};

use super::parts::gate;
use crate::waiting_support::interrupted;

/// The bodies that began, and the number of those that ended.
#[derive(Default)]
struct Bodies {
    began: std::sync::Mutex<Vec<String>>,
    ended: AtomicU32,
    begins: Notify,
}

impl Bodies {
    fn begin(&self, at: &str) {
        self.began.lock().unwrap().push(at.to_owned());
        self.begins.notify_one();
    }

    fn began(&self) -> Vec<String> {
        self.began.lock().unwrap().clone()
    }
}

/// Write to a place. The place `for ever` never ends.
#[tool(register = false)]
async fn write(at: String, bodies: &Arc<Bodies>) -> String {
    bodies.begin(&at);
    if at == "for ever" {
        std::future::pending::<()>().await;
    }
    tokio::task::yield_now().await;
    bodies.ended.fetch_add(1, Ordering::SeqCst);
    format!("wrote {at}")
}

/// Read a place. The place `for ever` never ends.
#[tool(register = false, read_only)]
async fn read(at: String, bodies: &Arc<Bodies>) -> String {
    bodies.begin(&at);
    if at == "for ever" {
        std::future::pending::<()>().await;
    }
    bodies.ended.fetch_add(1, Ordering::SeqCst);
    format!("read {at}")
}

/// Write to several places, one after another, and say what came of it whatever that was.
#[tool(register = false)]
async fn write_all(places: Vec<String>, ctx: &ToolContext, bodies: &Arc<Bodies>) -> String {
    bodies.begin("all");
    for at in &places {
        ctx.call(ToolCall::new("write", json!({"at": at}))).await;
    }
    tokio::task::yield_now().await;
    bodies.ended.fetch_add(1, Ordering::SeqCst);
    "all is written".to_owned()
}

const REASON: &str = "the disk is on fire";

fn builder(bodies: &Arc<Bodies>) -> ExecutorBuilder {
    let registry = ToolRegistry::new().with(Write).with(Read).with(WriteAll);
    Executor::builder(registry)
        .resource(Arc::clone(bodies))
        .permission_checker(AllowAll)
        .gate(gate("the gate", |call| {
            let arguments = call.arguments().ok()?;
            match arguments.get("at")?.as_str()? {
                "fire" => Some(GateDecision::block(REASON)),
                // An answer that came meanwhile does not keep the gate from its block.
                "with leave, then fire" if call.answers().next().is_some() => {
                    Some(GateDecision::block(REASON))
                }
                "with leave" | "with leave, then fire" => {
                    let request = PermissionRequest::new("leave", "it", "Leave to write");
                    Some(GateDecision::suspend(request))
                }
                _ => None,
            }
        }))
}

fn session(bodies: &Arc<Bodies>) -> Session {
    builder(bodies).build().unwrap().session("s-1")
}

fn call(tool: &'static str, at: &str) -> ToolCall<'static> {
    ToolCall::new(tool, json!({"at": at}))
}

fn ended(outcome: &ToolOutcome) -> (ErrorKind, &str) {
    assert!(matches!(outcome, ToolOutcome::Failed(_)), "{outcome:?}");
    let error = outcome.error().unwrap();
    (error.kind(), error.code())
}

const BLOCKED: (ErrorKind, &str) = (ErrorKind::Blocked, "blocked");
const NOT_BEGUN: (ErrorKind, &str) = (ErrorKind::Blocked, "turn_blocked");
const CUT_OFF: (ErrorKind, &str) = (ErrorKind::Cancelled, "turn_blocked");

#[tokio::test]
async fn s4_55_members_of_a_batch_that_did_not_begin_end_as_blocked() {
    for tool in ["write", "read"] {
        for position in 0..5 {
            let bodies = Arc::new(Bodies::default());
            let session = session(&bodies);
            let turn = session.turn();
            let calls = (0..5).map(|number| {
                let at = if number == position { "fire" } else { "a" };
                call(tool, at).with_id(format!("c-{number}"))
            });
            let outcomes = turn.call_all(calls).await;
            assert_eq!(outcomes.len(), 5);
            for (number, outcome) in outcomes.iter().enumerate() {
                let id = outcome.result().call_id().unwrap().as_str();
                assert_eq!(id, format!("c-{number}"));
                let expected = if number == position {
                    BLOCKED
                } else {
                    NOT_BEGUN
                };
                assert_eq!(ended(outcome), expected, "{tool} {position} {number}");
            }
            assert_eq!(bodies.began(), [""; 0], "{tool} {position}");
            assert_eq!(turn.block_reason(), Some(REASON));
        }
    }
}

#[tokio::test]
async fn s4_55_the_model_reads_why_another_call_did_not_run() {
    let bodies = Arc::new(Bodies::default());
    let outcomes = session(&bodies)
        .call_all([call("write", "a"), call("write", "fire")])
        .await;
    assert_eq!(
        outcomes[0].text(),
        "`write` did not run: the app ended this turn when it blocked `write`: the disk is on fire. \
         Make no more calls"
    );
    assert_eq!(
        outcomes[1].text(),
        "`write` was blocked: the disk is on fire. The app ends the run at this call, so make no more \
         calls"
    );
}

#[tokio::test]
async fn s4_55_calls_that_run_are_cancelled_and_an_effect_that_was_cut_off_is_unknown() {
    let bodies = Arc::new(Bodies::default());
    let session = session(&bodies);
    let turn = session.turn();
    let writes = turn.spawn(call("write", "for ever"));
    bodies.begins.notified().await;
    let reads = turn.spawn(call("read", "for ever"));
    bodies.begins.notified().await;
    // This call belongs to another turn, so it goes on.
    let other = session.turn().spawn(call("read", "for ever"));
    bodies.begins.notified().await;
    assert_eq!(ended(&turn.call(call("read", "fire")).await), BLOCKED);
    let (wrote, read) = (writes.join().await, reads.join().await);
    assert_eq!((ended(&wrote), ended(&read)), (CUT_OFF, CUT_OFF));
    let cancelled = "the call was cancelled, because the app ended this turn when it blocked `read`: \
                     the disk is on fire";
    assert_eq!(read.text(), cancelled);
    assert_eq!(
        wrote.text(),
        format!("{cancelled}; whether it had an effect is unknown, so check before you repeat it")
    );
    assert_eq!(bodies.ended.load(Ordering::SeqCst), 0);
    assert!(!other.status().is_final());
    other.cancel();
    assert_eq!(other.join().await.error().unwrap().code(), "cancelled");
}

#[tokio::test]
async fn s4_55_no_later_call_of_the_turn_runs_and_the_session_goes_on() {
    let bodies = Arc::new(Bodies::default());
    let session = session(&bodies);
    let turn = session.turn();
    assert_eq!(turn.block_reason(), None);
    let first = turn.call(call("write", "a")).await;
    assert_eq!(first.text(), "wrote a");
    turn.call(call("write", "fire")).await;
    let again = turn.clone();
    assert_eq!(ended(&again.call(call("read", "b")).await), NOT_BEGUN);
    assert_eq!(
        ended(&again.spawn(call("read", "b")).join().await),
        NOT_BEGUN
    );
    assert_eq!(
        ended(&again.call_all([call("read", "b")]).await[0]),
        NOT_BEGUN
    );
    let mut stream = again.stream_all([call("read", "b"), call("write", "b")]);
    let mut numbers = Vec::new();
    while let Some((number, outcome)) = stream.next().await {
        assert_eq!(ended(&outcome), NOT_BEGUN);
        numbers.push(number);
    }
    numbers.sort_unstable();
    assert_eq!(numbers, [0, 1]);
    // A tool that does not exist is refused the same way.
    assert_eq!(ended(&again.call(call("nothing", "b")).await), NOT_BEGUN);
    assert_eq!(bodies.began(), ["a"]);
    let next = session.turn();
    assert_eq!(next.block_reason(), None);
    assert_eq!(next.call(call("read", "b")).await.text(), "read b");
    assert_eq!(session.call(call("read", "c")).await.text(), "read c");
}

#[tokio::test]
async fn s4_55_a_block_of_a_call_that_a_tool_makes_ends_the_turn_of_the_tool() {
    let bodies = Arc::new(Bodies::default());
    let session = session(&bodies);
    // As a turn of its own, and in a turn.
    let turn = session.turn();
    let all = || ToolCall::new("write_all", json!({"places": ["a", "fire", "b"]}));
    for outcome in [session.call(all()).await, turn.call(all()).await] {
        assert_eq!(ended(&outcome), CUT_OFF);
        assert!(outcome.text().contains(REASON), "{}", outcome.text());
        assert!(outcome.text().contains("unknown"), "{}", outcome.text());
    }
    assert_eq!(bodies.began(), ["all", "a", "all", "a"]);
    assert_eq!(turn.block_reason(), Some(REASON));
    assert_eq!(ended(&turn.call(call("read", "b")).await), NOT_BEGUN);
}

#[tokio::test]
async fn s4_55_a_call_that_waits_for_people_is_blocked_and_asks_them_no_more() {
    let bodies = Arc::new(Bodies::default());
    let executor = builder(&bodies)
        .approvals(WaitMode::Blocking)
        .build()
        .unwrap();
    let mut events = executor.tickets().subscribe();
    let turn = executor.session("s-1").turn();
    let waits = turn.spawn(call("write", "with leave"));
    crate::waiting_support::opened(&mut events).await;
    turn.call(call("read", "fire")).await;
    assert_eq!(ended(&waits.join().await), NOT_BEGUN);
    tokio::task::yield_now().await;
    let open = executor.tickets().list(&TicketFilter::all()).await.unwrap();
    assert!(open.is_empty(), "{open:?}");
    assert_eq!(bodies.began(), [""; 0]);
}

#[tokio::test]
async fn s4_55_a_suspended_call_of_a_blocked_turn_cannot_be_resumed() {
    let bodies = Arc::new(Bodies::default());
    let build = || builder(&bodies).approvals(WaitMode::Suspending);
    let store = toolwright::ticket::MemoryTickets::new();
    let key = || toolwright::ticket::TicketKey::from_bytes([7; 32]);
    let shared = || {
        build().approvals(
            Approvals::new()
                .ticket_store(store.clone())
                .ticket_key(key()),
        )
    };
    let executor = shared().build().unwrap();
    let session = executor.session("s-1");
    let (turn, other) = (session.turn(), session.turn());
    let waits = interrupted(turn.call(call("write", "with leave")).await);
    let of_other = interrupted(other.call(call("write", "with leave")).await);
    turn.call(call("read", "fire")).await;
    // Also where the turn is not known.
    let elsewhere = shared().build().unwrap();
    for session in [&session, &elsewhere.session("s-1")] {
        let refused = session.resume(waits.ticket(), Answer::yes()).await;
        assert_eq!(refused.unwrap_err().kind(), TicketErrorKind::Cancelled);
    }
    assert_eq!(bodies.began(), [""; 0]);
    let went_on = session.resume(of_other.ticket(), Answer::yes()).await;
    assert_eq!(went_on.unwrap().text(), "wrote with leave");
}

#[tokio::test]
async fn s4_55_a_block_of_a_resumed_call_ends_the_turn_that_it_was_made_in() {
    let bodies = Arc::new(Bodies::default());
    let executor = builder(&bodies)
        .approvals(WaitMode::Suspending)
        .build()
        .unwrap();
    let session = executor.session("s-1");
    let turn = session.turn();
    let waits = interrupted(turn.call(call("write", "with leave, then fire")).await);
    let sibling = interrupted(turn.call(call("write", "with leave")).await);
    let runs = turn.spawn(call("write", "for ever"));
    bodies.begins.notified().await;
    let blocked = session.resume(waits.ticket(), Answer::yes()).await.unwrap();
    assert_eq!(ended(&blocked), BLOCKED);
    assert_eq!(ended(&runs.join().await), CUT_OFF);
    assert_eq!(turn.block_reason(), Some(REASON));
    assert_eq!(ended(&turn.call(call("read", "a")).await), NOT_BEGUN);
    let refused = session.resume(sibling.ticket(), Answer::yes()).await;
    assert_eq!(refused.unwrap_err().kind(), TicketErrorKind::Cancelled);
    assert_eq!(bodies.began(), ["for ever"]);
}

#[tokio::test]
async fn s4_55_a_cancelled_turn_is_none_that_is_blocked_for_its_suspended_calls() {
    let bodies = Arc::new(Bodies::default());
    let executor = builder(&bodies)
        .approvals(WaitMode::Suspending)
        .build()
        .unwrap();
    let session = executor.session("s-1");
    let turn = session.turn();
    let waits = interrupted(turn.call(call("write", "with leave")).await);
    turn.cancel();
    let outcome = session.resume(waits.ticket(), Answer::yes()).await;
    assert_eq!(outcome.unwrap().text(), "wrote with leave");
}

#[tokio::test]
async fn s4_55_a_block_in_a_sub_session_ends_the_turn_there() {
    let bodies = Arc::new(Bodies::default());
    let session = session(&bodies);
    let turn = session.turn();
    let below = session.sub_session("s-1/agent").turn();
    assert_eq!(ended(&below.call(call("write", "fire")).await), BLOCKED);
    assert_eq!(ended(&below.call(call("write", "a")).await), NOT_BEGUN);
    assert_eq!(turn.block_reason(), None);
    assert_eq!(turn.call(call("write", "a")).await.text(), "wrote a");
}

/// Batches whose state of the session turns to fire at a random member, on several threads.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn s4_55_whatever_the_batch_each_call_has_one_result_and_none_begins_after_the_block() {
    #[derive(Clone)]
    struct Fire;

    /// Write, and set fire.
    #[tool(register = false, name = "write.fire")]
    async fn write_fire() -> toolwright::ToolOutput {
        toolwright::ToolOutput::text("fire")
            .with_command(toolwright::state::StateCommand::set(Fire))
    }

    let bodies = Arc::new(Bodies::default());
    let after = Arc::new(AtomicU32::new(0));
    let registry = ToolRegistry::new().with(Write).with(Read).with(WriteFire);
    let executor = Executor::builder(registry)
        .resource(Arc::clone(&bodies))
        .permission_checker(AllowAll)
        .gate(gate("the gate", |call| {
            call.state::<Fire>().map(|Fire| GateDecision::block(REASON))
        }))
        .build()
        .unwrap();
    for seed in 0_u32..200 {
        let session = executor.session(format!("s-{seed}"));
        let length = 2 + seed % 9;
        let fire = seed % 7 % length;
        let calls = (0..length).map(|number| {
            let at = format!("{seed}/{number}");
            let call = match (number == fire, (seed >> (number % 5)) & 1) {
                (true, _) => ToolCall::new("write.fire", "{}"),
                (_, 0) => call("read", &at),
                _ => call("write", &at),
            };
            call.with_id(format!("c-{number}"))
        });
        let outcomes = session.call_all(calls).await;
        assert_eq!(outcomes.len(), length as usize);
        let mut blocked_at = None;
        for (number, outcome) in (0..length).zip(&outcomes) {
            let id = outcome.result().call_id().unwrap().as_str().to_owned();
            assert_eq!(id, format!("c-{number}"));
            let began = bodies.began().contains(&format!("{seed}/{number}"));
            match outcome.error().map(ToolError::code) {
                None => {}
                Some("blocked") => {
                    assert!(!began, "{seed} {number}");
                    assert_eq!(blocked_at, None, "{seed} {number}");
                    blocked_at = Some(number);
                }
                Some("turn_blocked") => {
                    let kind = outcome.error().unwrap().kind();
                    assert_eq!(began, kind == ErrorKind::Cancelled, "{seed} {number}");
                    after.fetch_add(1, Ordering::SeqCst);
                }
                Some(other) => panic!("{other}"),
            }
            // A call that a barrier kept behind the fire never begins.
            assert!(number <= fire || !began, "{seed} {number}");
        }
        assert_eq!(blocked_at.is_some(), fire + 1 < length, "{seed}");
    }
    assert!(after.load(Ordering::SeqCst) > 0);
}
