//! The contract of every [`StateStore`], as a test.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a test helper: what it finds it says by panicking"
)]

use std::sync::Arc;

use serde_json::{Map, Value, json};
use tokio::task::JoinSet;

use crate::id::SessionId;
use crate::state::{SaveOutcome, StateStore};

/// Checks that a store of states keeps to the contract of [`StateStore`]: a state is read as it was saved, a save from
/// another version changes nothing, of several at once one wins, and sessions, whatever their ids, do not touch each
/// other.
///
/// The closure opens one and the same place each time, which is empty at first: what one store saved another finds.
///
/// ```
/// use toolwright::state::MemoryStates;
/// use toolwright::testing;
///
/// # #[tokio::main(flavor = "multi_thread", worker_threads = 2)]
/// # async fn main() {
/// let place = MemoryStates::new();
/// testing::state_store_contract(async || place.clone()).await;
/// # }
/// ```
///
/// # Panics
///
/// Panics if the store does something else; the message says what.
pub async fn state_store_contract<S: StateStore>(open: impl AsyncFn() -> S) {
    keeps(&open).await;
    refuses_other_versions(&open().await).await;
    keeps_sessions_apart(&open().await).await;
    one_of_many_wins(&[Arc::new(open().await), Arc::new(open().await)]).await;
}

fn values(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(values) => values,
        other => panic!("a state is an object, not {other}"),
    }
}

async fn save(store: &impl StateStore, session: &SessionId, expected: u64, state: &Value) {
    let saved = store.save(session, expected, &values(state.clone())).await;
    assert_eq!(
        saved.expect("a state is saved"),
        SaveOutcome::Saved {
            version: expected + 1
        },
        "a save from the stored version is stored as the next one"
    );
}

async fn holds(store: &impl StateStore, session: &SessionId, version: u64, state: &Value) {
    let loaded = store.load(session).await.expect("a state is read");
    let loaded = loaded.expect("a state that was saved is there");
    assert_eq!(
        (loaded.version, Value::Object(loaded.values)),
        (version, state.clone()),
        "a state is read as it was saved"
    );
}

async fn keeps<S: StateStore>(open: &impl AsyncFn() -> S) {
    let session = SessionId::new("kept");
    let none = open().await.load(&session).await.expect("a state is read");
    assert_eq!(none, None, "what was not saved is not there");
    let states = [
        json!({}),
        json!({"text": "ä \u{1f600} \" \\ \n \u{7f} \u{0}", "float": 0.1, "whole": 1.0, "large": u64::MAX}),
        json!({"deep": [[[{}]]], "nothing": null, "": "no name", "long": "x".repeat(1 << 20)}),
    ];
    for (before, state) in (0..).zip(&states) {
        save(&open().await, &session, before, state).await;
        holds(&open().await, &session, before + 1, state).await;
    }
    let store = open().await;
    for _ in 0..2 {
        let forgotten = store.forget_session(&session).await;
        forgotten.expect("a session is forgotten, also one that is not there");
    }
    let gone = open().await.load(&session).await.expect("a state is read");
    assert_eq!(gone, None, "a session that was forgotten has no state");
    save(&store, &session, 0, &states[1]).await;
    holds(&open().await, &session, 1, &states[1]).await;
}

async fn refuses_other_versions(store: &impl StateStore) {
    let session = SessionId::new("versions");
    let refused = async |expected, stored| {
        let state = values(json!({"no": 1}));
        let saved = store.save(&session, expected, &state).await;
        assert_eq!(
            saved.expect("a conflict is no error"),
            SaveOutcome::Conflict { version: stored },
            "a save from another version than the stored one is refused"
        );
    };
    refused(1, 0).await;
    let none = store.load(&session).await.expect("a state is read");
    assert_eq!(none, None, "a conflict stores nothing");
    save(store, &session, 0, &json!({"round": 1})).await;
    save(store, &session, 1, &json!({"round": 2})).await;
    for expected in [0, 1, 3, u64::MAX] {
        refused(expected, 2).await;
    }
    holds(store, &session, 2, &json!({"round": 2})).await;
    save(store, &session, 2, &json!({"round": 3})).await;
    store
        .forget_session(&session)
        .await
        .expect("a session is forgotten");
    refused(3, 0).await;
}

async fn keeps_sessions_apart(store: &impl StateStore) {
    let long = "s".repeat(2_000);
    let ids = [
        "a", "A", "a/b", "..", "", " ", "%", "_", "a'b", "\u{0}", &long,
    ];
    for id in ids {
        save(store, &SessionId::new(id), 0, &json!({"id": id})).await;
    }
    store
        .forget_session(&SessionId::new("A"))
        .await
        .expect("a session is forgotten");
    for id in ids.into_iter().filter(|id| *id != "A") {
        holds(store, &SessionId::new(id), 1, &json!({"id": id})).await;
    }
}

async fn one_of_many_wins<S: StateStore>(two: &[Arc<S>; 2]) {
    let session = SessionId::new("race");
    for round in 0..20_u64 {
        let mut tasks = JoinSet::new();
        for number in 0..8 {
            let (store, session) = (Arc::clone(&two[number % 2]), session.clone());
            tasks.spawn(async move {
                let state = values(json!({"round": round, "by": number}));
                let saved = store.save(&session, round, &state).await;
                let saved = saved.expect("one of many is saved, and the others are told");
                matches!(saved, SaveOutcome::Saved { .. }).then_some(number)
            });
        }
        let won: Vec<usize> = tasks.join_all().await.into_iter().flatten().collect();
        assert_eq!(won.len(), 1, "of several that save at once one wins");
        let state = json!({"round": round, "by": won[0]});
        holds(&*two[0], &session, round + 1, &state).await;
        holds(&*two[1], &session, round + 1, &state).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::FolderStates;

    #[tokio::test(flavor = "multi_thread")]
    async fn a_folder_keeps_to_the_contract() {
        let folder = tempfile::tempdir().unwrap();
        state_store_contract(async || FolderStates::new(folder.path())).await;
        let unfinished = std::fs::read_dir(folder.path().join("unfinished")).unwrap();
        assert_eq!(unfinished.count(), 0, "nothing is left unfinished");
    }
}
