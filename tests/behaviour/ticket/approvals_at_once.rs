//! Several calls that wait at once: no answer is lost, crossed or given twice.

mod crowd;

use std::sync::Arc;

use toolwright::content::ErrorKind;
use toolwright::executor::WaitMode;
use toolwright::ticket::{Answer, Answers, MemoryTickets, Ticket, TicketError, TicketErrorKind};
use toolwright::{ToolCall, ToolOutcome};

use crate::waiting_support::{Host, opened};

const BOTH: [WaitMode; 2] = [WaitMode::Blocking, WaitMode::Suspending];

fn deploy(place: &str) -> ToolCall<'static> {
    let arguments = serde_json::json!({ "place": place });
    ToolCall::new("deploy", arguments).into_owned()
}

/// Runs calls side by side, has their tickets answered, and goes on with those that were suspended.
async fn together(
    host: &Host,
    calls: Vec<ToolCall<'static>>,
    answer: impl AsyncFnOnce(Vec<Arc<Ticket>>),
) -> Vec<Result<ToolOutcome, TicketError>> {
    let mut events = host.tickets().subscribe();
    let answering = async { answer(opened(&mut events).await).await };
    let (outcomes, ()) = tokio::join!(host.session.call_all(calls), answering);
    let mut ended = Vec::new();
    for outcome in outcomes {
        ended.push(match outcome {
            ToolOutcome::Suspended(suspension) => {
                let ticket = suspension.ticket();
                host.session.resume(ticket, Answers::none()).await
            }
            other => Ok(other),
        });
    }
    ended
}

fn text(ended: &Result<ToolOutcome, TicketError>) -> String {
    ended.as_ref().unwrap().text()
}

#[tokio::test]
async fn two_requests_of_one_call_are_two_answers() {
    for mode in BOTH {
        let host = Host::new(mode);
        let call = ToolCall::new("deploy_all", r#"{"places": ["a", "b"]}"#);
        let ended = together(&host, vec![call], async |tickets| {
            assert_eq!(tickets.len(), 1);
            assert_eq!(tickets[0].summary(), "Deploy to a, and 1 more");
            let id = tickets[0].id();
            for number in [1, 0] {
                let answer = Answers::none().with(number, Answer::yes());
                host.tickets().answer(id, answer).await.unwrap();
            }
        });
        assert_eq!(text(&ended.await[0]), "deployed to a, b", "{mode:?}");
        assert_eq!(host.runs.count(), 1);
    }
}

#[tokio::test]
async fn calls_of_one_id_keep_their_own_answers() {
    for mode in BOTH {
        let host = Host::new(mode);
        let calls = ["a", "b"].map(|place| deploy(place).with_id("c-1"));
        let ended = together(&host, calls.into(), async |tickets| {
            let ids = tickets
                .iter()
                .map(|ticket| ticket.call().call_id().unwrap());
            assert_eq!(
                ids.map(toolwright::id::CallId::as_str).collect::<Vec<_>>(),
                ["c-1", "c-1"]
            );
            let no = Answer::no().because("not b");
            host.tickets().answer(tickets[1].id(), no).await.unwrap();
            let yes = Answer::yes();
            host.tickets().answer(tickets[0].id(), yes).await.unwrap();
        });
        let ended = ended.await;
        assert_eq!(text(&ended[0]), "deployed to a");
        assert!(text(&ended[1]).ends_with("(Deploy to b): not b"));
        assert_eq!(host.runs.count(), 1);
    }
}

#[tokio::test]
async fn trap_a_denial_in_a_batch_of_three_is_one_denial() {
    for mode in BOTH {
        let host = Host::new(mode);
        let calls = ["a", "b", "c"].map(deploy);
        let ended = together(&host, calls.into(), async |tickets| {
            for (ticket, answer) in tickets
                .iter()
                .zip([Answer::yes(), Answer::no(), Answer::yes()])
            {
                host.tickets().answer(ticket.id(), answer).await.unwrap();
            }
        });
        let ended = ended.await;
        assert_eq!(text(&ended[0]), "deployed to a");
        let denied = ended[1].as_ref().unwrap().error().unwrap();
        assert_eq!(denied.kind(), ErrorKind::Denied);
        assert_eq!(text(&ended[2]), "deployed to c");
        assert_eq!(host.runs.count(), 2);
        assert!(host.open().await.is_empty());
    }
}

#[derive(Debug, Clone, Copy)]
enum Cancel {
    Turn,
    Session,
    Tickets,
    Future,
}

#[tokio::test]
async fn whoever_cancels_calls_that_wait_leaves_no_ticket() {
    for cancel in [
        Cancel::Turn,
        Cancel::Session,
        Cancel::Tickets,
        Cancel::Future,
    ] {
        let host = Host::new(WaitMode::Blocking);
        let mut events = host.tickets().subscribe();
        let turn = host.session.turn();
        let batch = {
            let turn = turn.clone();
            tokio::spawn(async move { turn.call_all(["a", "b", "c"].map(deploy)).await })
        };
        let tickets = opened(&mut events).await;
        assert_eq!(tickets.len(), 3);
        match cancel {
            Cancel::Turn => turn.cancel(),
            Cancel::Session => host.session.cancel(),
            Cancel::Tickets => {
                for ticket in &tickets {
                    host.tickets().cancel(ticket.id()).await.unwrap();
                }
            }
            Cancel::Future => batch.abort(),
        }
        match batch.await {
            Ok(outcomes) => {
                for outcome in outcomes {
                    let kind = outcome.error().unwrap().kind();
                    assert_eq!(kind, ErrorKind::Cancelled, "{cancel:?}");
                }
            }
            Err(error) => assert!(error.is_cancelled() && matches!(cancel, Cancel::Future)),
        }
        for ticket in &tickets {
            // Closed in the background.
            let closed = loop {
                let event = events.recv().await.unwrap();
                if let toolwright::ticket::TicketEvent::Closed { ticket, .. } = event {
                    break ticket.id();
                }
            };
            assert!(tickets.iter().any(|ticket| ticket.id() == closed));
            let answered = host.tickets().answer(ticket.id(), Answer::yes()).await;
            let kind = answered.unwrap_err().kind();
            assert_eq!(kind, TicketErrorKind::Cancelled, "{cancel:?}");
        }
        assert!(host.open().await.is_empty());
        assert_eq!(host.runs.count(), 0);
    }
}

#[tokio::test]
async fn trap_what_was_cancelled_is_not_resumed() {
    let host = Host::new(WaitMode::Suspending);
    let by_ticket = host.suspended("deploy", r#"{"place": "a"}"#).await;
    host.tickets().cancel(by_ticket.id()).await.unwrap();
    let by_end = host.suspended("deploy", r#"{"place": "b"}"#).await;
    let by_session = host.suspended("deploy", r#"{"place": "c"}"#).await;
    let resumed = host.session.resume(by_ticket.ticket(), Answer::yes()).await;
    assert_eq!(resumed.unwrap_err().kind(), TicketErrorKind::Cancelled);
    host.session.cancel();
    for suspension in [&by_end, &by_session] {
        let resumed = host.session.resume(suspension.ticket(), Answer::yes());
        assert_eq!(
            resumed.await.unwrap_err().kind(),
            TicketErrorKind::Cancelled
        );
    }
    // A handle was cancelled, and not what others have of the session.
    let again = host.executor.session("s-1");
    let outcome = again.resume(by_session.ticket(), Answer::yes()).await;
    assert_eq!(outcome.unwrap().text(), "deployed to c");
    again.end().await.unwrap();
    let again = host.executor.session("s-1");
    let resumed = again.resume(by_end.ticket(), Answer::yes()).await;
    let kind = resumed.unwrap_err().kind();
    assert!(matches!(
        kind,
        TicketErrorKind::Cancelled | TicketErrorKind::Unknown
    ));
    assert_eq!(host.runs.count(), 1);
}

#[tokio::test]
async fn a_call_is_resumed_in_another_executor_and_once() {
    let store = MemoryTickets::new();
    let (here, there) = (Host::process(&store), Host::process(&store));
    let suspension = here.suspended("deploy", r#"{"place": "test"}"#).await;
    let ticket = suspension.ticket();
    let outcome = there.session.resume(ticket, Answer::yes()).await.unwrap();
    assert_eq!(outcome.text(), "deployed to test");
    assert_eq!(
        outcome.result().invocation_id(),
        suspension.result().invocation_id()
    );
    for host in [&here, &there] {
        let error = host
            .session
            .resume(ticket, Answer::yes())
            .await
            .unwrap_err();
        assert_eq!(error.kind(), TicketErrorKind::Used);
    }
    assert_eq!((here.runs.count(), there.runs.count()), (0, 1));
    let waits = here.suspended("deploy", r#"{"place": "test"}"#).await;
    let elsewhere = there.tickets().answer(waits.id(), Answer::no()).await;
    assert!(elsewhere.unwrap().is_settled());
    let outcome = here.session.resume(waits.ticket(), Answers::none()).await;
    let denied = outcome.unwrap();
    assert_eq!(denied.error().unwrap().code(), "denied_by_user");
}
