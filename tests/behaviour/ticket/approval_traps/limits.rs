//! Lifetimes, lengths and characters at their limits.

use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use toolwright::executor::{Approvals, Limits, WaitMode};
use toolwright::ticket::{Answer, Answers, TicketErrorKind};

use crate::waiting_support::{Host, interrupted, opened};

const DEPLOY: &str = r#"{"place": "test"}"#;

#[tokio::test]
async fn a_ticket_without_a_lifetime_is_over_at_once() {
    let host = Host::with(WaitMode::Blocking, |builder| {
        builder.approvals(Approvals::new().ticket_lifetime(Duration::ZERO))
    });
    let outcome = host.call("deploy", DEPLOY).await;
    assert_eq!(outcome.error().unwrap().code(), "approval_expired");
    let host = Host::with(WaitMode::Suspending, |builder| {
        builder.approvals(Approvals::new().ticket_lifetime(Duration::ZERO))
    });
    let suspension = host.suspended("deploy", DEPLOY).await;
    let resumed = host.session.resume(suspension.ticket(), Answer::yes());
    assert_eq!(resumed.await.unwrap_err().kind(), TicketErrorKind::Expired);
    assert_eq!(host.runs.count(), 0);
    assert!(host.open().await.is_empty());
}

#[tokio::test]
async fn a_lifetime_may_be_longer_than_time() {
    for lifetime in [
        Duration::MAX,
        Duration::from_secs(u64::MAX),
        Duration::from_millis(u64::MAX),
        Duration::from_secs(1 << 40),
    ] {
        let long = Host::with(WaitMode::Suspending, |builder| {
            builder.approvals(Approvals::new().ticket_lifetime(lifetime))
        });
        let suspension = long.suspended("deploy", DEPLOY).await;
        assert!(suspension.ticket().expires_at() > SystemTime::now());
        let text = serde_json::to_string(&suspension).unwrap();
        let read: toolwright::outcome::Suspension = serde_json::from_str(&text).unwrap();
        let outcome = long.session.resume(read.ticket(), Answer::yes()).await;
        assert!(outcome.unwrap().is_success());

        let host = Host::with(WaitMode::Blocking, |builder| {
            builder.approvals(Approvals::new().ticket_lifetime(lifetime))
        });
        let mut events = host.tickets().subscribe();
        let call = host.spawn("deploy", DEPLOY);
        let ticket = opened(&mut events).await.remove(0);
        assert!(!call.is_finished());
        host.tickets()
            .answer(ticket.id(), Answer::yes())
            .await
            .unwrap();
        assert!(call.await.unwrap().is_success());
    }
}

#[tokio::test]
async fn edited_arguments_keep_to_the_limits_of_all_arguments() {
    let host = Host::with(WaitMode::Suspending, |builder| {
        builder.limits(Limits::new().max_input_bytes(1_000).max_input_depth(4))
    });
    let suspension = host.suspended("deploy", DEPLOY).await;
    let ticket = suspension.ticket();
    let deep = (0..200).fold(json!("test"), |inner, _| json!([inner]));
    let large = Value::from("x".repeat(2_000));
    for place in [deep, large, json!([[[[1]]]])] {
        let edit = Answer::edited(json!({ "place": place }));
        let error = host.session.resume(ticket, edit).await.unwrap_err();
        assert_eq!(error.kind(), TicketErrorKind::UnfitAnswer, "{error}");
        assert!(
            error.to_string().len() < 1_000,
            "{}",
            error.to_string().len()
        );
    }
    let waits = host.session.resume(ticket, Answers::none()).await.unwrap();
    interrupted(waits);
    assert_eq!(host.runs.count(), 0);
}

#[tokio::test]
async fn a_reason_of_any_length_does_not_flood_the_model() {
    let long = "no ".repeat(1 << 20);
    for answer in [Answer::no(), Answer::yes()] {
        let host = Host::new(WaitMode::Suspending);
        let suspension = host.suspended("deploy", DEPLOY).await;
        let answer = answer.because(&*long);
        match host.session.resume(suspension.ticket(), answer).await {
            Ok(outcome) => assert!(outcome.text().len() < 100_000, "{}", outcome.text().len()),
            Err(error) => assert_eq!(error.kind(), TicketErrorKind::UnfitAnswer),
        }
    }
}

#[tokio::test]
async fn a_reason_has_no_characters_that_forge_what_is_shown() {
    let reason = "no\r\u{1b}[2Kyes\u{202e}\u{7}";
    for answer in [Answer::no(), Answer::yes()] {
        let host = Host::new(WaitMode::Suspending);
        let suspension = host.suspended("deploy", DEPLOY).await;
        let answer = answer.because(reason);
        let outcome = host.session.resume(suspension.ticket(), answer).await;
        let outcome = outcome.unwrap();
        let shown = format!(
            "{} {:?}",
            outcome.text(),
            outcome.error().map(ToString::to_string)
        );
        assert!(
            !shown.contains(['\u{1b}', '\r', '\u{202e}', '\u{7}']),
            "{shown:?}"
        );
    }
}
