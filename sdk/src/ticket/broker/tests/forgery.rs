use serde_json::{Value, json};

use super::*;
use crate::ticket::Answers;

/// Every value in a JSON document by its pointer.
fn places(value: &Value, at: &str, places: &mut Vec<String>) {
    places.push(at.to_owned());
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                self::places(member, &format!("{at}/{name}"), places);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                self::places(item, &format!("{at}/{index}"), places);
            }
        }
        _ => {}
    }
}

fn others(value: &Value) -> Vec<Value> {
    let mut others = vec![json!(null), json!("other"), json!([]), json!({})];
    match value {
        Value::String(text) => {
            others.push(json!(format!("{text}x")));
            // A value of the same form, for ids and digests.
            let turned = text.chars().map(|c| if c == '0' { '1' } else { '0' });
            others.push(json!(turned.collect::<String>()));
        }
        Value::Number(_) => others.extend([json!(0), json!(7), json!(u64::MAX)]),
        _ => {}
    }
    for variant in ["sign_in", "question", "answer_is_result"] {
        others.push(json!(variant));
    }
    others
}

#[tokio::test]
async fn no_claim_of_a_ticket_can_be_changed() {
    let bench = Bench::new();
    let ticket = bench.open(&["a", "b"]).await;
    let sound = serde_json::to_value(&*ticket).unwrap();
    let mut all = Vec::new();
    places(&sound, "", &mut all);
    assert!(all.len() > 20, "{all:?}");
    let mut tried = 0;
    for place in all {
        for other in others(sound.pointer(&place).unwrap()) {
            let mut forged = sound.clone();
            *forged.pointer_mut(&place).unwrap() = other;
            let Ok(forged) = serde_json::from_value::<Ticket>(forged) else {
                continue;
            };
            if forged == *ticket {
                continue;
            }
            tried += 1;
            // Whatever it says of its times, telling them harms nobody.
            let _ = (forged.created_at(), forged.expires_at(), forged.summary());
            assert_eq!(
                kind(bench.claim(&forged).await),
                TicketErrorKind::Forged,
                "{place}"
            );
        }
    }
    assert!(tried > 20, "{tried}");
}

#[tokio::test]
async fn no_byte_of_a_ticket_can_be_changed() {
    let bench = Bench::new();
    let ticket = bench.open(&["a"]).await;
    let sound = serde_json::to_string(&*ticket).unwrap();
    for position in 0..sound.len() {
        for byte in *b"0a\"}7Z-" {
            let mut bytes = sound.clone().into_bytes();
            bytes[position] = byte;
            let Ok(forged) = serde_json::from_slice::<Ticket>(&bytes) else {
                continue;
            };
            if forged != *ticket {
                assert_eq!(kind(bench.claim(&forged).await), TicketErrorKind::Forged);
            }
        }
    }
}

#[tokio::test]
async fn trap_the_order_of_a_map_does_not_count_in_a_digest() {
    let bench = Bench::new();
    let ticket = bench.open(&["a"]).await;
    let json = serde_json::to_value(&*ticket).unwrap();
    let members: Vec<String> = json["claims"]
        .as_object()
        .unwrap()
        .iter()
        .rev()
        .map(|(name, value)| format!("{name:?}:{value}"))
        .collect();
    let turned = format!(
        r#"{{"signature":{},"claims":{{{}}}}}"#,
        json["signature"],
        members.join(",")
    );
    let turned: Ticket = serde_json::from_str(&turned).unwrap();
    assert!(matches!(
        bench.claim(&turned).await,
        Ok(Claim::Waits { .. })
    ));
}

#[tokio::test]
async fn a_ticket_of_another_key_is_forged() {
    let here = Bench::new();
    let there = Bench::on(here.store.clone(), key(2));
    let ticket = here.open(&["a"]).await;
    let forged = TicketErrorKind::Forged;
    assert_eq!(kind(there.claim(&ticket).await), forged);
    assert_eq!(kind(there.broker.get(ticket.id()).await), forged);
    assert_eq!(
        kind(there.broker.answer(ticket.id(), Answer::yes()).await),
        forged
    );
    assert_eq!(kind(there.broker.settled(ticket.id()).await), forged);
    assert!(
        there
            .broker
            .list(&TicketFilter::all())
            .await
            .unwrap()
            .is_empty()
    );
}

#[tokio::test]
async fn what_is_kept_for_another_ticket_is_a_swapped_call() {
    let bench = Bench::new();
    let harmless = bench.open(&["a"]).await;
    let other = bench.open(&["b"]).await;
    bench
        .broker
        .answer(harmless.id(), Answer::yes())
        .await
        .unwrap();
    let row = bench.store.inner.get(other.id()).await.unwrap().unwrap();
    bench
        .store
        .twist(move |kept| kept.stored = row.stored.clone());
    assert_eq!(
        kind(bench.claim(&harmless).await),
        TicketErrorKind::SwappedCall
    );
    assert_eq!(
        kind(bench.broker.get(harmless.id()).await),
        TicketErrorKind::SwappedCall
    );
}

#[tokio::test]
async fn changed_arguments_and_any_other_change_of_the_call_are_seen() {
    let bench = Bench::new();
    let ticket = bench.open(&["a"]).await;
    bench
        .broker
        .answer(ticket.id(), Answer::yes())
        .await
        .unwrap();
    // Spaces count: what was asked about is the very text.
    for arguments in [r#"{"size":1.5, "token": "hunter2"}"#, "{}", ""] {
        bench
            .store
            .twist(move |kept| kept.stored.call.arguments = arguments.to_owned());
        let changed = TicketErrorKind::ChangedArguments;
        assert_eq!(kind(bench.claim(&ticket).await), changed);
        assert_eq!(kind(bench.broker.get(ticket.id()).await), changed);
    }
    bench.store.twist(|kept| kept.stored.call.edited = true);
    assert_eq!(
        kind(bench.claim(&ticket).await),
        TicketErrorKind::SwappedCall
    );
    bench.store.twist(|kept| {
        let metadata = json!({"user": "root"});
        kept.stored.call.metadata = metadata.as_object().cloned();
    });
    assert_eq!(
        kind(bench.claim(&ticket).await),
        TicketErrorKind::SwappedCall
    );
}

/// Puts an answer into every row, at a request, and sees that nobody takes it for one.
async fn counts_for_nothing(bench: &Bench, ticket: &Ticket, request: usize, answer: SealedAnswer) {
    bench.store.twist(move |kept| {
        kept.answers
            .resize(kept.answers.len().max(request + 1), None);
        kept.answers[request] = Some(answer.clone());
    });
    let mut heard = bench.broker.subscribe();
    let pending = bench.broker.get(ticket.id()).await.unwrap();
    assert_eq!(pending.left(), [0, 1]);
    let [
        TicketEvent::Ignored {
            ticket: of, error, ..
        },
    ] = &events(&mut heard)[..]
    else {
        panic!("it is reported");
    };
    assert_eq!(of, &Some(ticket.id()));
    assert_eq!(error.kind(), TicketErrorKind::Forged);
    assert!(matches!(bench.claim(ticket).await, Ok(Claim::Waits { .. })));
}

#[tokio::test]
async fn an_answer_that_was_not_given_here_counts_for_nothing() {
    let bench = Bench::new();
    let ticket = bench.open(&["a", "b"]).await;
    let other = bench.open(&["a", "b"]).await;
    let elsewhere = bench.open_draft(draft_in("other", &["a", "b"])).await;
    let seal =
        |ticket: &Ticket, request| key(1).seal_answer(ticket, request, Answer::yes()).unwrap();

    counts_for_nothing(&bench, &ticket, 0, seal(&other, 0)).await;
    counts_for_nothing(&bench, &ticket, 0, seal(&elsewhere, 0)).await;
    counts_for_nothing(&bench, &ticket, 0, seal(&ticket, 1)).await;
    counts_for_nothing(&bench, &ticket, 2, seal(&ticket, 2)).await;
    let strange = key(2).seal_answer(&ticket, 0, Answer::yes()).unwrap();
    counts_for_nothing(&bench, &ticket, 0, strange).await;
    let mut turned = key(1).seal_answer(&ticket, 0, Answer::no()).unwrap();
    turned.answer = Answer::yes();
    counts_for_nothing(&bench, &ticket, 0, turned).await;
    let mut because = seal(&ticket, 0);
    because.answer = because.answer.because("I say so");
    counts_for_nothing(&bench, &ticket, 0, because).await;
}

#[tokio::test]
async fn a_forged_answer_in_the_way_is_called_that() {
    let bench = Bench::new();
    let ticket = bench.open(&["a"]).await;
    let strange = key(2).seal_answer(&ticket, 0, Answer::yes()).unwrap();
    bench
        .store
        .inner
        .answer(ticket.id(), 0, &strange)
        .await
        .unwrap();
    let kept = bench
        .broker
        .answer(ticket.id(), Answers::from(Answer::no()))
        .await;
    assert_eq!(kind(kept), TicketErrorKind::Forged);
    // Cancelling is all that is left.
    bench.broker.cancel(ticket.id()).await.unwrap();
}

#[tokio::test]
async fn a_row_that_does_not_verify_is_not_listed_and_can_be_cancelled() {
    let bench = Bench::new();
    let ticket = bench.open(&["a"]).await;
    bench.store.twist(|kept| kept.stored.call.arguments.clear());
    let mut heard = bench.broker.subscribe();
    assert!(
        bench
            .broker
            .list(&TicketFilter::all())
            .await
            .unwrap()
            .is_empty()
    );
    assert_eq!(names(&events(&mut heard)), ["ignored"]);
    bench.broker.cancel(ticket.id()).await.unwrap();
    let row = bench.store.inner.get(ticket.id()).await.unwrap().unwrap();
    assert_eq!(row.closed, Some(CloseReason::Cancelled));
}
