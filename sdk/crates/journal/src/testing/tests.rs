use std::panic::{AssertUnwindSafe, catch_unwind};

use super::*;
use crate::log::{FileLog, LogLines, MemoryLog};
use crate::{FolderContents, MemoryContents};

#[test]
fn logs_in_memory_and_in_files_keep_to_the_contract() {
    journal_log_contract(MemoryLog::new);
    let folder = tempfile::tempdir().unwrap();
    let count = std::sync::atomic::AtomicU32::new(0);
    journal_log_contract(|| {
        let number = count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        FileLog::open(folder.path().join(format!("{number}.jsonl"))).unwrap()
    });
    let path = folder.path().join("durable.jsonl");
    durable_journal_log_contract(|| FileLog::open(&path).unwrap());
}

#[tokio::test]
async fn contents_in_memory_and_in_files_keep_to_the_contract() {
    content_store_contract(async || MemoryContents::new()).await;
    let folder = tempfile::tempdir().unwrap();
    content_store_contract(async || FolderContents::new(folder.path().join("contents"))).await;
}

/// The fault of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wrong {
    TakesAnyHead,
    WritesOnConflict,
    Reverses,
    LosesTheLast,
    ForgetsTheHead,
    TrimsText,
    Nothing,
}

struct Broken(MemoryLog, Wrong);

impl JournalLog for Broken {
    fn head(&self) -> Result<Option<ContentHash>, LogError> {
        match self.1 {
            Wrong::ForgetsTheHead => Ok(None),
            _ => self.0.head(),
        }
    }

    fn append(&self, head: Option<ContentHash>, lines: &[LogLine]) -> Result<(), LogError> {
        let mut lines = lines.to_vec();
        let here = self.0.head()?;
        match self.1 {
            Wrong::TakesAnyHead => return self.0.append(here, &lines),
            Wrong::WritesOnConflict if head != here => {
                self.0.append(here, &lines)?;
                return Err(LogError::Conflict);
            }
            Wrong::Reverses => lines.reverse(),
            Wrong::LosesTheLast if lines.len() > 1 => drop(lines.pop()),
            Wrong::TrimsText => {
                let trimmed =
                    |line: &LogLine| LogLine::new(line.text().replace(' ', ""), line.hash());
                lines = lines.iter().map(trimmed).collect();
            }
            _ => {}
        }
        self.0.append(head, &lines)
    }

    fn sync(&self) -> Result<(), LogError> {
        self.0.sync()
    }

    fn read(&self) -> Result<LogLines, LogError> {
        self.0.read()
    }
}

#[test]
fn a_log_that_breaks_the_contract_is_found() {
    let holds = |wrong| {
        let make = || Broken(MemoryLog::new(), wrong);
        catch_unwind(AssertUnwindSafe(|| journal_log_contract(make))).is_ok()
    };
    assert!(holds(Wrong::Nothing));
    for wrong in [
        Wrong::TakesAnyHead,
        Wrong::WritesOnConflict,
        Wrong::Reverses,
        Wrong::LosesTheLast,
        Wrong::ForgetsTheHead,
        Wrong::TrimsText,
    ] {
        assert!(!holds(wrong), "{wrong:?}");
    }
}

#[test]
fn a_log_that_does_not_outlive_its_process_is_found() {
    let forgets = || durable_journal_log_contract(MemoryLog::new);
    assert!(catch_unwind(AssertUnwindSafe(forgets)).is_err());
}
