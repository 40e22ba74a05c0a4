//! The contract of every [`ResultStore`], as a test.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a test helper: what it finds it says by panicking"
)]

use crate::id::{InvocationId, SessionId};
use crate::results::{ResultPart, ResultStore};

/// Characters of one to four bytes: 10 bytes.
const MIXED: &str = "a\u{e9}\u{20ac}\u{1f980}";

/// Checks that a store of results keeps to the contract of [`ResultStore`]: what is put is read as it
/// was, from any place on, and sessions, whatever their ids, do not touch each other.
///
/// The closure gives a new, empty store each time, with room for 1 MiB of a session.
///
/// ```
/// use toolwright::testing;
/// use toolwright::results::MemoryResults;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// testing::result_store_contract(async || MemoryResults::new()).await;
/// # }
/// ```
///
/// # Panics
///
/// Panics if the store does something else; the message says what.
pub async fn result_store_contract<S: ResultStore>(make: impl AsyncFn() -> S) {
    parts(&make().await).await;
    replaced(&make().await).await;
    sessions(&make().await).await;
    large(&make().await).await;
}

fn call(number: u64) -> InvocationId {
    InvocationId::from_parts(u64::MAX, number)
}

async fn put(store: &impl ResultStore, session: &SessionId, number: u64, text: &str) {
    store
        .put(session, call(number), text)
        .await
        .expect("a text is kept");
}

async fn read(
    store: &impl ResultStore,
    session: &SessionId,
    number: u64,
    (offset, length): (u64, u64),
) -> Option<ResultPart> {
    store
        .read(session, call(number), offset, length)
        .await
        .expect("a text is read")
}

fn part(bytes: &[u8], total: usize) -> Option<ResultPart> {
    let bytes = bytes.to_vec();
    let total = u64::try_from(total).ok()?;
    Some(ResultPart { bytes, total })
}

/// Each part of a text is the bytes that stand there, in the middle of characters too.
async fn parts(store: &impl ResultStore) {
    let session = SessionId::from("s");
    let none = read(store, &session, 1, (0, 1)).await;
    assert_eq!(none, None, "what was not put is not there");
    put(store, &session, 1, MIXED).await;
    for from in 0..=MIXED.len() + 1 {
        for length in [0, 1, 2, 5, 10, 11] {
            let bytes = MIXED.as_bytes();
            let until = (from + length).min(bytes.len());
            let expected = bytes.get(from..until).unwrap_or_default();
            let offset = u64::try_from(from).unwrap_or_default();
            let found = read(store, &session, 1, (offset, length as u64)).await;
            assert_eq!(
                found,
                part(expected, bytes.len()),
                "{length} bytes from {from} on"
            );
        }
    }
    let far = read(store, &session, 1, (u64::MAX, u64::MAX)).await;
    assert_eq!(far, part(&[], MIXED.len()), "nothing is behind the end");
    let all = read(store, &session, 1, (0, u64::MAX)).await;
    assert_eq!(
        all,
        part(MIXED.as_bytes(), MIXED.len()),
        "all of it is read"
    );
    put(store, &session, 2, "").await;
    let empty = read(store, &session, 2, (0, 1)).await;
    assert_eq!(empty, part(&[], 0), "an empty text is there");
}

/// A second text of a call takes the place of the first.
async fn replaced(store: &impl ResultStore) {
    let session = SessionId::from("s");
    put(store, &session, 1, "the first, which is longer").await;
    put(store, &session, 1, "second").await;
    let found = read(store, &session, 1, (0, 100)).await;
    assert_eq!(found, part(b"second", 6), "the last text is there, whole");
}

/// Ids of sessions may be any text; no two are the same session.
async fn sessions(store: &impl ResultStore) {
    let long = "x".repeat(2000);
    let ids = [
        "", "a", "A", "a/b", "a/../a", "..", ".", "a\0b", "a\nb", " a", "\u{e9}", "e\u{301}",
        "a%2Fb", &long,
    ];
    let ids = ids.map(|id| SessionId::new(id.to_owned()));
    for (number, id) in ids.iter().enumerate() {
        put(store, id, 7, &number.to_string()).await;
    }
    for (number, id) in ids.iter().enumerate() {
        let text = number.to_string();
        let found = read(store, id, 7, (0, 100)).await;
        assert_eq!(
            found,
            part(text.as_bytes(), text.len()),
            "session {id:?} has its own"
        );
        let other = read(store, id, 8, (0, 100)).await;
        assert_eq!(other, None, "session {id:?} has one text");
    }
    for (number, id) in ids.iter().enumerate() {
        store.end_session(id).await.expect("a session ends");
        store
            .end_session(id)
            .await
            .expect("a session that has nothing ends");
        for (later, other) in ids.iter().enumerate() {
            let is_there = read(store, other, 7, (0, 1)).await.is_some();
            assert_eq!(
                is_there,
                later > number,
                "session {other:?} after the end of {id:?}"
            );
        }
    }
    let [first, ..] = &ids;
    put(store, first, 7, "again").await;
    let again = read(store, first, 7, (0, 100)).await;
    assert_eq!(again, part(b"again", 5), "a session begins anew");
}

/// A part of a large text.
async fn large(store: &impl ResultStore) {
    let session = SessionId::from("s");
    let text = MIXED.repeat(100_000);
    put(store, &session, 1, &text).await;
    let found = read(store, &session, 1, (999_990, 100)).await;
    assert_eq!(
        found,
        part(MIXED.as_bytes(), text.len()),
        "the end of a large text"
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::{FolderResults, MemoryResults};

    #[tokio::test]
    async fn memory_keeps_to_the_contract() {
        result_store_contract(async || MemoryResults::new()).await;
    }

    #[tokio::test]
    async fn a_folder_keeps_to_the_contract() {
        let folder = tempfile::tempdir().unwrap();
        let count = std::sync::atomic::AtomicU64::new(0);
        result_store_contract(async || {
            let number = count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            FolderResults::new(folder.path().join(number.to_string()))
        })
        .await;
    }
}
