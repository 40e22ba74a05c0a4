//! Whoever waits for a change is woken.

use std::sync::Arc;
use std::time::Duration;

use super::{Works, at_once, both, sample};
use crate::id::TicketId;
use crate::ticket::{CloseReason, TicketStore};

/// For a store that looks again from time to time, too.
const LONG: Duration = Duration::from_secs(30);
const ROUNDS: usize = 50;

pub(super) async fn check<S: TicketStore>(store: Arc<S>) {
    seen(&*store, sample::nobody(), 0, "that is not there").await;

    let ticket = sample::ticket("s").make();
    let id = ticket.ticket().id();
    store.put(&ticket).await.works("put");
    let change = async |request: usize| {
        let answer = sample::answer(&ticket, request, 1);
        let answered = store.answer(id, request, &answer).await;
        answered.works("answer");
    };
    both(
        seen(&*store, id, 0, "that is answered meanwhile"),
        change(2),
    )
    .await;
    seen(&*store, id, 0, "that has the answer already").await;
    both(seen(&*store, id, 1, "that gets a second answer"), change(0)).await;
    let close = async { store.close(id, CloseReason::Cancelled).await.works("close") };
    both(seen(&*store, id, 2, "that is closed meanwhile"), close).await;
    seen(&*store, id, 2, "that is closed already").await;

    let forgotten = sample::ticket("s").make();
    store.put(&forgotten).await.works("put");
    let forget = async {
        let session = "s".into();
        let forgotten = store.forget_session(&session).await;
        forgotten.works("forget_session");
    };
    let what = "whose session is forgotten meanwhile";
    both(seen(&*store, forgotten.ticket().id(), 0, what), forget).await;

    crowd(&store).await;
}

/// Several wait for each ticket, while it is answered at just that time.
async fn crowd<S: TicketStore>(store: &Arc<S>) {
    let rounds = at_once(ROUNDS, |_| {
        let store = Arc::clone(store);
        async move {
            let ticket = sample::ticket("crowd").make();
            let id = ticket.ticket().id();
            store.put(&ticket).await.works("put");
            let watchers = at_once(4, |number| {
                let (store, ticket) = (Arc::clone(&store), ticket.clone());
                async move {
                    if number == 3 {
                        let answer = sample::answer(&ticket, 0, 1);
                        let answered = store.answer(id, 0, &answer).await;
                        answered.works("answer");
                    }
                    seen(&*store, id, 0, "that is answered at that time").await;
                }
            });
            watchers.await;
        }
    });
    rounds.await;
}

/// Waits until there is something to see of a ticket.
pub(super) async fn seen(store: &impl TicketStore, id: TicketId, answers: usize, what: &str) {
    let watch = async {
        loop {
            store.changed(id, answers).await.works("changed");
            let Some(kept) = store.get(id).await.works("get") else {
                return;
            };
            if kept.closed.is_some() || kept.answered() > answers {
                return;
            }
            // The store may return early, and then other tasks have to get their turn.
            tokio::task::yield_now().await;
        }
    };
    let woken = tokio::time::timeout(LONG, watch).await;
    assert!(
        woken.is_ok(),
        "`changed` did not come back within {LONG:?} for a ticket {what}"
    );
}
