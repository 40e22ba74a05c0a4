//! Tickets that were good once, or elsewhere.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use toolwright::executor::{Approvals, WaitMode};
use toolwright::ticket::{Answer, Answers, TicketErrorKind};

use super::store::OpenStore;
use super::{DEPLOY, host, is_good, refused};
use crate::waiting_support::{Host, interrupted};

#[tokio::test]
async fn a_ticket_is_good_once() {
    let host = host(&OpenStore::default());
    for answer in [Answer::yes(), Answer::no()] {
        let before = host.runs.count();
        let suspension = host.suspended("deploy", DEPLOY).await;
        let ticket = suspension.ticket();
        host.session.resume(ticket, answer.clone()).await.unwrap();
        let ran = u32::from(!answer.is_refusal());
        assert_eq!(host.runs.count(), before + ran);
        for answers in [Answer::yes().into(), Answers::none()] {
            let error = host.session.resume(ticket, answers).await.unwrap_err();
            assert_eq!(error.kind(), TicketErrorKind::Used);
        }
        assert_eq!(host.runs.count(), before + ran);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_fifty_who_resume_at_once_one_runs_the_call() {
    for bring_answers in [true, false] {
        let host = host(&OpenStore::default());
        let suspension = host.suspended("deploy", DEPLOY).await;
        if !bring_answers {
            let answered = host.tickets().answer(suspension.id(), Answer::yes()).await;
            assert!(answered.unwrap().is_settled());
        }
        let barrier = Arc::new(tokio::sync::Barrier::new(50));
        let mut resuming = tokio::task::JoinSet::new();
        for _ in 0..50 {
            let (session, barrier) = (host.executor.session("s-1"), Arc::clone(&barrier));
            let ticket = Arc::clone(suspension.ticket());
            resuming.spawn(async move {
                barrier.wait().await;
                let answers = if bring_answers {
                    Answers::all(Answer::yes())
                } else {
                    Answers::none()
                };
                session.resume(&ticket, answers).await
            });
        }
        let mut ran = 0;
        for ended in resuming.join_all().await {
            match ended {
                Ok(outcome) => {
                    assert_eq!(outcome.text(), "deployed to test");
                    ran += 1;
                }
                Err(error) => assert!(
                    matches!(
                        error.kind(),
                        TicketErrorKind::Used | TicketErrorKind::AlreadyAnswered
                    ),
                    "{error}"
                ),
            }
        }
        assert_eq!((ran, host.runs.count()), (1, 1));
    }
}

#[tokio::test]
async fn a_row_that_was_closed_stays_closed() {
    let store = OpenStore::default();
    let host = host(&store);
    let suspension = host.suspended("deploy", DEPLOY).await;
    for (how, kind) in [
        ("used", TicketErrorKind::Used),
        ("cancelled", TicketErrorKind::Cancelled),
        ("session_ended", TicketErrorKind::Cancelled),
        ("expired", TicketErrorKind::Expired),
    ] {
        let mut row = store.row(suspension.id()).await;
        row["closed"] = json!(how);
        assert!(store.rewrite(suspension.id(), &row));
        refused(&host, suspension.ticket(), kind).await;
    }
}

#[tokio::test]
async fn an_expired_ticket_is_refused() {
    let host = Host::with(WaitMode::Suspending, |builder| {
        builder.approvals(Approvals::new().ticket_lifetime(Duration::ZERO))
    });
    let suspension = host.suspended("deploy", DEPLOY).await;
    refused(&host, suspension.ticket(), TicketErrorKind::Expired).await;
    assert!(host.open().await.is_empty());
}

#[tokio::test]
async fn a_ticket_of_another_session_is_refused() {
    let host = host(&OpenStore::default());
    let suspension = host.suspended("deploy", DEPLOY).await;
    let ticket = suspension.ticket();
    let below = host.session.sub_session("s-1/1");
    for session in [host.executor.session("s-2"), below] {
        for answers in [Answer::yes().into(), Answers::none()] {
            let error = session.resume(ticket, answers).await.unwrap_err();
            assert_eq!(error.kind(), TicketErrorKind::OtherSession);
        }
    }
    assert_eq!(host.runs.count(), 0);
    // Nor was an answer kept.
    let waits = host.session.resume(ticket, Answers::none()).await.unwrap();
    interrupted(waits);
    is_good(&host, ticket).await;
}
