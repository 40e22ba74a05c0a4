//! A question that gets no answer ends all the same, and says why: in each mode.

use std::pin::pin;
use std::time::Duration;

use serde_json::json;
use toolwright::content::ErrorKind;
use toolwright::executor::{Approvals, WaitMode};
use toolwright::ticket::{Answer, Answers, TicketErrorKind};
use toolwright::{ToolCall, ToolOutcome};

use super::{builder, events, executor, interrupted, opened};
use crate::support::{poll_once, ready_now};

fn error(outcome: &ToolOutcome) -> (ErrorKind, String, String) {
    let error = outcome.error().expect("it has failed");
    let text = error.message().to_owned();
    (error.kind(), error.code().to_owned(), text)
}

#[test]
fn nobody_is_there() {
    let (executor, trace) = executor(WaitMode::Unattended);
    let outcome = ready_now(executor.call("paint", "{}"));
    let (kind, code, text) = error(&outcome);
    assert_eq!(
        (kind, &*code),
        (ErrorKind::Unavailable, "question_unavailable")
    );
    assert_eq!(
        text,
        "nobody is there to answer a question (Which colour?); go on without, or say what is missing"
    );
    assert_eq!(trace.take(), ["begins"]);
}

#[tokio::test]
async fn a_decline_reaches_the_body_in_each_mode() {
    for mode in [WaitMode::Blocking, WaitMode::Suspending] {
        for (tool, expected) in [
            (
                "paint",
                "the user declined to answer (Which colour?): ask me tomorrow",
            ),
            (
                "paint_anyhow",
                "the fence is white, since the user declined to answer (Which colour?): ask me tomorrow",
            ),
        ] {
            let (executor, _) = executor(mode);
            let session = executor.session("s-1");
            let no = Answer::no().because("ask me tomorrow");
            let outcome = if mode == WaitMode::Suspending {
                let suspension = interrupted(&session, tool).await;
                session.resume(suspension.ticket(), no).await.unwrap()
            } else {
                let mut events = events(&executor);
                let mut call = pin!(session.call(ToolCall::new(tool, "{}")));
                assert!(poll_once(call.as_mut()).is_pending());
                let id = opened(&mut events).await.id();
                let tickets = executor.interactions().tickets();
                tickets.answer(id, no).await.unwrap();
                call.await
            };
            assert_eq!(outcome.text(), expected, "{mode:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_deadline_ends_the_wait() {
    let (builder, trace) = builder(WaitMode::Blocking);
    // Longer than the timeout of a call, which stands still.
    let executor = builder
        .approvals(Approvals::new().ticket_lifetime(Duration::from_secs(600)))
        .build()
        .unwrap();
    let outcome = executor.call("paint", "{}").await;
    let (kind, code, text) = error(&outcome);
    assert_eq!((kind, &*code), (ErrorKind::TimedOut, "question_expired"));
    assert_eq!(text, "nobody answered in time: Which colour?");
    assert_eq!(trace.take(), ["begins"]);
    assert_eq!(
        executor.interactions().pending("default").await.unwrap(),
        []
    );
}

#[tokio::test]
async fn a_suspended_question_expires() {
    let (builder, trace) = builder(WaitMode::Suspending);
    let executor = builder
        .approvals(Approvals::new().ticket_lifetime(Duration::ZERO))
        .build()
        .unwrap();
    let session = executor.session("s-1");
    let suspension = interrupted(&session, "paint").await;
    let interactions = executor.interactions();
    let late = interactions.respond(suspension.id(), "red").await;
    assert_eq!(late.unwrap_err().kind(), TicketErrorKind::Expired);
    let resumed = session.resume(suspension.ticket(), Answer::value("red"));
    assert_eq!(resumed.await.unwrap_err().kind(), TicketErrorKind::Expired);
    assert_eq!(trace.take(), ["begins"]);
}

/// By the ticket, the turn or the session: none of them is a no.
#[tokio::test]
async fn a_cancelled_question_is_not_declined() {
    for by in ["ticket", "turn", "session"] {
        let (executor, trace) = executor(WaitMode::Blocking);
        let mut events = events(&executor);
        let session = executor.session("s-1");
        let turn = session.turn();
        let mut call = pin!(turn.call(ToolCall::new("paint_anyhow", "{}")));
        assert!(poll_once(call.as_mut()).is_pending());
        let ticket = opened(&mut events).await;
        match by {
            "ticket" => executor.interactions().cancel(ticket.id()).await.unwrap(),
            "turn" => turn.cancel(),
            _ => session.cancel(),
        }
        let (kind, ..) = error(&call.await);
        assert_eq!(kind, ErrorKind::Cancelled, "{by}");
        assert_eq!(trace.take(), [""; 0]);
        let late = executor.interactions().respond(ticket.id(), "red").await;
        assert_eq!(late.unwrap_err().kind(), TicketErrorKind::Cancelled, "{by}");
    }
}

#[tokio::test]
async fn a_cancelled_ticket_does_not_go_on() {
    let (executor, trace) = executor(WaitMode::Suspending);
    let session = executor.session("s-1");
    let suspension = interrupted(&session, "paint").await;
    let interactions = executor.interactions();
    interactions.cancel(suspension.id()).await.unwrap();
    let resumed = session.resume(suspension.ticket(), Answer::value("red"));
    assert_eq!(
        resumed.await.unwrap_err().kind(),
        TicketErrorKind::Cancelled
    );
    assert_eq!(trace.take(), ["begins"]);
}

/// An answer that does not fit is refused with the reason, whichever way it comes, and the question stays.
#[tokio::test]
async fn an_answer_that_does_not_fit_changes_nothing() {
    let (executor, trace) = executor(WaitMode::Suspending);
    let session = executor.session("s-1");
    let suspension = interrupted(&session, "paint").await;
    let interactions = executor.interactions();
    for unfit in [json!("pink"), json!(1), json!("x".repeat(1 << 20))] {
        let refused = interactions.respond(suspension.id(), unfit.clone()).await;
        let refused = refused.unwrap_err();
        assert_eq!(refused.kind(), TicketErrorKind::UnfitAnswer);
        let text = refused.to_string();
        assert!(text.contains("(`red`, `green`)"), "{text}");
        assert!(text.len() < 400, "{}", text.len());
        let resumed = session.resume(suspension.ticket(), Answer::value(unfit));
        assert_eq!(
            resumed.await.unwrap_err().kind(),
            TicketErrorKind::UnfitAnswer
        );
    }
    let yes = session.resume(suspension.ticket(), Answer::yes()).await;
    assert_eq!(yes.unwrap_err().kind(), TicketErrorKind::UnfitAnswer);
    assert_eq!(interactions.pending("s-1").await.unwrap().len(), 1);
    let default = Answer::value(serde_json::Value::Null);
    let outcome = session.resume(suspension.ticket(), default).await;
    assert_eq!(outcome.unwrap().text(), "the fence is green");
    assert_eq!(trace.take(), ["begins", "begins", "paints"]);
}

/// Those of one ticket are answered in any order and a few at a time; one no is enough.
#[tokio::test]
async fn several_questions_share_a_ticket() {
    let (executor, _) = executor(WaitMode::Suspending);
    let session = executor.session("s-1");
    let first = interrupted(&session, "order").await;
    let answers = Answers::none().with(2, Answer::value(true));
    let again = session.resume(first.ticket(), answers).await.unwrap();
    let ToolOutcome::Suspended(again) = again else {
        panic!("{again:?}");
    };
    assert_eq!(again.ticket(), first.ticket());
    let answers = Answers::none()
        .with(1, Answer::value("Ada"))
        .with(0, Answer::value(json!([])));
    let done = session.resume(again.ticket(), answers).await.unwrap();
    assert_eq!(done.text(), " / Ada / yes");

    let declined = interrupted(&session, "order").await;
    let no = Answers::none().with(1, Answer::no());
    let done = session.resume(declined.ticket(), no).await.unwrap();
    assert_eq!(done.error().unwrap().code(), "question_declined");
}
