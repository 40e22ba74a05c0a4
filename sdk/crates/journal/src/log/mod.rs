//! The port: where the lines of a journal are kept.

mod file;
mod memory;

use std::path::PathBuf;

pub use file::FileLog;
pub use memory::MemoryLog;
use toolwright::content::ContentHash;
use toolwright::ticket::StoreError;

pub use crate::line::LogLine;

/// Lines as they are kept, the first first. Each is without its end.
pub type LogLines = Box<dyn Iterator<Item = Result<Vec<u8>, StoreError>> + Send>;

/// Keeps the lines of a journal, in their order: in memory, in a file. Lines are only ever added.
///
/// `Journal` calls [`append`](Self::append) from one place at a time: at [`Durability::Flushed`]
/// in the thread of a call, so that it should not take long, at [`Durability::Synced`] in a thread of the
/// journal's own, which may block. [`testing::journal_log_contract`](crate::testing::journal_log_contract)
/// checks an implementation.
///
/// [`Durability::Flushed`]: crate::Durability::Flushed
/// [`Durability::Synced`]: crate::Durability::Synced
pub trait JournalLog: Send + Sync + 'static {
    /// The hash of the last line; `None` of an empty log.
    ///
    /// # Errors
    ///
    /// Fails if the log cannot be read.
    fn head(&self) -> Result<Option<ContentHash>, LogError>;

    /// Adds lines after the last one, which must be the one of that hash: all of them or none. They
    /// outlive this process once this returns, unless the log is one of memory.
    ///
    /// # Errors
    ///
    /// [`LogError::Conflict`] when the last line is another, and nothing was written;
    /// [`LogError::Unwritten`] when nothing was written for another reason, and it may be tried again;
    /// [`LogError::Unknown`] when it is not known what was written: the log then takes no more.
    fn append(&self, head: Option<ContentHash>, lines: &[LogLine]) -> Result<(), LogError>;

    /// Makes sure that what was added outlives a loss of power, where the log can.
    ///
    /// # Errors
    ///
    /// [`LogError::Unknown`] when that failed: it is not known what is left, and the log takes no more.
    fn sync(&self) -> Result<(), LogError>;

    /// Reads all lines that are there now.
    ///
    /// # Errors
    ///
    /// Fails if the log cannot be read.
    fn read(&self) -> Result<LogLines, LogError>;

    /// Returns the end that was cut off when the log was opened: the bytes of a line that was not written to its
    /// end. Default: nothing.
    fn cut(&self) -> Option<TornRecord> {
        None
    }
}

/// A line that was not written to its end, and is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct TornRecord {
    /// The number that the line would have had, from 1.
    pub line: u64,
    /// The number of its bytes.
    pub bytes: u64,
}

/// The reason why a log could not be opened, read or written.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// Somebody else has the log open for writing.
    #[error(
        "`{}` is open for writing already, here or in another process: one journal at a time writes to it",
        path.display()
    )]
    #[non_exhaustive]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// Somebody else has written to the log. Nothing was written.
    #[error(
        "somebody else has written to the log: it does not end with the line that was expected"
    )]
    Conflict,
    /// Nothing was written. It may be tried again.
    #[error("the log could not be written, and is as it was")]
    Unwritten(#[source] StoreError),
    /// Something may have been written or not. The log has to be opened anew.
    #[error("the log could not be written, and it is not known what is left of it")]
    Unknown(#[source] StoreError),
    /// The log could not be opened or read.
    #[error("the log could not be read")]
    Unread(#[source] StoreError),
}

toolwright::text::debug_as_text!(LogError);
