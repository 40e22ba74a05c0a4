//! Large outputs are kept elsewhere, by the hash of what they are.

use std::fs;

use toolwright::{Executor, ToolRegistry, tool};
use toolwright_journal::{
    ContentStore, FolderContents, Journal, JournalError, MemoryContents, MemoryLog, RecordedOutput,
    verify,
};

use super::support::{responses, words};

/// Give much.
#[tool(register = false, pure)]
fn much(bytes: usize) -> String {
    "x".repeat(bytes)
}

fn executor(contents: impl ContentStore) -> (Executor, Journal, MemoryLog) {
    let log = MemoryLog::new();
    let builder = Journal::builder(log.clone())
        .contents(contents)
        .max_inline_bytes(1_000);
    let (journal, _) = builder.open().unwrap();
    let tools = ToolRegistry::new().with(Much);
    let builder = Executor::builder(tools).call_recorder(journal.clone());
    (builder.build().unwrap(), journal, log)
}

#[tokio::test]
async fn a_large_output_is_stored_under_its_response_hash_and_found_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("contents");
    let (executor, journal, log) = executor(FolderContents::new(&path));
    for bytes in [10, 5_000, 5_000] {
        let outcome = executor
            .call("much", format!(r#"{{"bytes": {bytes}}}"#))
            .await;
        assert_eq!(outcome.text().len(), bytes);
    }
    let responses = responses(&log);
    assert!(matches!(responses[0].output, RecordedOutput::Inline(_)));
    assert!(matches!(responses[1].output, RecordedOutput::Stored { bytes, .. } if bytes > 5_000));
    assert!(log.to_text().len() < 5_000);
    // Equal outputs are kept once.
    let names: Vec<_> = fs::read_dir(&path)
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    assert_eq!(names, [responses[1].response_hash.to_string().as_str()]);
    let output = journal.output_of(&responses[2]).await.unwrap();
    assert_eq!(output.content()[0].as_text().map(str::len), Some(5_000));
    verify(&log).unwrap();

    let hash = responses[1].response_hash;
    fs::write(path.join(hash.to_string()), "something else").unwrap();
    let changed = journal.output_of(&responses[1]).await.unwrap_err();
    assert!(matches!(changed, JournalError::Changed { .. }), "{changed}");
    fs::remove_file(path.join(hash.to_string())).unwrap();
    let missing = journal.output_of(&responses[1]).await.unwrap_err();
    assert!(matches!(missing, JournalError::Missing { .. }), "{missing}");
}

#[tokio::test]
async fn what_cannot_be_stored_is_not_returned() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "in the way").unwrap();
    let (executor, _, log) = executor(FolderContents::new(file.join("contents")));
    let outcome = executor.call("much", r#"{"bytes": 5000}"#).await;
    assert_eq!(outcome.error().unwrap().code(), "journal_unavailable");
    assert!(outcome.text().len() < 1_000);
    // The record of the failed end is small enough for the journal.
    assert_eq!(words(&log), ["opened", "requested", "responded"]);
}

#[tokio::test]
async fn a_store_in_memory_is_shared_by_its_clones() {
    let contents = MemoryContents::new();
    let (executor, _, log) = executor(contents.clone());
    executor.call("much", r#"{"bytes": 2000}"#).await;
    let response = responses(&log).remove(0);
    assert!(response.read_output(Some(&contents)).await.is_ok());
    assert!(response.read_output(None).await.is_err());
}
