//! Tickets that were not signed as they are.

use serde_json::{Value, json};
use toolwright::executor::{Approvals, WaitMode};
use toolwright::ticket::{Answer, Ticket, TicketErrorKind, TicketKey};

use super::store::OpenStore;
use super::{DEPLOY, host, is_good, refused};
use crate::waiting_support::Host;

fn as_json(ticket: &Ticket) -> Value {
    serde_json::to_value(ticket).unwrap()
}

/// The places of all values that have no parts.
fn leaves(value: &Value, at: String, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                leaves(member, format!("{at}/{name}"), found);
            }
        }
        Value::Array(items) => {
            for (number, item) in items.iter().enumerate() {
                leaves(item, format!("{at}/{number}"), found);
            }
        }
        _ => found.push(at),
    }
}

/// Values of the same kind: where the first is no value of the place, another may be.
fn others(value: &Value) -> Vec<Value> {
    match value {
        Value::String(text) => {
            let mut turned: Vec<char> = text.chars().collect();
            if let Some(last) = turned.last_mut() {
                *last = if *last == '0' { '1' } else { '0' };
            }
            let turned: String = turned.into_iter().collect();
            let known = [
                "run_again",
                "answer_is_result",
                "approval",
                "question",
                "allow",
                "deny",
            ];
            let mut others = vec![json!(turned), json!(format!("{text}x"))];
            others.extend(
                known
                    .into_iter()
                    .filter(|known| known != text)
                    .map(Value::from),
            );
            others
        }
        Value::Number(number) => vec![json!(number.as_u64().unwrap_or_default() + 1), json!(0)],
        Value::Bool(is) => vec![json!(!is)],
        _ => vec![json!(1)],
    }
}

#[tokio::test]
async fn a_ticket_with_anything_changed_is_forged() {
    let host = host(&OpenStore::default());
    let arguments = r#"{"place": "test", "token": "t-1"}"#;
    let suspension = host.suspended("deploy", arguments).await;
    let genuine = as_json(suspension.ticket());
    let mut places = Vec::new();
    leaves(&genuine, String::new(), &mut places);
    assert!(places.len() > 15, "{places:?}");
    let mut tried = 0;
    for place in &places {
        let before = genuine.pointer(place).unwrap().clone();
        let mut read_as_ticket = 0;
        for other in others(&before) {
            let mut changed = genuine.clone();
            *changed.pointer_mut(place).unwrap() = other;
            let Ok(ticket) = serde_json::from_value::<Ticket>(changed) else {
                continue;
            };
            if ticket == **suspension.ticket() {
                continue;
            }
            read_as_ticket += 1;
            refused(&host, &ticket, TicketErrorKind::Forged).await;
        }
        // A matcher of another type has other members.
        let is_type = place.ends_with("/type");
        assert!(
            read_as_ticket > 0 || is_type,
            "nothing was tried at {place}"
        );
        tried += read_as_ticket;
    }
    assert!(tried > places.len());
    is_good(&host, suspension.ticket()).await;
}

#[tokio::test]
async fn a_ticket_with_something_added_or_left_out_is_forged() {
    let host = host(&OpenStore::default());
    let suspension = host.suspended("deploy", DEPLOY).await;
    let genuine = as_json(suspension.ticket());
    let mut more = genuine.clone();
    let requests = more["claims"]["requests"].as_array_mut().unwrap();
    requests.push(requests[0].clone());
    let mut fewer = genuine.clone();
    fewer["claims"]["requests"] = json!([]);
    let mut purpose = genuine.clone();
    purpose["claims"]["call"]["purpose"] = json!("the boss said so");
    let mut nameless = genuine.clone();
    let removed = nameless["claims"]["call"]
        .as_object_mut()
        .unwrap()
        .remove("arguments");
    assert!(removed.is_some());
    for changed in [more, fewer, purpose, nameless] {
        let ticket: Ticket = serde_json::from_value(changed).unwrap();
        refused(&host, &ticket, TicketErrorKind::Forged).await;
    }
    is_good(&host, suspension.ticket()).await;
}

#[tokio::test]
async fn the_signature_of_another_ticket_is_none_of_this_one() {
    let host = host(&OpenStore::default());
    let one = host.suspended("deploy", DEPLOY).await;
    let other = host.suspended("deploy", DEPLOY).await;
    let mut mixed = as_json(one.ticket());
    mixed["signature"] = as_json(other.ticket())["signature"].clone();
    let ticket: Ticket = serde_json::from_value(mixed).unwrap();
    refused(&host, &ticket, TicketErrorKind::Forged).await;
}

#[tokio::test]
async fn a_ticket_of_another_key_is_forged() {
    let store = OpenStore::default();
    let here = host(&store);
    let elsewhere = Host::with(WaitMode::Suspending, |builder| {
        let other = TicketKey::from_bytes([8; 32]);
        builder.approvals(
            Approvals::new()
                .ticket_store(store.clone())
                .ticket_key(other),
        )
    });
    let suspension = elsewhere.suspended("deploy", DEPLOY).await;
    refused(&here, suspension.ticket(), TicketErrorKind::Forged).await;
    // By its id alone it is no better.
    let answered = here.tickets().answer(suspension.id(), Answer::yes()).await;
    assert_eq!(answered.unwrap_err().kind(), TicketErrorKind::Forged);
    is_good(&elsewhere, suspension.ticket()).await;
}
