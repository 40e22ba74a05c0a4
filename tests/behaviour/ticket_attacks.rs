//! What somebody may try with a ticket, or with a store of tickets, and what it comes to: a refusal
//! by its kind, and no call that runs.

mod store;

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use store::OpenStore;
use toolwright::{
    Answer, Answers, Effect, Executor, GrantLevel, GrantMatcher, MemoryTickets, Ticket,
    TicketErrorKind, TicketKey, ToolCall, ToolOutput, ToolRegistry, ToolSpec, Verdict, WaitMode,
};

use crate::support::{HandMade, judge};
use crate::waiting_support::{Host, Runs, interrupted, key};

const DEPLOY: &str = r#"{"place": "test"}"#;

fn host(store: &OpenStore) -> Host {
    Host::with(WaitMode::Suspending, |builder| {
        builder.ticket_store(store.clone()).ticket_key(key())
    })
}

/// Nobody gets further with the ticket, with answers or without, and nothing runs.
async fn refused(host: &Host, ticket: &Ticket, kind: TicketErrorKind) {
    for answers in [Answer::yes().into(), Answers::none()] {
        let error = host.session.resume(ticket, answers).await.unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
    }
    assert_eq!(host.runs.count(), 0);
}

/// As it was, the ticket is good: nothing of an attack is left.
async fn is_good(host: &Host, ticket: &Ticket) {
    let outcome = host.session.resume(ticket, Answer::yes()).await.unwrap();
    assert!(outcome.is_success(), "{outcome:?}");
    assert_eq!(host.runs.count(), 1);
}

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
    let interruption = host.suspended("deploy", arguments).await;
    let genuine = as_json(interruption.ticket());
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
            if ticket == **interruption.ticket() {
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
    is_good(&host, interruption.ticket()).await;
}

#[tokio::test]
async fn a_ticket_with_something_added_or_left_out_is_forged() {
    let host = host(&OpenStore::default());
    let interruption = host.suspended("deploy", DEPLOY).await;
    let genuine = as_json(interruption.ticket());
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
    is_good(&host, interruption.ticket()).await;
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
        builder.ticket_store(store.clone()).ticket_key(other)
    });
    let interruption = elsewhere.suspended("deploy", DEPLOY).await;
    refused(&here, interruption.ticket(), TicketErrorKind::Forged).await;
    // By its id alone it is no better.
    let answered = here
        .tickets()
        .answer(interruption.id(), Answer::yes())
        .await;
    assert_eq!(answered.unwrap_err().kind(), TicketErrorKind::Forged);
    is_good(&elsewhere, interruption.ticket()).await;
}

#[tokio::test]
async fn a_ticket_is_good_once() {
    let host = host(&OpenStore::default());
    for answer in [Answer::yes(), Answer::no()] {
        let before = host.runs.count();
        let interruption = host.suspended("deploy", DEPLOY).await;
        let ticket = interruption.ticket();
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
        let interruption = host.suspended("deploy", DEPLOY).await;
        if !bring_answers {
            let answered = host
                .tickets()
                .answer(interruption.id(), Answer::yes())
                .await;
            assert!(answered.unwrap().is_settled());
        }
        let barrier = Arc::new(tokio::sync::Barrier::new(50));
        let mut resuming = tokio::task::JoinSet::new();
        for _ in 0..50 {
            let (session, barrier) = (host.executor.session("s-1"), Arc::clone(&barrier));
            let ticket = Arc::clone(interruption.ticket());
            resuming.spawn(async move {
                barrier.wait().await;
                let answers = match bring_answers {
                    true => Answers::all(Answer::yes()),
                    false => Answers::none(),
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
    let interruption = host.suspended("deploy", DEPLOY).await;
    for (how, kind) in [
        ("used", TicketErrorKind::Used),
        ("cancelled", TicketErrorKind::Cancelled),
        ("session_ended", TicketErrorKind::Cancelled),
        ("expired", TicketErrorKind::Expired),
    ] {
        let mut row = store.row(interruption.id()).await;
        row["closed"] = json!(how);
        assert!(store.rewrite(interruption.id(), &row));
        refused(&host, interruption.ticket(), kind).await;
    }
}

#[tokio::test]
async fn an_expired_ticket_is_refused() {
    let host = Host::with(WaitMode::Suspending, |builder| {
        builder.ticket_lifetime(Duration::ZERO)
    });
    let interruption = host.suspended("deploy", DEPLOY).await;
    refused(&host, interruption.ticket(), TicketErrorKind::Expired).await;
    assert!(host.open().await.is_empty());
}

#[tokio::test]
async fn a_ticket_of_another_session_is_refused() {
    let host = host(&OpenStore::default());
    let interruption = host.suspended("deploy", DEPLOY).await;
    let ticket = interruption.ticket();
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

#[tokio::test]
async fn the_row_of_another_ticket_is_a_swapped_call() {
    let store = OpenStore::default();
    let host = host(&store);
    let harmless = host.suspended("deploy", DEPLOY).await;
    let harmful = host.suspended("deploy", r#"{"place": "production"}"#).await;
    let row = store.row(harmful.id()).await;
    assert!(store.rewrite(harmless.id(), &row));
    refused(&host, harmless.ticket(), TicketErrorKind::SwappedCall).await;
    store.restore();
    is_good(&host, harmless.ticket()).await;
}

#[tokio::test]
async fn the_call_of_another_ticket_is_not_that_of_this_one() {
    let store = OpenStore::default();
    let host = host(&store);
    let one = host.suspended("deploy", DEPLOY).await;
    let other = host.suspended("deploy", r#"{"place": "production"}"#).await;
    // The same arguments, of a call that is not this one all the same.
    let by = json!({"user": "root"}).as_object().unwrap().clone();
    let call = ToolCall::new("deploy", DEPLOY).with_metadata(by);
    let alike = interrupted(host.session.call(call).await);
    for (from, kind) in [
        (&other, TicketErrorKind::ChangedArguments),
        (&alike, TicketErrorKind::SwappedCall),
    ] {
        let mut row = store.row(one.id()).await;
        row["stored"]["call"] = store.row(from.id()).await["stored"]["call"].clone();
        assert!(store.rewrite(one.id(), &row));
        refused(&host, one.ticket(), kind).await;
    }
    store.restore();
    is_good(&host, one.ticket()).await;
}

#[tokio::test]
async fn changed_arguments_are_seen() {
    let store = OpenStore::default();
    let host = host(&store);
    let interruption = host.suspended("deploy", DEPLOY).await;
    let id = interruption.id();
    for arguments in [
        r#"{"place": "production"}"#,
        r#"{ "place": "test" }"#,
        "",
        "{}",
    ] {
        let mut row = store.row(id).await;
        assert_eq!(row["stored"]["call"]["arguments"], DEPLOY);
        row["stored"]["call"]["arguments"] = json!(arguments);
        assert!(store.rewrite(id, &row));
        refused(
            &host,
            interruption.ticket(),
            TicketErrorKind::ChangedArguments,
        )
        .await;
    }
    // What else is kept of the call is no less bound.
    for (name, value) in [
        ("metadata", json!({"user": "root"})),
        ("edited", json!(true)),
        ("begun", json!(true)),
    ] {
        let mut row = store.row(id).await;
        row["stored"]["call"][name] = value;
        assert!(store.rewrite(id, &row));
        refused(&host, interruption.ticket(), TicketErrorKind::SwappedCall).await;
    }
    store.restore();
    is_good(&host, interruption.ticket()).await;
}

/// An executor with one tool that asks, or with none.
fn process(
    store: &MemoryTickets,
    runs: &Arc<Runs>,
    tool: Option<impl FnOnce(ToolSpec) -> ToolSpec>,
) -> Executor {
    let runs = Arc::clone(runs);
    let change = tool.map(|change| {
        let run = move |_: &_, _: &_| {
            runs.add();
            Ok(ToolOutput::text("ran"))
        };
        HandMade::new("launch").spec(change).run(run)
    });
    let mut tools = ToolRegistry::new().with(HandMade::new("another"));
    if let Some(tool) = change {
        tools = tools.with(tool);
    }
    Executor::builder(tools)
        .permissions(judge(|_| Verdict::ask("it flies"), |_, _| Verdict::Allow))
        .waiting(WaitMode::Suspending)
        .ticket_store(store.clone())
        .ticket_key(key())
        .build()
        .unwrap()
}

#[tokio::test]
async fn a_tool_that_has_changed_or_is_gone_does_not_run() {
    type Change = fn(ToolSpec) -> ToolSpec;
    let (store, runs) = (MemoryTickets::new(), Arc::new(Runs::default()));
    let same: Change = |spec| spec;
    let before = process(&store, &runs, Some(same));
    let session = before.session("s-1");
    let call = ToolCall::new("launch", r#"{"at": "noon"}"#);
    let interruption = interrupted(session.call(call).await);
    let ticket = interruption.ticket();
    let described: Change = |spec| {
        let name = spec.name().clone();
        ToolSpec::new(name, "Launch at once.").with_effect(Effect::Pure)
    };
    let schema: Change = |spec| {
        let schema = json!({"type": "object", "properties": {"at": {}}});
        spec.with_input_schema(schema.try_into().unwrap())
    };
    let effect: Change = |spec| spec.with_effect(Effect::AtMostOnce);
    let version: Change = |spec| spec.with_version("2");
    let changes = [
        Some(described),
        Some(schema),
        Some(effect),
        Some(version),
        None,
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let after = process(&store, &runs, change);
        let session = after.session("s-1");
        for answers in [Answer::yes().into(), Answers::none()] {
            let error = session.resume(ticket, answers).await.unwrap_err();
            assert_eq!(
                error.kind(),
                TicketErrorKind::ChangedTool,
                "{number}: {error}"
            );
            assert!(error.to_string().contains("`launch`"));
        }
        assert_eq!(runs.count(), 0);
    }
    let same = process(&store, &runs, Some(same));
    let outcome = same.session("s-1").resume(ticket, Answer::yes()).await;
    assert_eq!(outcome.unwrap().text(), "ran");
    assert_eq!(runs.count(), 1);
}

#[tokio::test]
async fn an_answer_moved_to_another_place_counts_for_nothing() {
    let store = OpenStore::default();
    let host = host(&store);
    let both = r#"{"places": ["here", "there"]}"#;
    let given = host.suspended("deploy_all", both).await;
    let waits = host.suspended("deploy_all", both).await;
    let one = Answers::none().with(0, Answer::yes());
    host.tickets().answer(given.id(), one).await.unwrap();
    let yes = store.row(given.id()).await["answers"][0].clone();
    assert!(yes.is_object());
    let mut changed = yes.clone();
    changed["answer"]["decision"] = json!({"edited": {"places": ["production"]}});

    // To another ticket.
    let mut row = store.row(waits.id()).await;
    row["answers"] = json!([yes, yes]);
    assert!(store.rewrite(waits.id(), &row));
    // To another request of its own, and with another content.
    for answers in [
        json!([yes, yes]),
        json!([changed, null]),
        json!([null, yes]),
    ] {
        let mut row = store.row(given.id()).await;
        row["answers"] = answers;
        assert!(store.rewrite(given.id(), &row));
        for interruption in [&given, &waits] {
            let ticket = interruption.ticket();
            let outcome = host.session.resume(ticket, Answers::none()).await.unwrap();
            interrupted(outcome);
        }
        assert_eq!(host.runs.count(), 0);
    }
}

#[tokio::test]
async fn a_grant_that_was_not_given_here_counts_for_nothing() {
    let store = OpenStore::default();
    let host = host(&store);
    let permissions = host.executor.permissions();
    for level in [GrantLevel::Allow, GrantLevel::Deny] {
        let covers = GrantMatcher::target("deploy", format!("{level:?}"));
        permissions.grant("s-2", covers).level(level).await.unwrap();
    }
    let written = store.grants_of("s-2").await;
    let allow = written[0].clone();
    assert_eq!(allow["grant"]["level"], "allow");
    // As it is, in another session; for that session; for more; the other way round.
    let mut session = allow.clone();
    session["grant"]["session"] = json!("s-1");
    let mut wider = session.clone();
    wider["grant"]["covers"] = json!({"type": "tool", "tool": "deploy"});
    let mut turned = written[1].clone();
    turned["grant"]["level"] = json!("allow");
    turned["grant"]["session"] = json!("s-1");
    for grant in [&allow, &session, &wider, &turned] {
        store.write_grant("s-1", grant);
    }
    let fresh = Host::with(WaitMode::Suspending, |builder| {
        builder.ticket_store(store.clone()).ticket_key(key())
    });
    for host in [&host, &fresh] {
        for place in ["Allow", "Deny", "test"] {
            let arguments = json!({ "place": place }).to_string();
            host.suspended("deploy", &arguments).await;
        }
        assert_eq!(host.runs.count(), 0);
        assert!(
            host.executor
                .permissions()
                .list("s-1")
                .await
                .unwrap()
                .is_empty()
        );
    }
}
