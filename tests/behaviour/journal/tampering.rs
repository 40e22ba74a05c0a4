//! Whoever changes a journal is found out.

use std::fs::{self, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde_json::json;
use toolwright::permission::AllowAll;
use toolwright::{Executor, ToolError, ToolRegistry, tool};
use toolwright_journal::{FileLog, Journal, JournalError, Verified, verify};

/// Say a word back.
#[tool(register = false, pure)]
fn say(word: String) -> String {
    word
}

/// Do something.
#[tool(register = false)]
async fn act(#[arg(secret)] password: String) -> Result<usize, ToolError> {
    match password.len() {
        n @ 0..4 => Err(ToolError::failed(format!("{n} is too short"))),
        n => Ok(n),
    }
}

/// A journal of a few calls.
async fn journal(folder: &Path) -> PathBuf {
    let path = folder.join("journal.jsonl");
    let (journal, _) = Journal::open(FileLog::open(&path).unwrap()).unwrap();
    let executor = Executor::builder(ToolRegistry::new().with(Say).with(Act))
        .permission_checker(AllowAll)
        .call_recorder(journal)
        .build()
        .unwrap();
    for n in 0..8 {
        executor
            .call("say", json!({ "word": format!("w\u{f6}rd {n}") }))
            .await;
        executor
            .call("act", json!({ "password": "x".repeat(n) }))
            .await;
    }
    executor.call("act", "{}").await;
    path
}

fn check(path: &Path) -> Result<Verified, JournalError> {
    verify(&FileLog::read_only(path)?)
}

#[track_caller]
fn broken_line(path: &Path) -> u64 {
    match check(path) {
        Err(JournalError::Broken(broken)) => broken.line,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn any_changed_byte_is_found_and_the_line_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = journal(folder.path()).await;
    let whole = fs::read(&path).unwrap();
    let verified = check(&path).unwrap();
    assert_eq!(verified.records, 35);
    let mut file = OpenOptions::new().write(true).open(&path).unwrap();
    let mut put = |at: usize, byte: u8| {
        file.seek(SeekFrom::Start(at as u64)).unwrap();
        file.write_all(&[byte]).unwrap();
    };
    let mut random: u64 = 4;
    let mut below = |n: usize| {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(random >> 33).unwrap() % n
    };
    for sample in 0..10_000 {
        let at = below(whole.len());
        let byte = match sample % 4 {
            0 => whole[at] ^ 0x20,
            1 => b'\n',
            2 => whole[at].wrapping_add(1),
            _ => u8::try_from(below(256)).unwrap(),
        };
        if byte == whole[at] {
            continue;
        }
        put(at, byte);
        let line = 1 + whole[..at].split(|byte| *byte == b'\n').skip(1).count() as u64;
        assert_eq!(
            broken_line(&path),
            line,
            "byte {at}: {} is {byte}",
            whole[at]
        );
        put(at, whole[at]);
    }
    assert_eq!(check(&path).unwrap(), verified);
}

#[tokio::test]
async fn lines_that_are_missing_added_or_in_another_order_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = journal(folder.path()).await;
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let verified = check(&path).unwrap();
    let write = |lines: &[&str]| fs::write(&path, format!("{}\n", lines.join("\n"))).unwrap();

    for at in 0..lines.len() - 1 {
        let mut missing = lines.clone();
        missing.remove(at);
        write(&missing);
        assert_eq!(broken_line(&path), at as u64 + 1);
        let mut twice = lines.clone();
        twice.insert(at, lines[at]);
        write(&twice);
        assert_eq!(broken_line(&path), at as u64 + 2);
        let mut swapped = lines.clone();
        swapped.swap(at, at + 1);
        write(&swapped);
        assert_eq!(broken_line(&path), at as u64 + 1);
    }
    // The end alone can go without a trace, and the head that was noted elsewhere tells.
    write(&lines[..lines.len() - 2]);
    let shorter = check(&path).unwrap();
    assert_ne!(shorter.head, verified.head);
    assert_ne!(shorter.run_hash, verified.run_hash);
}

#[tokio::test]
async fn a_journal_that_was_changed_is_not_opened_and_not_touched() {
    let folder = tempfile::tempdir().unwrap();
    let path = journal(folder.path()).await;
    let changed = fs::read_to_string(&path)
        .unwrap()
        .replacen("w\u{f6}rd 3", "w\u{f6}rd 4", 1);
    fs::write(&path, &changed).unwrap();
    let refused = Journal::open(FileLog::open(&path).unwrap()).unwrap_err();
    let JournalError::Broken(broken) = &refused else {
        panic!("{refused}");
    };
    assert_eq!(broken.line, 14);
    assert_eq!(
        refused.to_string(),
        "line 14 of the journal is not what was written: its hash is not that of it and the lines before"
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), changed);
}
