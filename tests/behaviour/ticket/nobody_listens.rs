//! A call that waits while nobody subscribes to tickets is reported.

use std::time::Duration;

use toolwright::event::{EventKind, MemoryEvents};
use toolwright::executor::{Approvals, WaitMode};
use toolwright::{ExecutorBuilder, ToolOutcome};

use crate::waiting_support::Host;

fn diagnostics(events: &MemoryEvents) -> Vec<String> {
    let events = events.events();
    let all = events.iter().filter_map(|event| match event.kind() {
        EventKind::Diagnostic { code, message, .. } => Some(format!(
            "{code} {}: {message}",
            event.call().map_or("-", |call| call.tool())
        )),
        _ => None,
    });
    all.collect()
}

fn blocking(events: &MemoryEvents) -> impl FnOnce(ExecutorBuilder) -> ExecutorBuilder {
    let events = events.clone();
    move |builder| {
        builder
            .events(events)
            .approvals(Approvals::new().ticket_lifetime(Duration::from_secs(1)))
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_waits_while_nobody_listens_is_reported_once() {
    let events = MemoryEvents::new(1_000);
    let host = Host::with(WaitMode::Blocking, blocking(&events));
    let expired = host.call("deploy", r#"{"place": "test"}"#).await;
    assert_eq!(expired.error().unwrap().code(), "approval_expired");
    let told = diagnostics(&events);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(
        told[0].starts_with("nobody_listens deploy: the call of `deploy` waits"),
        "{told:?}"
    );
    assert!(told[0].contains("TicketBroker::subscribe"), "{told:?}");
    assert!(
        !told[0].contains("test"),
        "what is asked is for people: {told:?}"
    );

    // The same for what a body asks.
    let doors = host.call("doors", r#"{"names": ["attic"]}"#).await;
    assert!(!doors.is_success());
    assert_eq!(diagnostics(&events).len(), 2);
}

#[tokio::test(start_paused = true)]
async fn where_somebody_listens_or_a_grant_answers_nothing_is_reported() {
    let events = MemoryEvents::new(1_000);
    let host = Host::with(WaitMode::Blocking, blocking(&events));
    let heard = host.tickets().subscribe();
    assert!(
        !host
            .call("deploy", r#"{"place": "test"}"#)
            .await
            .is_success()
    );
    assert_eq!(diagnostics(&events), [""; 0]);
    drop(heard);
    let covers = toolwright::ticket::GrantScope::kind("deploy");
    host.executor
        .permissions()
        .grant("s-1", covers)
        .await
        .unwrap();
    let granted: ToolOutcome = host.call("deploy", r#"{"place": "test"}"#).await;
    assert!(granted.is_success());
    assert_eq!(diagnostics(&events), [""; 0]);
    // A host that stores what waits has it in hand.
    let host = Host::with(WaitMode::Suspending, blocking(&events));
    host.suspended("deploy", r#"{"place": "test"}"#).await;
    assert_eq!(diagnostics(&events), [""; 0]);
}
