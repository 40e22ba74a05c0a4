use super::*;

#[tokio::test]
async fn a_batch_is_one_event_and_a_ticket_closes_once() {
    let bench = Bench::new();
    let mut heard = bench.broker.subscribe();
    let tickets = bench
        .broker
        .open(vec![draft(&["a"]), draft(&["b"])])
        .await
        .unwrap();
    bench
        .broker
        .answer(tickets[0].id(), Answer::yes())
        .await
        .unwrap();
    assert!(bench.claim(&tickets[0]).await.is_ok());
    bench.broker.running(&tickets[0]);
    bench
        .broker
        .answer(tickets[1].id(), Answer::no())
        .await
        .unwrap();
    assert!(bench.claim(&tickets[1]).await.is_ok());
    let happened = events(&mut heard);
    assert_eq!(
        names(&happened),
        [
            "opened", "answered", "closed", "resuming", "running", "answered", "closed"
        ]
    );
    assert!(matches!(&happened[0], TicketEvent::Opened(opened) if *opened == tickets));
}

#[tokio::test]
async fn whoever_no_longer_listens_is_forgotten() {
    let bench = Bench::new();
    let heard = bench.broker.subscribe();
    drop(bench.broker.subscribe());
    bench.open(&["a"]).await;
    assert_eq!(bench.broker.shared.subscribers.count(), 1);
    assert_eq!(format!("{heard:?}"), "TicketEvents { waiting: 1, .. }");
    drop(heard);
    let mut heard = bench.broker.subscribe();
    assert_eq!(bench.broker.shared.subscribers.count(), 1);
    drop(bench);
    assert!(heard.recv().await.is_none());
}

#[tokio::test]
async fn nothing_that_is_printed_holds_a_secret() {
    let bench = Bench::new();
    let mut heard = bench.broker.subscribe();
    let ticket = bench.open(&["a"]).await;
    let answer = Answer::value("hunter2");
    bench.broker.answer(ticket.id(), answer).await.unwrap();
    let kept = bench.store.inner.get(ticket.id()).await.unwrap().unwrap();
    let edited = Answer::edited(json!({"token": "hunter2"}));
    let printed = format!(
        "{:?} {:?} {:?} {:?} {:?} {:?} {:?}",
        bench.broker,
        events(&mut heard),
        bench.broker.get(ticket.id()).await,
        kept,
        edited,
        key(0x41),
        bench.store.inner,
    );
    for secret in ["hunter2", "AAAA", "65, 65"] {
        assert!(!printed.contains(secret), "{printed}");
    }
    assert!(serde_json::to_string(&kept).unwrap().contains("hunter2"));
    assert!(!serde_json::to_string(&*ticket).unwrap().contains("hunter2"));
}
