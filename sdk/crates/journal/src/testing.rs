//! Contracts for authors of a [`JournalLog`] or a [`ContentStore`], as tests.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a test helper: what it finds it says by panicking"
)]

#[cfg(test)]
mod tests;

use std::sync::Barrier;
use std::thread;

use toolwright::content::ContentHash;

use crate::ContentStore;
use crate::log::{JournalLog, LogError, LogLine};

/// Checks that a log keeps to the contract of [`JournalLog`]: what is added is read as it was and in its
/// order, nothing is added after another line than the last, and of several who add at once one wins.
///
/// The closure gives a new, empty log each time. A log that outlives its process is checked with
/// [`durable_journal_log_contract`] too.
///
/// ```
/// use toolwright_journal::testing;
/// use toolwright_journal::MemoryLog;
///
/// testing::journal_log_contract(MemoryLog::new);
/// ```
///
/// # Panics
///
/// Panics if the log does something else; the message says what.
pub fn journal_log_contract<L: JournalLog>(make: impl Fn() -> L) {
    keeps_order(&make());
    refuses_another_head(&make());
    keeps_any_text(&make());
    reads_what_was_there(&make());
    one_of_many_wins(&make());
}

/// Checks that what was added to a log is there when it is opened anew, and goes on from there.
///
/// The closure opens one and the same log each time; the one before is gone by then.
///
/// ```
/// use toolwright_journal::testing;
/// use toolwright_journal::FileLog;
///
/// # let folder = std::env::temp_dir().join(format!("logs-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// let path = folder.join("log.jsonl");
/// testing::durable_journal_log_contract(|| FileLog::open(&path).expect("it can be opened"));
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Panics
///
/// Panics if the log does something else; the message says what.
pub fn durable_journal_log_contract<L: JournalLog>(open: impl Fn() -> L) {
    let all = lines("kept", 6);
    let mut head = None;
    for part in all.chunks(2) {
        let log = open();
        assert_eq!(head_of(&log), head, "the head is kept");
        append(&log, head, part);
        log.sync().expect("a log is synced");
        head = part.last().map(LogLine::hash);
    }
    let log = open();
    assert_eq!(head_of(&log), head, "the head is kept");
    assert_eq!(read(&log), texts(&all), "lines are kept");
    assert!(log.cut().is_none(), "nothing is cut of whole lines");
}

/// Checks that a store keeps to the contract of [`ContentStore`].
///
/// The closure gives a new, empty store each time.
///
/// ```
/// use toolwright_journal::testing;
/// use toolwright_journal::MemoryContents;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// testing::content_store_contract(async || MemoryContents::new()).await;
/// # }
/// ```
///
/// # Panics
///
/// Panics if the store does something else; the message says what.
pub async fn content_store_contract<S: ContentStore>(make: impl AsyncFn() -> S) {
    let store = make().await;
    let large = vec![b'x'; 1 << 20];
    let contents: [&[u8]; 4] = [b"", b"one", b"\0\xff", &large];
    for bytes in contents {
        let hash = ContentHash::of(bytes);
        let before = store.get(hash).await.expect("a store is read");
        assert_eq!(before, None, "what was not put is not there");
        for _ in 0..2 {
            store.put(hash, bytes).await.expect("bytes are kept");
        }
    }
    for bytes in contents {
        let kept = store.get(ContentHash::of(bytes)).await;
        let kept = kept.expect("a store is read");
        assert_eq!(kept.as_deref(), Some(bytes), "bytes are kept as they were");
    }
}

/// Lines that each have a hash of their own.
fn lines(of: &str, count: usize) -> Vec<LogLine> {
    let line = |number| {
        let text = format!("{{\"{of}\":{number}}}");
        let hash = ContentHash::of(&text);
        let text = format!("{{\"{of}\":{number},\"hash\":\"{hash}\"}}");
        LogLine::new(text, hash)
    };
    (0..count).map(line).collect()
}

fn texts(lines: &[LogLine]) -> Vec<String> {
    lines.iter().map(|line| line.text().to_owned()).collect()
}

fn head_of(log: &impl JournalLog) -> Option<ContentHash> {
    log.head().expect("a log has a head")
}

fn append(log: &impl JournalLog, head: Option<ContentHash>, lines: &[LogLine]) {
    log.append(head, lines)
        .expect("lines are added after the last one");
}

fn read(log: &impl JournalLog) -> Vec<String> {
    let lines = log.read().expect("a log is read");
    let text = |line: Result<Vec<u8>, _>| {
        String::from_utf8(line.expect("a line is read")).expect("a line is text")
    };
    lines.map(text).collect()
}

fn keeps_order(log: &impl JournalLog) {
    assert_eq!(head_of(log), None, "an empty log has no head");
    assert!(read(log).is_empty(), "an empty log has no lines");
    append(log, None, &[]);
    assert_eq!(
        head_of(log),
        None,
        "nothing is added where nothing is given"
    );
    let all = lines("order", 7);
    let mut head = None;
    for part in [&all[..1], &all[1..4], &all[4..4], &all[4..]] {
        append(log, head, part);
        head = part.last().map_or(head, |line| Some(line.hash()));
        assert_eq!(head_of(log), head, "the head is the hash of the last line");
    }
    log.sync().expect("a log is synced");
    assert_eq!(read(log), texts(&all), "lines are read in their order");
    assert_eq!(read(log), texts(&all), "and once more");
}

fn refuses_another_head(log: &impl JournalLog) {
    let all = lines("head", 3);
    let refused = |head, line: usize| {
        let conflict = log.append(head, &all[line..=line]);
        assert!(
            matches!(conflict, Err(LogError::Conflict)),
            "nothing is added after another line than the last: {conflict:?}"
        );
    };
    refused(Some(all[0].hash()), 0);
    assert!(read(log).is_empty(), "a conflict writes nothing");
    append(log, None, &all[..2]);
    refused(None, 2);
    refused(Some(all[0].hash()), 2);
    refused(Some(all[2].hash()), 2);
    assert_eq!(read(log), texts(&all[..2]), "a conflict writes nothing");
    assert_eq!(
        head_of(log),
        Some(all[1].hash()),
        "a conflict changes no head"
    );
    append(log, Some(all[1].hash()), &all[2..]);
    assert_eq!(read(log), texts(&all), "a conflict is no end");
}

fn keeps_any_text(log: &impl JournalLog) {
    let large = "x".repeat(1 << 20);
    let texts: Vec<String> = ["", " ", "\u{1f980} \u{2028} \u{0}", "\\n", large.as_str()]
        .map(|text| serde_json::json!({ "text": text }).to_string())
        .into();
    let mut head = None;
    for text in &texts {
        let hash = ContentHash::of(text);
        append(log, head, &[LogLine::new(text.clone(), hash)]);
        head = Some(hash);
    }
    assert_eq!(read(log), texts, "a line is kept as it is");
}

fn reads_what_was_there(log: &impl JournalLog) {
    let all = lines("while", 4);
    append(log, None, &all[..2]);
    let reading = log.read().expect("a log is read");
    append(log, Some(all[1].hash()), &all[2..]);
    let read: Vec<_> = reading.map(|line| line.expect("a line is read")).collect();
    let wanted = all.iter().map(|line| line.text().as_bytes());
    assert!(
        read.len() >= 2 && wanted.zip(&read).all(|(wanted, read)| wanted == read),
        "what was there is read, whatever is added meanwhile"
    );
}

fn one_of_many_wins(log: &impl JournalLog) {
    const WRITERS: usize = 8;
    let mut head = None;
    for round in 0..20 {
        let together = Barrier::new(WRITERS);
        let won: Vec<_> = thread::scope(|scope| {
            let write = |writer| {
                let together = &together;
                scope.spawn(move || {
                    let line = lines(&format!("race-{round}-{writer}"), 1);
                    together.wait();
                    log.append(head, &line).is_ok().then(|| line[0].hash())
                })
            };
            let writers: Vec<_> = (0..WRITERS).map(write).collect();
            let won = writers.into_iter().map(thread::ScopedJoinHandle::join);
            won.filter_map(|won| won.expect("a writer ends")).collect()
        });
        assert_eq!(won.len(), 1, "of several who add at once one wins");
        assert_eq!(
            head_of(log),
            won.first().copied(),
            "the head is the winner's"
        );
        head = head_of(log);
    }
    assert_eq!(read(log).len(), 20, "the others have written nothing");
}
