#![allow(
    clippy::unwrap_used,
    reason = "clippy does not see that these are tests"
)]

mod granting;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use super::*;
use crate::id::{CallId, ToolName, TurnId};
use crate::permission::grants::deciding;
use crate::permission::{AnyChecker, DefaultPolicy};
use crate::ticket::{
    AnswerRules, BrokerSettings, GrantLevel, GrantLifetime, KeyedDigest, MemoryTickets,
    PendingCall, PendingRequest, StoredTicket, TicketKey,
};

struct Bench {
    registry: PermissionRegistry,
    now: Arc<AtomicU64>,
    _rules: Arc<dyn AnswerRules>,
}

struct Rules;

impl AnswerRules for Rules {
    fn check(&self, _: &StoredTicket, _: usize, _: &Answer) -> Result<(), String> {
        Ok(())
    }

    fn definition(&self, _: &PendingCall) -> Option<KeyedDigest> {
        None
    }

    fn deciding<'g>(
        &self,
        grants: &[&'g Grant],
        ticket: &StoredTicket,
        request: &PendingRequest,
    ) -> Option<&'g Grant> {
        let request = PermissionRequest::from_pending(request)?;
        let tool = ticket.ticket().call().tool();
        let judge = PermissionEvaluator::new(AnyChecker::new(DefaultPolicy), "");
        deciding(
            &judge,
            grants.iter().copied(),
            &GrantQuery::new(tool, &request),
        )
    }
}

fn bench() -> Bench {
    bench_with(true)
}

fn bench_with(attended: bool) -> Bench {
    let tickets = TicketBroker::new();
    let rules: Arc<dyn AnswerRules> = Arc::new(Rules);
    let now = Arc::new(AtomicU64::new(1_000_000));
    let clock = Arc::clone(&now);
    tickets.install(
        BrokerSettings::new(
            Arc::new(MemoryTickets::default()),
            TicketKey::from_bytes([1; 32]),
            Duration::from_secs(3600),
            Arc::downgrade(&rules),
        )
        .attended(attended)
        .with_clock(move || {
            SystemTime::UNIX_EPOCH + Duration::from_secs(clock.load(Ordering::SeqCst))
        }),
    );
    Bench {
        registry: PermissionRegistry::new(tickets),
        now,
        _rules: rules,
    }
}

fn by(session: &str, turn: u64) -> Requester {
    let tool = ToolName::new("fs.write".to_owned()).unwrap();
    Requester::new(tool, session, TurnId::new(turn)).with_call_id("c1")
}

fn write(path: &str) -> PermissionRequest {
    PermissionRequest::new("file.write", path.to_owned(), format!("Write `{path}`"))
}

fn writes(directory: &str) -> GrantScope {
    GrantScope::writes(directory)
}

#[tokio::test]
async fn a_registered_request_is_shown_and_answered() {
    let Bench { registry, .. } = &bench();
    let request = write("/ws/src/a").with_detail("root", "/ws");
    let receiver = registry
        .register(by("s", 3), request.clone())
        .await
        .unwrap();
    let filter = TicketFilter::session("s").turn(TurnId::new(3));
    let pending = registry.pending(&filter).await.unwrap();
    let [approval] = pending.as_slice() else {
        panic!("{pending:?}");
    };
    assert_eq!(approval.turn(), TurnId::new(3));
    assert_eq!(approval.call_id().map(CallId::as_str), Some("c1"));
    let [ask] = approval.asks() else {
        panic!("{approval:?}");
    };
    assert!(ask.request().is_same_as(&request));
    assert!(ask.trust_options().len() >= 3);
    let answer = Answer::yes().because("fine");
    registry
        .respond(approval.id(), ask.number(), answer.clone())
        .await
        .unwrap();
    assert_eq!(receiver.recv().await.unwrap(), answer);
    assert!(registry.pending(&filter).await.unwrap().is_empty());
    assert!(registry.list("s").await.unwrap().is_empty());
}

#[tokio::test]
async fn always_is_for_what_was_chosen_in_that_session() {
    let Bench { registry, .. } = &bench();
    let request = write("/ws/src/a").with_detail("root", "/ws");
    let receiver = registry.register(by("s", 1), request).await.unwrap();
    let always = Answer::always(writes("/ws/src"));
    registry
        .respond(receiver.ticket().id(), 0, always)
        .await
        .unwrap();
    receiver.recv().await.unwrap();
    let granted = async |session: &str, path: &str| {
        registry
            .is_granted(by(session, 2), &write(path))
            .await
            .unwrap()
    };
    assert!(granted("s", "/ws/src/b").await);
    assert!(!granted("s", "/ws/sibling").await);
    assert!(!granted("other", "/ws/src/b").await);
    // Nobody is asked again.
    let second = registry
        .register(by("s", 2), write("/ws/src/b"))
        .await
        .unwrap();
    assert!(
        registry
            .pending(&TicketFilter::all())
            .await
            .unwrap()
            .is_empty()
    );
    assert!(!second.recv().await.unwrap().is_refusal());
}

#[tokio::test]
async fn never_refuses_without_a_prompt_and_goes_before_always() {
    let Bench { registry, .. } = &bench();
    registry.grant("s", writes("/ws")).await.unwrap();
    registry
        .grant("s", writes("/ws/locked"))
        .level(GrantLevel::Deny)
        .because("it is locked")
        .await
        .unwrap();
    let receiver = registry
        .register(by("s", 1), write("/ws/locked/a"))
        .await
        .unwrap();
    assert!(
        registry
            .pending(&TicketFilter::all())
            .await
            .unwrap()
            .is_empty()
    );
    let answer = receiver.recv().await.unwrap();
    assert!(answer.is_refusal());
    assert_eq!(answer.reason(), Some("it is locked"));
    assert!(
        registry
            .is_granted(by("s", 1), &write("/ws/a"))
            .await
            .unwrap()
    );
}

#[tokio::test]
async fn the_asks_of_a_turn_are_answered_as_one_and_no_more_than_was_shown() {
    let Bench { registry, .. } = &bench();
    let mut receivers = Vec::new();
    for path in ["/a", "/b"] {
        receivers.push(registry.register(by("s", 1), write(path)).await.unwrap());
    }
    let filter = TicketFilter::session("s").turn(TurnId::new(1));
    let shown = registry.pending(&filter).await.unwrap();
    assert_eq!(shown.len(), 2);
    let later = registry.register(by("s", 1), write("/c")).await.unwrap();
    registry
        .respond(shown[0].id(), 0, Answer::no())
        .await
        .unwrap();
    let mut told = Vec::new();
    for approval in &shown {
        told.push(
            registry
                .tickets()
                .answer(approval.id(), Answer::yes())
                .await,
        );
    }
    let kind = told[0].as_ref().unwrap_err().kind();
    assert_eq!(kind, TicketErrorKind::AlreadyAnswered);
    assert_eq!(told[1], Ok(AnswerProgress::Ready));
    let left = registry.pending(&filter).await.unwrap();
    assert_eq!(left.len(), 1);
    assert_eq!(left[0].id(), later.ticket().id());
    let answers = [
        receivers.remove(0).recv().await,
        receivers.remove(0).recv().await,
    ];
    let [no, yes] = answers.map(Result::unwrap);
    assert!(no.is_refusal() && !yes.is_refusal());
}

#[tokio::test]
async fn nobody_there_and_nobody_waiting_are_errors_and_no_hang() {
    let alone = bench_with(false).registry;
    let error = alone.register(by("s", 1), write("/a")).await.unwrap_err();
    assert_eq!(error.kind(), TicketErrorKind::Unavailable);
    let Bench { registry, .. } = &bench();
    let receiver = registry.register(by("s", 1), write("/a")).await.unwrap();
    registry
        .tickets()
        .cancel(receiver.ticket().id())
        .await
        .unwrap();
    let error = receiver.recv().await.unwrap_err();
    assert_eq!(error.kind(), TicketErrorKind::Cancelled);
    let receiver = registry.register(by("s", 1), write("/a")).await.unwrap();
    registry.tickets().end_session(&"s".into()).await.unwrap();
    let error = receiver.recv().await.unwrap_err();
    assert_eq!(error.kind(), TicketErrorKind::Cancelled);
}
