//! Sessions do not touch each other, whatever their ids.

use std::sync::Arc;

use super::{Works, at_once, same, sample};
use crate::id::{SessionId, TicketId};
use crate::ticket::{CloseReason, StoredTicket, TicketFilter, TicketStore};

/// Any text is an id: what stands for something in a path, a pattern or a statement, what differs
/// in letters that some take for the same, and what is long.
fn strange_ids() -> Vec<SessionId> {
    let mut ids: Vec<SessionId> = [
        "",
        " ",
        ".",
        "..",
        "../..",
        "/",
        "/etc/passwd",
        "a",
        "A",
        "a/",
        "a/b",
        "a\\b",
        "a:b",
        "a.",
        "a ",
        "CON",
        "~",
        "*",
        "?",
        "%",
        "%2e%2e",
        "_",
        "'; DROP TABLE tickets; --",
        "\"",
        "$HOME",
        "\n",
        "\0",
        "é",
        "e\u{301}",
        "ß",
        "ss",
        "\u{1f600}",
        "\u{202e}abc",
        "null",
    ]
    .into_iter()
    .map(SessionId::from)
    .collect();
    let long = "x".repeat(10_000);
    ids.extend([format!("{long}a"), format!("{long}b"), long].map(SessionId::from));
    ids
}

pub(super) async fn check(store: &impl TicketStore) {
    let ids = strange_ids();
    let mut tickets = Vec::new();
    for (number, id) in (0..).zip(&ids) {
        let ticket = sample::ticket(id.clone()).make();
        store.put(&ticket).await.works("put");
        let grant = sample::grant(id.clone(), number);
        store.put_grant(&grant).await.works("put_grant");
        tickets.push(ticket);
    }
    for (number, (id, ticket)) in (0..).zip(ids.iter().zip(&tickets)) {
        has_just(store, id, ticket, number).await;
    }
    // The sessions end one after the other, so that each time the rest is still there.
    for (number, (id, ticket)) in ids.iter().zip(&tickets).enumerate() {
        store.forget_session(id).await.works("forget_session");
        is_forgotten(store, id, ticket).await;
        if let Some((next, number)) = ids.get(number + 1).zip(u32::try_from(number + 1).ok()) {
            has_just(store, next, &tickets[number as usize], number).await;
        }
    }
    let left = store.list(&TicketFilter::all()).await.works("list");
    assert!(left.is_empty(), "`forget_session` left tickets behind");
    again(store).await;
}

async fn has_just(store: &impl TicketStore, id: &SessionId, ticket: &StoredTicket, number: u32) {
    let what = short(id);
    let listed = store.list(&TicketFilter::session(id.clone())).await;
    let listed: Vec<TicketId> = listed
        .works("list")
        .iter()
        .map(|kept| kept.stored.ticket().id())
        .collect();
    let otherwise = format!("the session {what} does not have just its own ticket");
    same(listed, vec![ticket.ticket().id()], &otherwise);
    let grants = store.grants(id).await.works("grants");
    let otherwise = format!("the session {what} does not have just its own grant");
    same(grants, vec![sample::grant(id.clone(), number)], &otherwise);
}

async fn is_forgotten(store: &impl TicketStore, id: &SessionId, ticket: &StoredTicket) {
    let what = short(id);
    let kept = store.get(ticket.ticket().id()).await.works("get");
    let otherwise = format!("the session {what} was forgotten, and its ticket is still there");
    same(kept, None, &otherwise);
    let listed = store.list(&TicketFilter::session(id.clone())).await;
    assert!(listed.works("list").is_empty(), "{otherwise}");
    let grants = store.grants(id).await.works("grants");
    let otherwise = format!("the session {what} was forgotten, and its grant is still there");
    same(grants, Vec::new(), &otherwise);
}

/// A session that was forgotten may begin anew, and one that has nothing may be forgotten.
async fn again(store: &impl TicketStore) {
    let id = SessionId::new("again");
    for _ in 0..2 {
        store.forget_session(&id).await.works("forget_session");
        let open = sample::ticket(id.clone()).make();
        let closed = sample::ticket(id.clone()).make();
        for ticket in [&open, &closed] {
            store.put(ticket).await.works("put");
        }
        let close = store.close(closed.ticket().id(), CloseReason::Used).await;
        close.works("close");
        store
            .put_grant(&sample::grant(id.clone(), 1))
            .await
            .works("put_grant");
        has_just(store, &id, &open, 1).await;
        store.forget_session(&id).await.works("forget_session");
        is_forgotten(store, &id, &open).await;
        is_forgotten(store, &id, &closed).await;
    }
}

/// Many sessions at once; nothing of them is lost.
pub(super) async fn check_crowd<S: TicketStore>(store: Arc<S>) {
    let done = at_once(16, |number| {
        let store = Arc::clone(&store);
        async move {
            let session = SessionId::from(format!("crowd/{number}"));
            let mut open = Vec::new();
            for count in 0..10 {
                let ticket = sample::ticket(session.clone()).make();
                store.put(&ticket).await.works("put");
                let answer = sample::answer(&ticket, 0, count);
                let id = ticket.ticket().id();
                store.answer(id, 0, &answer).await.works("answer");
                if count % 2 == 0 {
                    store.close(id, CloseReason::Used).await.works("close");
                } else {
                    open.push((id, Some(answer)));
                }
            }
            open.sort_unstable_by_key(|(id, _)| *id);
            (session, open)
        }
    });
    for (session, expected) in done.await {
        let listed = store
            .list(&TicketFilter::session(session))
            .await
            .works("list");
        let mut found: Vec<_> = listed
            .into_iter()
            .map(|kept| {
                let answer = kept.answers.into_iter().next().flatten();
                (kept.stored.ticket().id(), answer)
            })
            .collect();
        found.sort_unstable_by_key(|(id, _)| *id);
        same(
            found,
            expected,
            "of sessions at once some have lost something",
        );
    }
}

/// As much of an id as helps.
fn short(id: &SessionId) -> String {
    let text: String = id.as_str().chars().take(20).collect();
    format!("{text:?} of {} bytes", id.as_str().len())
}
