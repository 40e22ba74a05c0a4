//! Lines in memory.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use toolwright::content::ContentHash;

use super::{JournalLog, LogError, LogLine, LogLines};

/// A log in memory: for tests, and for whoever writes it elsewhere at the end.
///
/// Cloning is cheap; all clones are one log. It has no limit of its own.
#[derive(Debug, Clone, Default)]
pub struct MemoryLog {
    lines: Arc<Mutex<Vec<LogLine>>>,
}

impl MemoryLog {
    /// An empty log.
    pub fn new() -> Self {
        Self::default()
    }

    /// All lines as text, as [`FileLog`](super::FileLog) would write them.
    pub fn to_text(&self) -> String {
        let lines = self.lock();
        let each = lines.iter().map(|line| format!("{}\n", line.text()));
        each.collect()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<LogLine>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl JournalLog for MemoryLog {
    fn head(&self) -> Result<Option<ContentHash>, LogError> {
        Ok(self.lock().last().map(LogLine::hash))
    }

    fn append(&self, head: Option<ContentHash>, lines: &[LogLine]) -> Result<(), LogError> {
        let mut kept = self.lock();
        if kept.last().map(LogLine::hash) != head {
            return Err(LogError::Conflict);
        }
        kept.extend_from_slice(lines);
        Ok(())
    }

    fn sync(&self) -> Result<(), LogError> {
        Ok(())
    }

    fn read(&self) -> Result<LogLines, LogError> {
        let lines = self.lock().clone();
        Ok(Box::new(
            lines
                .into_iter()
                .map(|line| Ok(line.text().as_bytes().to_vec())),
        ))
    }
}
