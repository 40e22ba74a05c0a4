use serde_json::json;

use super::*;
use crate::ticket::{AnswerProgress, Answers, OpenTicket};

#[tokio::test]
async fn answers_come_in_any_order_and_a_few_at_a_time() {
    let bench = Bench::new();
    let ticket = bench.open(&["a", "b", "c"]).await;
    let id = ticket.id();
    let broker = &bench.broker;

    let last = Answers::none().with(2, Answer::yes());
    assert_eq!(
        broker.answer(id, last).await,
        Ok(AnswerProgress::Waiting { left: vec![0, 1] })
    );
    let pending = broker.get(id).await.unwrap();
    assert_eq!((pending.id(), pending.left()), (id, vec![0, 1]));
    assert_eq!(pending.answer(2), Some(&Answer::yes()));
    assert_eq!((pending.answer(0), pending.answer(9)), (None, None));
    assert!(matches!(
        bench.claim(&ticket).await,
        Ok(Claim::Waits { pending: waiting, .. }) if waiting == pending
    ));

    assert_eq!(
        broker.answer(id, Answer::yes()).await,
        Ok(AnswerProgress::Ready)
    );
    let Ok(Claim::Ready(ClaimedCall { call, answers, .. })) = bench.claim(&ticket).await else {
        panic!("it is answered");
    };
    assert_eq!(call.arguments, r#"{"size": 1.5, "token": "hunter2"}"#);
    assert_eq!(answers, vec![Some(Answer::yes()); 3]);
}

#[tokio::test]
async fn the_first_no_settles_and_edited_arguments_do() {
    let bench = Bench::new();
    let broker = &bench.broker;
    let ticket = bench.open(&["a", "b", "c"]).await;
    let no = Answer::no().because("not today");
    let standing = broker.answer(ticket.id(), Answers::none().with(1, no.clone()));
    assert_eq!(standing.await, Ok(AnswerProgress::Refused));
    assert!(broker.get(ticket.id()).await.unwrap().left().is_empty());
    let late = broker.answer(ticket.id(), Answer::yes()).await;
    assert_eq!(kind(late), TicketErrorKind::AlreadyAnswered);
    let Ok(Claim::Ready(ClaimedCall { answers, .. })) = bench.claim(&ticket).await else {
        panic!("it is refused");
    };
    assert_eq!(answers, [None, Some(no), None]);

    let ticket = bench.open(&["a", "b"]).await;
    let edited = Answers::none().with(0, Answer::edited(json!({})));
    assert_eq!(
        broker.answer(ticket.id(), edited).await,
        Ok(AnswerProgress::Ready)
    );
}

#[tokio::test]
async fn a_refusal_is_kept_first() {
    let bench = Bench::new();
    let mut heard = bench.broker.subscribe();
    let ticket = bench.open(&["a", "b", "c"]).await;
    let answers: Answers = [Answer::yes(), Answer::yes(), Answer::no()]
        .into_iter()
        .collect();
    bench.broker.answer(ticket.id(), answers).await.unwrap();
    let order: Vec<usize> = events(&mut heard)
        .iter()
        .filter_map(|event| match event {
            TicketEvent::Answered { request, .. } => Some(*request),
            _ => None,
        })
        .collect();
    assert_eq!(order, [2, 0, 1]);
}

#[tokio::test]
async fn what_does_not_fit_keeps_nothing() {
    let bench = Bench::new();
    let ticket = bench.open(&["a", "b"]).await;
    let broker = &bench.broker;
    let unfit = Answers::none()
        .with(0, Answer::yes())
        .with(1, Answer::value(3));
    let error = broker.answer(ticket.id(), unfit).await.unwrap_err();
    assert_eq!(error.kind(), TicketErrorKind::UnfitAnswer);
    assert_eq!(
        error.to_string(),
        "the answer does not fit what was asked: request 1: a text is wanted"
    );
    let none = Answers::none()
        .with(0, Answer::yes())
        .with(2, Answer::yes());
    let error = broker.answer(ticket.id(), none).await.unwrap_err();
    assert_eq!(error.kind(), TicketErrorKind::NoSuchRequest);
    assert_eq!(broker.get(ticket.id()).await.unwrap().left(), [0, 1]);

    let first = Answers::none().with(0, Answer::yes());
    broker.answer(ticket.id(), first.clone()).await.unwrap();
    let again = broker.answer(ticket.id(), first).await;
    assert_eq!(kind(again), TicketErrorKind::AlreadyAnswered);
    let nothing = broker.answer(ticket.id(), Answers::none()).await;
    assert_eq!(nothing, Ok(AnswerProgress::Waiting { left: vec![1] }));
}

#[tokio::test]
async fn a_check_says_what_an_answer_would_and_keeps_nothing() {
    let bench = Bench::new();
    let ticket = bench.open(&["a"]).await;
    let mut heard = bench.broker.subscribe();
    let broker = &bench.broker;
    let error = broker.check(ticket.id(), Answer::value(3)).await;
    assert_eq!(kind(error), TicketErrorKind::UnfitAnswer);
    broker.check(ticket.id(), Answer::yes()).await.unwrap();
    assert_eq!(broker.get(ticket.id()).await.unwrap().left(), [0]);
    assert!(events(&mut heard).is_empty());
    broker.answer(ticket.id(), Answer::yes()).await.unwrap();
    let error = broker.check(ticket.id(), Answer::no()).await;
    assert_eq!(kind(error), TicketErrorKind::AlreadyAnswered);
}

#[tokio::test]
async fn declining_and_cancelling_are_two_things() {
    let bench = Bench::new();
    let broker = &bench.broker;
    let ticket = bench.open(&["a", "b"]).await;
    broker.decline(ticket.id(), Some("why?")).await.unwrap();
    let pending = broker.get(ticket.id()).await.unwrap();
    assert_eq!(pending.standing(), AnswerProgress::Refused);
    assert_eq!(pending.answer(1).unwrap().reason(), Some("why?"));

    let ticket = bench.open(&["a"]).await;
    broker.cancel(ticket.id()).await.unwrap();
    for refused in [
        kind(broker.answer(ticket.id(), Answer::yes()).await),
        kind(broker.get(ticket.id()).await),
        kind(broker.cancel(ticket.id()).await),
        kind(bench.claim(&ticket).await),
    ] {
        assert_eq!(refused, TicketErrorKind::Cancelled);
    }
    let nobody = TicketId::from_random(7);
    assert_eq!(kind(broker.cancel(nobody).await), TicketErrorKind::Unknown);
    assert_eq!(kind(broker.get(nobody).await), TicketErrorKind::Unknown);
}

#[tokio::test]
async fn open_tickets_are_listed_by_session_and_turn() {
    let bench = Bench::new();
    let mut other = draft_in("other", &["a"]);
    other.turn = TurnId::new(2);
    let drafts = vec![draft(&["a"]), other, draft(&["b"])];
    let tickets = bench.broker.open(drafts).await.unwrap();
    bench.broker.cancel(tickets[2].id()).await.unwrap();
    for (filter, expected) in [
        (TicketFilter::all(), &tickets[..2]),
        (TicketFilter::session("s"), &tickets[..1]),
        (TicketFilter::session("other"), &tickets[1..2]),
        (TicketFilter::all().turn(TurnId::new(2)), &tickets[1..2]),
        (TicketFilter::session("s").turn(TurnId::new(2)), &[]),
    ] {
        let listed = bench.broker.list(&filter).await.unwrap();
        let listed: Vec<_> = listed.iter().map(OpenTicket::id).collect();
        let expected: Vec<_> = expected.iter().map(|ticket| ticket.id()).collect();
        assert_eq!(listed, expected, "{filter:?}");
    }
}

#[tokio::test]
async fn at_the_instant_it_expires_it_is_over() {
    let bench = Bench::new();
    let ticket = bench.open(&["a", "b"]).await;
    bench.pass(Duration::from_millis(3_599_999));
    let first = Answers::none().with(0, Answer::yes());
    bench.broker.answer(ticket.id(), first).await.unwrap();
    bench.pass(Duration::from_millis(1));
    let mut heard = bench.broker.subscribe();
    let late = bench.broker.answer(ticket.id(), Answer::yes()).await;
    assert_eq!(kind(late), TicketErrorKind::Expired);
    assert_eq!(kind(bench.claim(&ticket).await), TicketErrorKind::Expired);
    assert!(
        bench
            .broker
            .list(&TicketFilter::all())
            .await
            .unwrap()
            .is_empty()
    );
    assert!(matches!(
        events(&mut heard)[..],
        [TicketEvent::Closed {
            how: CloseReason::Expired,
            ..
        }]
    ));
    // Another ticket drives it out of the store; it is over all the same.
    bench.open(&["c"]).await;
    assert_eq!(kind(bench.claim(&ticket).await), TicketErrorKind::Expired);
}

#[tokio::test]
async fn who_means_all_that_is_left_may_be_too_late_for_some_of_it() {
    let bench = Bench::new();
    let broker = &bench.broker;
    // The answers of others that arrive right after somebody has looked.
    let unseen = |numbers: &'static [usize]| {
        let seen = AtomicU64::new(0);
        bench.store.twist(move |kept| {
            if seen.fetch_add(1, Ordering::SeqCst) == 0 {
                for number in numbers {
                    kept.answers[*number] = None;
                }
            }
        });
    };
    let first = || Answers::none().with(0, Answer::yes());

    let ticket = bench.open(&["a", "b"]).await;
    broker.answer(ticket.id(), first()).await.unwrap();
    unseen(&[0]);
    let all = broker.answer(ticket.id(), Answer::yes()).await;
    assert_eq!(all, Ok(AnswerProgress::Ready));
    assert!(matches!(bench.claim(&ticket).await, Ok(Claim::Ready(_))));

    let ticket = bench.open(&["a", "b"]).await;
    broker.answer(ticket.id(), first()).await.unwrap();
    unseen(&[0]);
    let both: Answers = [Answer::yes(), Answer::yes()].into_iter().collect();
    let named = broker.answer(ticket.id(), both).await;
    assert_eq!(kind(named), TicketErrorKind::AlreadyAnswered);

    let ticket = bench.open(&["a", "b"]).await;
    broker.answer(ticket.id(), Answer::yes()).await.unwrap();
    unseen(&[0, 1]);
    let nothing = broker.answer(ticket.id(), Answer::no()).await;
    assert_eq!(kind(nothing), TicketErrorKind::AlreadyAnswered);
}
