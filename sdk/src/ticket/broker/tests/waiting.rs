use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::Poll;

use super::*;
use crate::ticket::{Answers, Settled};

/// Polls a future once.
async fn poll_once<F: Future>(mut future: Pin<&mut F>) -> Poll<F::Output> {
    poll_fn(|cx| Poll::Ready(future.as_mut().poll(cx))).await
}

#[tokio::test(start_paused = true)]
async fn a_wait_ends_with_the_last_answer() {
    let bench = Bench::new();
    let ticket = bench.open(&["a", "b"]).await;
    let mut settled = pin!(bench.broker.settled(ticket.id()));
    assert!(poll_once(settled.as_mut()).await.is_pending());
    let answers = Answers::none().with(1, Answer::yes());
    bench.broker.answer(ticket.id(), answers).await.unwrap();
    assert!(poll_once(settled.as_mut()).await.is_pending());
    bench
        .broker
        .answer(ticket.id(), Answer::yes())
        .await
        .unwrap();
    assert!(matches!(
        settled.await,
        Ok(Settled::Answered(answers)) if answers == vec![Some(Answer::yes()); 2]
    ));
    assert_eq!(kind(bench.claim(&ticket).await), TicketErrorKind::Used);
}

#[tokio::test(start_paused = true)]
async fn a_wait_ends_with_a_no_a_cancel_the_session_or_the_time() {
    let bench = Bench::new();
    let broker = &bench.broker;
    let ticket = bench.open(&["a", "b"]).await;
    let no = Answers::none().with(1, Answer::no());
    let (settled, _) = tokio::join!(broker.settled(ticket.id()), broker.answer(ticket.id(), no));
    assert!(matches!(settled, Ok(Settled::Answered(answers)) if answers[0].is_none()));

    let ticket = bench.open(&["a"]).await;
    let (settled, _) = tokio::join!(broker.settled(ticket.id()), broker.cancel(ticket.id()));
    assert!(matches!(settled, Ok(Settled::Cancelled)));

    let ticket = bench.open(&["a"]).await;
    let ends = broker.end_session(ticket.session());
    let (settled, _) = tokio::join!(broker.settled(ticket.id()), ends);
    assert!(matches!(settled, Ok(Settled::SessionEnded)));

    // The clock of the broker stands still: the timer alone ends it.
    let ticket = bench.open(&["a"]).await;
    let mut heard = broker.subscribe();
    let begun = tokio::time::Instant::now();
    assert!(matches!(
        broker.settled(ticket.id()).await,
        Ok(Settled::Expired)
    ));
    assert_eq!(begun.elapsed().as_secs(), HOUR.as_secs());
    assert_eq!(names(&events(&mut heard)), ["closed"]);
    let late = broker.answer(ticket.id(), Answer::yes()).await;
    assert_eq!(kind(late), TicketErrorKind::Expired);
}

#[tokio::test(start_paused = true)]
async fn a_ticket_that_the_store_forgot_for_its_age_is_expired() {
    let bench = Bench::new();
    let ticket = bench.open(&["a"]).await;
    let mut settled = pin!(bench.broker.settled(ticket.id()));
    assert!(poll_once(settled.as_mut()).await.is_pending());
    bench.pass(HOUR);
    bench.open(&["b"]).await;
    assert!(matches!(settled.await, Ok(Settled::Expired)));
}

#[tokio::test(start_paused = true)]
async fn what_was_answered_in_time_counts_however_late_it_is_seen() {
    let bench = Bench::new();
    let ticket = bench.open(&["a"]).await;
    bench
        .broker
        .answer(ticket.id(), Answer::yes())
        .await
        .unwrap();
    bench.pass(2 * HOUR);
    let settled = bench.broker.settled(ticket.id()).await;
    assert!(matches!(settled, Ok(Settled::Answered(_))));
}

#[tokio::test(start_paused = true)]
async fn a_call_does_not_go_on_before_what_was_decided_for_more_is_kept() {
    let bench = Bench::new();
    let ticket = bench.open(&["a"]).await;
    let underway = bench.broker.shared.underway.begin(ticket.id());
    bench
        .broker
        .answer(ticket.id(), Answer::yes())
        .await
        .unwrap();
    let mut settled = pin!(bench.broker.settled(ticket.id()));
    assert!(poll_once(settled.as_mut()).await.is_pending());
    drop(underway);
    assert!(matches!(settled.await, Ok(Settled::Answered(_))));
}

#[tokio::test(start_paused = true)]
async fn a_forged_answer_wakes_nobody_for_long() {
    let bench = Bench::new();
    let ticket = bench.open(&["a", "b"]).await;
    let mut settled = pin!(bench.broker.settled(ticket.id()));
    assert!(poll_once(settled.as_mut()).await.is_pending());
    let forged = key(2).seal_answer(&ticket, 0, Answer::no()).unwrap();
    bench
        .store
        .inner
        .answer(ticket.id(), 0, &forged)
        .await
        .unwrap();
    assert!(poll_once(settled.as_mut()).await.is_pending());
    bench.broker.cancel(ticket.id()).await.unwrap();
    assert!(matches!(settled.await, Ok(Settled::Cancelled)));
}

#[test]
fn a_runtime_without_timers_is_told_of_and_does_not_panic() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let bench = Bench::new();
    let ticket = runtime.block_on(bench.open(&["a"]));
    let error = runtime
        .block_on(bench.broker.settled(ticket.id()))
        .unwrap_err();
    assert_eq!(error.kind(), TicketErrorKind::Unavailable);
    assert!(error.to_string().contains("`Builder::enable_time`"));

    // Nor does a thread that is in none.
    let mut settled = pin!(bench.broker.settled(ticket.id()));
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    let Poll::Ready(Err(error)) = settled.as_mut().poll(&mut cx) else {
        panic!("it cannot wait");
    };
    assert_eq!(error.kind(), TicketErrorKind::Unavailable);
}

#[test]
fn what_hosts_await_can_be_sent() {
    fn sent<T: Send>(_: T) {}
    let bench = Bench::new();
    let (broker, id) = (&bench.broker, TicketId::from_random(1));
    sent(broker.answer(id, Answer::yes()));
    sent(broker.settled(id));
    sent(broker.open(Vec::new()));
    sent(broker.list(&TicketFilter::all()));
}

#[tokio::test]
async fn a_ticket_that_was_found_over_stays_closed_when_the_clock_is_set_back() {
    let bench = Bench::new();
    let ticket = bench.open(&["a"]).await;
    let (began, later) = (bench.now.load(Ordering::SeqCst), 2 * HOUR);
    bench.pass(later);
    let late = bench.broker.answer(ticket.id(), Answer::yes()).await;
    assert_eq!(kind(late), TicketErrorKind::Expired);
    bench.now.store(began, Ordering::SeqCst);
    let back = bench.broker.answer(ticket.id(), Answer::yes()).await;
    assert_eq!(kind(back), TicketErrorKind::Expired);
    assert_eq!(kind(bench.claim(&ticket).await), TicketErrorKind::Expired);
}
