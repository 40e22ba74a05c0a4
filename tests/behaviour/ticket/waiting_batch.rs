//! The calls of one message, side by side.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Barrier;
use tokio::time::timeout;
use toolwright::content::ErrorKind;
use toolwright::executor::WaitMode;
use toolwright::ticket::{Answer, TicketFilter};
use toolwright::{Executor, ToolCall, ToolError, ToolOutcome, ToolRegistry, tool};

use crate::waiting_support::{Host, Runs, interrupted, opened};

fn calls() -> Vec<ToolCall<'static>> {
    vec![
        ToolCall::new("deploy", r#"{"place": "a"}"#).with_id("same"),
        ToolCall::new("count_to", r#"{"n": 3}"#).with_id("same"),
        ToolCall::new("deploy", r#"{"place": "b"}"#).with_id("same"),
        ToolCall::new("no.such.tool", "{}"),
        ToolCall::new("deploy", r#"{"place": "the vault"}"#),
        ToolCall::new("deploy", r#"{"place": 7}"#),
    ]
}

fn others_ended(outcomes: &[ToolOutcome]) {
    assert_eq!(outcomes[1].text(), "3");
    let kind = |at: usize| outcomes[at].error().map(ToolError::kind);
    assert_eq!(kind(3), Some(ErrorKind::NotFound));
    assert_eq!(kind(4), Some(ErrorKind::Denied));
    assert_eq!(kind(5), Some(ErrorKind::InvalidArguments));
}

#[tokio::test]
async fn what_asks_is_one_prompt_and_the_others_run_meanwhile() {
    let host = Host::new(WaitMode::Blocking);
    let mut events = host.tickets().subscribe();
    let turn = host.session.turn();
    let answer = async {
        let tickets = opened(&mut events).await;
        let summaries: Vec<String> = tickets.iter().map(|ticket| ticket.summary()).collect();
        assert_eq!(summaries, ["Deploy to a", "Deploy to b"]);
        assert!(tickets.iter().all(|ticket| ticket.turn() == turn.id()));
        assert_ne!(tickets[0].invocation(), tickets[1].invocation());
        let broker = host.tickets();
        broker.answer(tickets[1].id(), Answer::yes()).await.unwrap();
        let no = Answer::no().because("a is taken");
        broker.answer(tickets[0].id(), no).await.unwrap();
    };
    let (outcomes, ()) = tokio::join!(turn.call_all(calls()), answer);
    others_ended(&outcomes);
    assert_eq!(
        outcomes[0].text(),
        "the user denied `deploy` (Deploy to a): a is taken"
    );
    assert_eq!(outcomes[2].text(), "deployed to b");
    assert_eq!(host.runs.count(), 1);
}

#[tokio::test]
async fn suspended_members_leave_the_others_alone() {
    let host = Host::new(WaitMode::Suspending);
    let mut events = host.tickets().subscribe();
    let outcomes = host.session.call_all(calls()).await;
    others_ended(&outcomes);
    assert_eq!(opened(&mut events).await.len(), 2);
    assert_eq!(host.runs.count(), 0);
    let b = interrupted(outcomes[2].clone());
    let outcome = host
        .session
        .resume(b.ticket(), Answer::yes())
        .await
        .unwrap();
    assert_eq!(outcome.text(), "deployed to b");
    let left = host
        .tickets()
        .list(&TicketFilter::session("s-1"))
        .await
        .unwrap();
    assert_eq!(left.len(), 1);
    assert_eq!(host.runs.count(), 1);
}

/// Meet the other call.
#[tool(register = false, pure)]
async fn meet(barrier: &Arc<Barrier>) -> &'static str {
    barrier.wait().await;
    "met"
}

/// Wait for ever.
#[tool(register = false, pure)]
async fn stay(runs: &Arc<Runs>) {
    struct Gone(Arc<Runs>);
    impl Drop for Gone {
        fn drop(&mut self) {
            self.0.add();
        }
    }
    let _gone = Gone(Arc::clone(runs));
    std::future::pending::<()>().await;
}

#[tokio::test]
async fn siblings_run_side_by_side_and_go_with_the_batch() {
    let runs = Arc::new(Runs::default());
    let executor = Executor::builder(ToolRegistry::new().with(Meet).with(Stay))
        .resource(Arc::new(Barrier::new(3)))
        .resource(Arc::clone(&runs))
        .build()
        .unwrap();
    let session = executor.session("s");
    let met = session.call_all(vec![ToolCall::new("meet", "{}"); 3]).await;
    assert!(met.iter().all(|outcome| outcome.text() == "met"));
    assert_eq!(session.call_all([]).await, []);

    let stays = session.call_all(vec![ToolCall::new("stay", "{}"); 3]);
    assert!(timeout(Duration::from_millis(20), stays).await.is_err());
    while runs.count() < 3 {
        tokio::task::yield_now().await;
    }
}

#[test]
fn without_a_runtime_they_run_one_after_another() {
    let executor = Executor::builder(crate::waiting_support::registry())
        .resource(Arc::new(Runs::default()))
        .build()
        .unwrap();
    let session = executor.session("s");
    let calls = [1, 2].map(|n| ToolCall::new("count_to", serde_json::json!({"n": n})));
    let outcomes = crate::support::ready_now(session.call_all(calls));
    let texts: Vec<String> = outcomes.iter().map(ToolOutcome::text).collect();
    assert_eq!(texts, ["1", "2"]);
}

#[tokio::test]
async fn a_dropped_batch_closes_its_tickets() {
    let host = Host::new(WaitMode::Blocking);
    let mut events = host.tickets().subscribe();
    let session = host.session.clone();
    let batch = tokio::spawn(async move { session.call_all(calls()).await });
    assert_eq!(opened(&mut events).await.len(), 2);
    batch.abort();
    while !host.open().await.is_empty() {
        tokio::task::yield_now().await;
    }
    assert_eq!(host.runs.count(), 0);
}
