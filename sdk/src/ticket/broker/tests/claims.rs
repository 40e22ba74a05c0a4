use super::*;

#[tokio::test]
async fn a_ticket_is_good_for_one_use() {
    let bench = Bench::new();
    let ticket = bench.open(&["a"]).await;
    bench
        .broker
        .answer(ticket.id(), Answer::yes())
        .await
        .unwrap();
    assert!(matches!(bench.claim(&ticket).await, Ok(Claim::Ready(_))));
    assert_eq!(kind(bench.claim(&ticket).await), TicketErrorKind::Used);
    let late = bench.broker.answer(ticket.id(), Answer::yes()).await;
    assert_eq!(kind(late), TicketErrorKind::Used);
}

#[tokio::test]
async fn a_ticket_belongs_to_its_session() {
    let bench = Bench::new();
    let ticket = bench.open(&["a"]).await;
    let claimed = bench.broker.claim(&ticket, &"other".into()).await;
    assert_eq!(kind(claimed), TicketErrorKind::OtherSession);
}

#[tokio::test]
async fn a_tool_that_changed_or_went_is_not_what_was_asked_about() {
    let bench = Bench::new();
    let ticket = bench.open(&["a"]).await;
    bench
        .broker
        .answer(ticket.id(), Answer::yes())
        .await
        .unwrap();
    for now in [Some(definition("another")), None] {
        *bench.rules.definition.lock().unwrap() = now;
        assert_eq!(
            kind(bench.claim(&ticket).await),
            TicketErrorKind::ChangedTool
        );
    }
    *bench.rules.definition.lock().unwrap() = Some(definition("as it is"));
    assert!(bench.claim(&ticket).await.is_ok());
}

#[tokio::test]
async fn another_process_with_the_key_claims_it() {
    let here = Bench::new();
    let ticket = here.open(&["a"]).await;
    here.broker
        .answer(ticket.id(), Answer::yes())
        .await
        .unwrap();
    let json = serde_json::to_string(&*ticket).unwrap();

    let there = Bench::on(here.store.clone(), key(1));
    let ticket: Ticket = serde_json::from_str(&json).unwrap();
    assert!(matches!(there.claim(&ticket).await, Ok(Claim::Ready(_))));
    assert_eq!(kind(here.claim(&ticket).await), TicketErrorKind::Used);
}

#[tokio::test]
async fn a_ticket_of_a_session_that_ended_is_unknown() {
    let bench = Bench::new();
    let ticket = bench.open(&["a"]).await;
    let other = bench.open_draft(draft_in("other", &["a"])).await;
    let mut heard = bench.broker.subscribe();
    bench.broker.end_session(ticket.session()).await.unwrap();
    assert!(matches!(
        events(&mut heard)[..],
        [TicketEvent::Closed {
            how: CloseReason::SessionEnded,
            ..
        }]
    ));
    assert_eq!(kind(bench.claim(&ticket).await), TicketErrorKind::Unknown);
    assert!(bench.broker.get(other.id()).await.is_ok());
}

#[tokio::test]
async fn before_its_executor_is_built_and_after_it_is_gone_a_broker_says_so() {
    let broker = TicketBroker::new();
    let error = broker.list(&TicketFilter::all()).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "tickets cannot be handled here: the executor is not built yet"
    );
    let Bench { broker, rules, .. } = Bench::new();
    let ticket = broker.open(vec![draft(&["a"])]).await.unwrap().remove(0);
    drop(rules);
    let error = broker.answer(ticket.id(), Answer::yes()).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "tickets cannot be handled here: the executor is gone"
    );
    let nothing = broker.open(vec![draft(&[])]).await;
    assert_eq!(kind(nothing), TicketErrorKind::Unavailable);
}

#[tokio::test]
async fn the_error_of_a_store_is_its_source() {
    let bench = Bench::new();
    bench.store.set_down(true);
    let error = bench.broker.open(vec![draft(&["a"])]).await.unwrap_err();
    assert_eq!(error.kind(), TicketErrorKind::Store);
    let source = std::error::Error::source(&error).unwrap();
    assert_eq!(source.to_string(), "the disk is full");
}
