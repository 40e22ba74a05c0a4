//! The arguments of a call are read once, whoever is asked about it in between.

use std::cell::Cell;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::json;
use toolwright::executor::WaitMode;
use toolwright::ticket::{Answer, Answers};
use toolwright::{
    PermissionRequest, Session, ToolCall, ToolContext, ToolError, ToolOutcome, ToolRegistry, tool,
};

use crate::waiting_support::{Host, interrupted, opened};

thread_local! {
    static READS: Cell<u32> = const { Cell::new(0) };
    static REQUESTS: Cell<u32> = const { Cell::new(0) };
}

fn counted(counter: &'static std::thread::LocalKey<Cell<u32>>) {
    counter.set(counter.get() + 1);
}

/// The number of reads since the last time. Each test has a thread of its own.
fn reads() -> u32 {
    READS.replace(0)
}

/// An amount that counts how often it is read.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(transparent)]
struct Amount(u32);

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Making the schema tries whether it may be left out.
        let amount = u32::deserialize(deserializer)?;
        counted(&READS);
        Ok(Self(amount))
    }
}

fn payment(amount: &Amount) -> PermissionRequest {
    counted(&REQUESTS);
    PermissionRequest::new("pay", amount.0.to_string(), format!("Pay {}", amount.0))
}

/// Pay an amount.
#[tool(register = false, permission = payment(amount))]
async fn pay(amount: Amount) -> String {
    format!("paid {}", amount.0)
}

/// Pay an amount, and ask while it runs.
#[tool(register = false, read_only)]
async fn pay_later(amount: Amount, ctx: &ToolContext) -> Result<String, ToolError> {
    ctx.check(payment(&amount)).await?;
    Ok(format!("paid {}", amount.0))
}

fn host(mode: WaitMode) -> Host {
    let tools = ToolRegistry::new().with(Pay).with(PayLater);
    Host::of(tools, mode, |builder| builder)
}

async fn answered(host: &Host, calls: usize, answer: Answer) -> Vec<ToolOutcome> {
    let mut events = host.tickets().subscribe();
    let session: Session = host.session.clone();
    let running = tokio::spawn(async move {
        let call = |number| ToolCall::new("pay", json!({ "amount": number }));
        session.turn().call_all((0..calls).map(call)).await
    });
    for ticket in opened(&mut events).await {
        let broker = host.tickets();
        broker.answer(ticket.id(), answer.clone()).await.unwrap();
    }
    running.await.unwrap()
}

#[tokio::test]
async fn an_approved_call_of_one_process_reads_its_arguments_once() {
    let host = host(WaitMode::Blocking);
    let mut events = host.tickets().subscribe();
    let call = host.spawn("pay", r#"{"amount": 5}"#);
    let ticket = opened(&mut events).await.remove(0);
    assert_eq!(READS.get(), 1);
    host.tickets()
        .answer(ticket.id(), Answer::yes())
        .await
        .unwrap();
    assert_eq!(call.await.unwrap().text(), "paid 5");
    assert_eq!(reads(), 1);
    // Its requests are worked out anew, because that may have changed while somebody was asked.
    assert_eq!(REQUESTS.replace(0), 2);
}

#[tokio::test]
async fn calls_that_are_approved_together_read_their_arguments_once_each() {
    let host = host(WaitMode::Blocking);
    let outcomes = answered(&host, 3, Answer::yes()).await;
    let texts: Vec<String> = outcomes.iter().map(ToolOutcome::text).collect();
    assert_eq!(texts, ["paid 0", "paid 1", "paid 2"]);
    assert_eq!(reads(), 3);
}

#[tokio::test]
async fn a_call_that_asks_while_it_runs_reads_its_arguments_once() {
    let host = host(WaitMode::Blocking);
    let mut events = host.tickets().subscribe();
    let call = host.spawn("pay_later", r#"{"amount": 7}"#);
    let ticket = opened(&mut events).await.remove(0);
    host.tickets()
        .answer(ticket.id(), Answer::yes())
        .await
        .unwrap();
    assert_eq!(call.await.unwrap().text(), "paid 7");
    assert_eq!(reads(), 1);
}

#[tokio::test]
async fn a_suspended_call_reads_its_arguments_once_before_and_once_after() {
    for (tool, text) in [("pay", "paid 9"), ("pay_later", "paid 9")] {
        let host = host(WaitMode::Suspending);
        let outcome = host.call(tool, r#"{"amount": 9}"#).await;
        let suspension = interrupted(outcome);
        assert_eq!(reads(), 1, "{tool}");
        let resumed = host
            .session
            .resume(suspension.ticket(), Answers::all(Answer::yes()))
            .await;
        assert_eq!(resumed.unwrap().text(), text);
        assert_eq!(reads(), 1, "{tool}");
    }
}

#[tokio::test]
async fn arguments_that_a_person_gave_are_read() {
    let host = host(WaitMode::Blocking);
    let edited = Answer::edited(json!({"amount": 2}));
    let outcomes = answered(&host, 1, edited).await;
    assert!(outcomes[0].text().starts_with("paid 2"), "{outcomes:?}");
    // Once as they were sent, once when the answer is checked, and once to run.
    assert_eq!(reads(), 3);
}
