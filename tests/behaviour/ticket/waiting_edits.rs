//! Arguments that a person writes over those of a call.

use serde_json::json;
use toolwright::arguments::CanonicalArguments;
use toolwright::content::ErrorKind;
use toolwright::executor::{Limits, WaitMode};
use toolwright::ticket::{Answer, Answers, MemoryTickets, TicketErrorKind};

use crate::waiting_support::{Host, opened};

const CALL: &str = r#"{"place": "test", "token": "hunter2"}"#;

#[tokio::test]
async fn edited_arguments_run_with_the_secret_and_the_model_is_told() {
    for mode in [WaitMode::Blocking, WaitMode::Suspending] {
        let host = Host::new(mode);
        let mut events = host.tickets().subscribe();
        let answer = async {
            let ticket = opened(&mut events).await.remove(0);
            let mut arguments = ticket.call().arguments().unwrap().clone();
            assert_eq!(
                arguments["token"],
                json!({CanonicalArguments::SECRET: true})
            );
            arguments["place"] = "staging".into();
            let edited = Answer::edited(arguments).because("test is down");
            host.tickets().answer(ticket.id(), edited).await.unwrap();
            ticket
        };
        let (mut outcome, ticket) = tokio::join!(host.call("deploy", CALL), answer);
        if mode == WaitMode::Suspending {
            outcome = host.session.resume(&ticket, Answers::none()).await.unwrap();
        }
        assert!(outcome.result().edited());
        assert_eq!(
            outcome.text(),
            "deployed to staging with hunter2\n\
             The user changed the arguments of this call to: \
             {\"place\":\"staging\",\"token\":{\"$secret\":true}}\n\
             The user said why: test is down"
        );
        assert_eq!(host.runs.count(), 1);
        assert!(host.open().await.is_empty());
    }
}

#[tokio::test]
async fn an_edit_is_judged_like_any_call() {
    let host = Host::new(WaitMode::Suspending);
    let suspension = host.suspended("deploy", CALL).await;
    let edited = Answer::edited(json!({"place": "the vault"}));
    let outcome = host
        .session
        .resume(suspension.ticket(), edited)
        .await
        .unwrap();
    assert_eq!(outcome.error().unwrap().kind(), ErrorKind::Denied);
    assert!(outcome.text().contains("nobody enters the vault"));
    assert!(outcome.result().edited());
    assert_eq!(host.runs.count(), 0);
}

#[tokio::test]
async fn an_edit_that_cannot_run_is_refused_and_the_ticket_stays_open() {
    let host = Host::with(WaitMode::Suspending, |builder| {
        builder.limits(Limits::new().max_input_bytes(100))
    });
    let suspension = host.suspended("deploy", CALL).await;
    let long = "x".repeat(100);
    for (edited, why) in [
        (json!({"place": 5, "town": 1}), "/place"),
        (json!([1]), "object"),
        (json!({"place": long}), "at most 100"),
        (json!({"place": {"$secret": 1}}), "$secret"),
        (
            json!({"place": "a", "tokens": {"$secret": true}}),
            "no secret",
        ),
    ] {
        let refused = host
            .tickets()
            .answer(suspension.id(), Answer::edited(edited))
            .await;
        let error = refused.unwrap_err();
        assert_eq!(error.kind(), TicketErrorKind::UnfitAnswer);
        assert!(error.to_string().contains(why), "{error}");
    }
    let value = host
        .tickets()
        .answer(suspension.id(), Answer::value("yes"))
        .await;
    assert_eq!(value.unwrap_err().kind(), TicketErrorKind::UnfitAnswer);
    let resumed = host.session.resume(suspension.ticket(), Answer::yes());
    assert_eq!(
        resumed.await.unwrap().text(),
        "deployed to test with hunter2"
    );
}

#[tokio::test]
async fn the_arguments_of_a_body_that_has_begun_stay() {
    let host = Host::process(&MemoryTickets::new());
    let suspension = host.suspended("doors", r#"{"names": ["a"]}"#).await;
    let edited = Answer::edited(json!({"names": []}));
    let refused = host.session.resume(suspension.ticket(), edited).await;
    let error = refused.unwrap_err();
    assert_eq!(error.kind(), TicketErrorKind::UnfitAnswer);
    assert!(error.to_string().contains("has begun"), "{error}");
}
