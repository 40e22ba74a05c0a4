//! Secret arguments of calls that wait.

use serde_json::json;
use toolwright::executor::{Approvals, WaitMode};
use toolwright::ticket::{Answer, Answers, MemoryTickets, TicketErrorKind};

use crate::waiting_support::{Host, interrupted, key, opened};

const SECRET: &str = "hunter2-\u{e9}";

fn arguments() -> String {
    json!({"place": "test", "token": SECRET}).to_string()
}

fn is_clean(text: impl AsRef<str>) {
    let text = text.as_ref();
    assert!(!text.contains("hunter2"), "{text}");
}

#[tokio::test]
async fn a_secret_is_nowhere_that_is_shown() {
    let host = Host::new(WaitMode::Suspending);
    let mut events = host.tickets().subscribe();
    let suspension = host.suspended("deploy", &arguments()).await;
    let ticket = suspension.ticket();
    is_clean(serde_json::to_string(&**ticket).unwrap());
    is_clean(serde_json::to_string(&suspension).unwrap());
    is_clean(format!("{suspension:?}"));
    is_clean(format!("{:?}", host.open().await));
    let all = toolwright::ticket::TicketFilter::all();
    let pending = host.executor.permissions().pending(&all).await;
    is_clean(format!("{:?}", pending.unwrap()));
    is_clean(suspension.result().to_json().unwrap().to_string());
    // It is edited, with answers that do not fit before.
    for unfit in [
        json!({"place": "test", "token": {"$secret": true}, "more": 1}),
        json!({"place": {"$secret": true}, "token": {"$secret": true}, "n": {"$secret": true}}),
        json!({"place": 1, "token": {"$secret": true}}),
    ] {
        let error = host.session.resume(ticket, Answer::edited(unfit)).await;
        let error = error.unwrap_err();
        assert_eq!(error.kind(), TicketErrorKind::UnfitAnswer);
        is_clean(format!("{error} {error:?}"));
    }
    let edit = json!({"place": "there", "token": {"$secret": true}});
    let outcome = host.session.resume(ticket, Answer::edited(edit)).await;
    let outcome = outcome.unwrap();
    // The body had it, and says so.
    let text = outcome.text();
    assert!(
        text.starts_with(&format!("deployed to there with {SECRET}")),
        "{text}"
    );
    let remark = text.split_once("The user changed").unwrap().1;
    is_clean(remark);
    while let Some(event) = events.try_recv() {
        is_clean(format!("{event:?}"));
    }
}

#[tokio::test]
async fn a_secret_that_somebody_types_is_not_shown() {
    let host = Host::new(WaitMode::Blocking);
    let mut events = host.tickets().subscribe();
    let call = host.spawn("deploy", r#"{"place": "test", "token": "t-1"}"#);
    let ticket = opened(&mut events).await.remove(0);
    let edit = Answer::edited(json!({"place": "test", "token": SECRET}));
    is_clean(format!("{edit:?}"));
    let answers = Answers::all(edit);
    is_clean(format!("{answers:?}"));
    host.tickets().answer(ticket.id(), answers).await.unwrap();
    let text = call.await.unwrap().text();
    assert!(
        text.starts_with(&format!("deployed to test with {SECRET}")),
        "{text}"
    );
    is_clean(text.split_once("The user changed").unwrap().1);
    while let Some(event) = events.try_recv() {
        is_clean(format!("{event:?}"));
    }
}

#[tokio::test]
async fn a_secret_is_there_again_in_another_process() {
    let store = MemoryTickets::new();
    let (here, there) = (Host::process(&store), Host::process(&store));
    let suspension = interrupted(here.call("deploy", &arguments()).await);
    let outcome = there
        .session
        .resume(suspension.ticket(), Answer::yes())
        .await;
    assert_eq!(
        outcome.unwrap().text(),
        format!("deployed to test with {SECRET}")
    );
    let elsewhere = Host::with(WaitMode::Suspending, |builder| {
        builder.approvals(
            Approvals::new()
                .ticket_store(store.clone())
                .ticket_key(key()),
        )
    });
    let error = elsewhere
        .session
        .resume(suspension.ticket(), Answer::yes())
        .await;
    is_clean(format!("{:?}", error.unwrap_err()));
}
