//! The published contracts of the ports.

use std::sync::Mutex;

use toolwright::testing;

use crate::support::Place;

/// Schemas that are removed at the end.
#[derive(Default)]
struct Places(Mutex<Vec<Place>>);

impl Places {
    fn another(&self) -> Place {
        let place = Place::new().unwrap();
        self.0.lock().unwrap().push(place.clone());
        place
    }

    async fn remove(self) {
        for place in self.0.into_inner().unwrap() {
            place.remove().await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn tickets_keep_to_the_contract() {
    let Some(place) = Place::new() else { return };
    let places = Places::default();
    testing::ticket_store_contract(async || places.another().open().await.tickets()).await;
    // Each with a pool of its own.
    testing::durable_ticket_store_contract(async || place.open().await.tickets()).await;
    place.remove().await;
    places.remove().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn tickets_of_a_replica_keep_to_the_contract() {
    let Some(_) = crate::support::url() else {
        return;
    };
    let places = Places::default();
    testing::ticket_store_contract(async || {
        let store = places.another().open().await;
        store.replica("one").await.unwrap().tickets()
    })
    .await;
    places.remove().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn results_states_and_contents_keep_to_the_contract() {
    let Some(place) = Place::new() else { return };
    let places = Places::default();
    testing::result_store_contract(async || places.another().open().await.results()).await;
    testing::state_store_contract(async || place.open().await.states()).await;
    toolwright_journal::testing::content_store_contract(async || {
        places.another().open().await.contents()
    })
    .await;
    place.remove().await;
    places.remove().await;
}

#[test]
fn logs_keep_to_the_contract() {
    let Some(place) = Place::new() else { return };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    let store = runtime.block_on(place.open());
    let number = std::cell::Cell::new(0);
    toolwright_journal::testing::journal_log_contract(|| {
        number.set(number.get() + 1);
        runtime
            .block_on(store.log(&format!("log {}", number.get())))
            .unwrap()
    });
    toolwright_journal::testing::durable_journal_log_contract(|| {
        let store = runtime.block_on(place.open());
        runtime.block_on(store.log("durable \0 \u{1f980}")).unwrap()
    });
    runtime.block_on(place.remove());
}
