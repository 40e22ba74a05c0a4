//! Calls that wait in place.

use std::time::Duration;

use tokio::time::timeout;
use toolwright::content::{ErrorKind, ResultSource};
use toolwright::executor::{Approvals, WaitMode};
use toolwright::ticket::{Answer, CloseReason, TicketEvent};
use toolwright::{ToolCall, ToolContext, ToolError, ToolOutcome, ToolRegistry, tool};

use crate::waiting_support::{Host, opened};

#[tokio::test]
async fn yes_runs_the_call_with_the_reason_for_the_model() {
    let host = Host::new(WaitMode::Blocking);
    let mut events = host.tickets().subscribe();
    let call = host.spawn("deploy", r#"{"place": "test"}"#);
    let tickets = opened(&mut events).await;
    assert_eq!(tickets[0].summary(), "Deploy to test");
    assert_eq!(
        tickets[0].requests()[0].why(),
        Some("it cannot be taken back")
    );
    assert_eq!(host.runs.count(), 0);
    let answer = Answer::yes().because("it is Tuesday");
    host.tickets()
        .answer(tickets[0].id(), answer)
        .await
        .unwrap();
    let outcome = call.await.unwrap();
    assert_eq!(
        outcome.text(),
        "deployed to test\nThe user allowed this call and said: it is Tuesday"
    );
    assert_eq!(host.runs.count(), 1);
    assert!(host.open().await.is_empty());
}

#[tokio::test]
async fn no_and_cancel_and_expiry_are_different_things() {
    let host = Host::new(WaitMode::Blocking);
    let mut events = host.tickets().subscribe();

    let call = host.spawn("deploy", r#"{"place": "test"}"#);
    let ticket = opened(&mut events).await.remove(0);
    host.tickets()
        .decline(ticket.id(), Some("not on a Friday"))
        .await
        .unwrap();
    let outcome = call.await.unwrap();
    let error = outcome.error().unwrap();
    assert_eq!(
        (error.kind(), error.code()),
        (ErrorKind::Denied, "denied_by_user")
    );
    assert_eq!(
        outcome.text(),
        "the user denied `deploy` (Deploy to test): not on a Friday"
    );
    assert_eq!(outcome.result().source(), ResultSource::Executor);

    let call = host.spawn("deploy", r#"{"place": "test"}"#);
    let ticket = opened(&mut events).await.remove(0);
    host.tickets().cancel(ticket.id()).await.unwrap();
    let outcome = call.await.unwrap();
    assert_eq!(outcome.error().unwrap().kind(), ErrorKind::Cancelled);

    assert_eq!(host.runs.count(), 0);
    let host = Host::with(WaitMode::Blocking, |builder| {
        builder.approvals(Approvals::new().ticket_lifetime(Duration::from_millis(1)))
    });
    let outcome = host.call("deploy", r#"{"place": "test"}"#).await;
    assert_eq!(outcome.error().unwrap().code(), "approval_expired");
    assert_eq!(outcome.error().unwrap().kind(), ErrorKind::Denied);
}

#[tokio::test]
async fn the_cancellation_of_turn_and_session_and_the_end_of_the_session_end_the_wait() {
    let host = Host::new(WaitMode::Blocking);
    let mut events = host.tickets().subscribe();
    let turn = host.session.turn();
    let call = {
        let turn = turn.clone();
        tokio::spawn(async move {
            turn.call(ToolCall::new("deploy", r#"{"place": "test"}"#))
                .await
        })
    };
    opened(&mut events).await;
    turn.cancel();
    let outcome = call.await.unwrap();
    assert_eq!(outcome.error().unwrap().kind(), ErrorKind::Cancelled);

    let call = host.spawn("deploy", r#"{"place": "test"}"#);
    opened(&mut events).await;
    host.session.cancel();
    let outcome = call.await.unwrap();
    assert_eq!(outcome.error().unwrap().kind(), ErrorKind::Cancelled);

    // Another handle of the id ends the session.
    let other = host.executor.session("s-1");
    let call = {
        let other = other.clone();
        tokio::spawn(async move {
            other
                .call(ToolCall::new("deploy", r#"{"place": "test"}"#))
                .await
        })
    };
    opened(&mut events).await;
    host.executor.session("s-1").end().await.unwrap();
    let outcome = call.await.unwrap();
    assert_eq!(outcome.error().unwrap().code(), "session_ended");
    assert_eq!(host.runs.count(), 0);
}

#[tokio::test]
async fn a_dropped_call_closes_its_ticket() {
    let host = Host::new(WaitMode::Blocking);
    let mut events = host.tickets().subscribe();
    let call = host.spawn("deploy", r#"{"place": "test"}"#);
    let ticket = opened(&mut events).await.remove(0);
    call.abort();
    let closed = loop {
        if let TicketEvent::Closed { ticket, how, .. } = events.recv().await.unwrap() {
            break (ticket.id(), how);
        }
    };
    assert_eq!(closed, (ticket.id(), CloseReason::Cancelled));
    assert!(host.open().await.is_empty());
}

#[tokio::test]
async fn several_asks_in_a_row_wait_in_the_body_and_are_not_asked_again() {
    let host = Host::new(WaitMode::Blocking);
    let mut events = host.tickets().subscribe();
    let call = host.spawn("doors", r#"{"names": ["a", "the hall", "b", "a"]}"#);
    for name in ["Open a", "Open b"] {
        let ticket = opened(&mut events).await.remove(0);
        assert_eq!(ticket.summary(), name);
        host.tickets()
            .answer(ticket.id(), Answer::yes())
            .await
            .unwrap();
    }
    assert_eq!(call.await.unwrap().text(), "opened a, the hall, b, a");
    assert_eq!(host.runs.count(), 1);
}

#[tokio::test]
async fn a_body_goes_on_without_what_was_refused() {
    /// Try a door.
    #[tool(register = false, read_only)]
    async fn try_door(ctx: &ToolContext) -> Result<String, ToolError> {
        match ctx.check(crate::waiting_support::door("a")).await {
            Ok(()) => Ok("inside".to_owned()),
            Err(error) if error.code() == "denied_by_user" => Ok(format!("outside: {error}")),
            Err(error) => Err(error),
        }
    }
    for mode in [WaitMode::Blocking, WaitMode::Suspending] {
        let registry = ToolRegistry::new().with(TryDoor);
        let executor = toolwright::Executor::builder(registry)
            .permission_checker(crate::waiting_support::Asks)
            .approvals(mode)
            .build()
            .unwrap();
        let session = executor.session("s");
        let mut events = executor.tickets().subscribe();
        let answer = async {
            let ticket = opened(&mut events).await.remove(0);
            let no = Answer::no().because("it is late");
            executor.tickets().answer(ticket.id(), no).await.unwrap();
        };
        let (mut outcome, ()) = tokio::join!(session.call(ToolCall::new("try_door", "{}")), answer);
        if let ToolOutcome::Suspended(suspension) = &outcome {
            let none = toolwright::ticket::Answers::none();
            outcome = session.resume(suspension.ticket(), none).await.unwrap();
        }
        assert_eq!(
            outcome.text(),
            "outside: the user denied `try_door` (Open a): it is late",
            "{mode:?}"
        );
    }
}

/// Wait for a person, and then for nothing.
#[tool(register = false, read_only, timeout = "10s")]
async fn slow(after: u64, ctx: &ToolContext) -> Result<&'static str, ToolError> {
    tokio::time::sleep(Duration::from_secs(4)).await;
    ctx.check(crate::waiting_support::door("a")).await?;
    tokio::time::sleep(Duration::from_secs(after)).await;
    Ok("done")
}

#[tokio::test(start_paused = true)]
async fn the_timeout_stands_still_while_a_person_thinks() {
    for (thinks, after, ends) in [
        (100, 5, "done"),
        (100, 7, "timed out"),
        (1, 5, "done"),
        (1, 7, "timed out"),
        (5, 5, "done"),
    ] {
        let executor = toolwright::Executor::builder(ToolRegistry::new().with(Slow))
            .permission_checker(crate::waiting_support::Asks)
            .approvals(WaitMode::Blocking)
            .build()
            .unwrap();
        let session = executor.session("s");
        let mut events = executor.tickets().subscribe();
        let answer = async {
            let ticket = opened(&mut events).await.remove(0);
            tokio::time::sleep(Duration::from_secs(thinks)).await;
            executor
                .tickets()
                .answer(ticket.id(), Answer::yes())
                .await
                .unwrap();
        };
        let arguments = format!("{{\"after\": {after}}}");
        let begun = tokio::time::Instant::now();
        let call = session.call(ToolCall::new("slow", arguments.as_str()));
        let (outcome, ()) = tokio::join!(call, answer);
        let took = begun.elapsed().as_secs();
        match outcome.error() {
            None => assert_eq!((outcome.text().as_str(), ends), ("done", "done")),
            Some(error) => {
                assert_eq!(
                    (error.kind(), ends),
                    (ErrorKind::TimedOut, "timed out"),
                    "{thinks} {after}"
                );
                assert_eq!(took, thinks + 10, "{thinks} {after}");
            }
        }
    }
}

#[tokio::test]
async fn a_call_that_nobody_is_asked_about_is_as_ever() {
    let host = Host::new(WaitMode::Blocking);
    let outcome = timeout(Duration::from_secs(5), host.call("count_to", r#"{"n": 3}"#));
    assert_eq!(outcome.await.unwrap().text(), "3");
    let outcome = host.call("deploy", r#"{"place": "the vault"}"#).await;
    assert!(outcome.text().contains("nobody enters the vault"));
    let outcome = host.call("deploy", r#"{"place": 1}"#).await;
    assert_eq!(outcome.error().unwrap().kind(), ErrorKind::InvalidArguments);
}
