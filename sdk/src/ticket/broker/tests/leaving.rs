use super::*;

#[tokio::test]
async fn an_abandoned_ticket_is_cancelled_in_the_background() {
    let bench = Bench::new();
    let ticket = bench.open(&["a"]).await;
    let mut heard = bench.broker.subscribe();
    bench.broker.abandon(ticket.id());
    let closed = heard.recv().await;
    assert!(matches!(
        closed,
        Some(TicketEvent::Closed {
            how: CloseReason::Cancelled,
            ..
        })
    ));
}

#[test]
fn without_a_runtime_whoever_comes_next_cancels_it() {
    let bench = Bench::new();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let ticket = runtime.block_on(bench.open(&["a"]));
    bench.broker.abandon(ticket.id());
    bench.broker.abandon(TicketId::from_random(1));
    let open = runtime.block_on(bench.broker.list(&TicketFilter::all()));
    assert!(open.unwrap().is_empty());
    let claimed = runtime.block_on(bench.claim(&ticket));
    assert_eq!(kind(claimed), TicketErrorKind::Cancelled);
}

#[tokio::test]
async fn what_the_store_does_not_close_is_closed_the_next_time() {
    let bench = Bench::new();
    let ticket = bench.open(&["a"]).await;
    bench.store.set_down(true);
    bench.broker.abandon(ticket.id());
    bench.broker.tidy().await;
    bench.store.set_down(false);
    assert_eq!(
        kind(bench.broker.get(ticket.id()).await),
        TicketErrorKind::Cancelled
    );
}

#[tokio::test]
async fn a_batch_opens_as_a_whole_or_not_at_all() {
    let bench = Bench::new();
    let mut heard = bench.broker.subscribe();
    let failed = bench.broker.open(vec![draft(&["a"]), draft(&[])]).await;
    assert!(failed.is_err());
    assert!(
        bench
            .broker
            .list(&TicketFilter::all())
            .await
            .unwrap()
            .is_empty()
    );
    assert_eq!(names(&events(&mut heard)), ["closed"]);
}
