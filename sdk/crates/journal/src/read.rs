//! Reading a journal.

use std::fmt;

use toolwright::ToolOutput;
use toolwright::content::ContentHash;

use crate::canonical::CanonicalJson;
use crate::contents::ContentStore;
use crate::error::{Broken, JournalError};
use crate::line;
use crate::log::{JournalLog, LogError, LogLines};
use crate::normal::NormalOutput;
use crate::record::{FORMAT, JournalRecord, RecordKind, RecordedOutput, Response};

/// The records of a log, the first first. Each is checked against the chain of hashes, and with the first
/// error it ends.
///
/// ```no_run
/// use toolwright_journal::{FileLog, JournalRecords};
///
/// for record in JournalRecords::of(&FileLog::read_only("run.jsonl")?)? {
///     let record = record?;
///     println!("{} {:?}", record.seq, record.kind);
/// }
/// # Ok::<(), toolwright_journal::JournalError>(())
/// ```
pub struct JournalRecords {
    lines: LogLines,
    read: u64,
    head: Option<ContentHash>,
    is_over: bool,
}

impl JournalRecords {
    /// Begins to read a log.
    ///
    /// # Errors
    ///
    /// Fails if the log cannot be read.
    pub fn of(log: &dyn JournalLog) -> Result<Self, JournalError> {
        Ok(Self {
            lines: log.read()?,
            read: 0,
            head: None,
            is_over: false,
        })
    }

    /// The hash of the record that was read last.
    pub fn head(&self) -> Option<ContentHash> {
        self.head
    }

    /// Returns the number of records that were read.
    pub fn read(&self) -> u64 {
        self.read
    }

    fn check(&mut self, bytes: &[u8]) -> Result<JournalRecord, JournalError> {
        let number = self.read + 1;
        let (record, hash) =
            line::read(bytes, number, self.head).map_err(|why| Broken::new(number, why))?;
        match record.kind {
            RecordKind::Opened { format } if number == 1 && format != FORMAT => {
                return Err(JournalError::Format { format });
            }
            RecordKind::Opened { .. } if number == 1 => {}
            RecordKind::Opened { .. } => {
                return Err(Broken::new(number, "a journal begins in the middle of it").into());
            }
            _ if number == 1 => {
                return Err(Broken::new(number, "it is not the beginning of a journal").into());
            }
            _ => {}
        }
        (self.read, self.head) = (number, Some(hash));
        Ok(record)
    }
}

impl Iterator for JournalRecords {
    type Item = Result<JournalRecord, JournalError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let record = match self.lines.next()? {
            Ok(bytes) => self.check(&bytes),
            Err(error) => Err(LogError::Unread(error).into()),
        };
        self.is_over = record.is_err();
        Some(record)
    }
}

impl fmt::Debug for JournalRecords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JournalRecords")
            .field("read", &self.read)
            .field("head", &self.head)
            .finish_non_exhaustive()
    }
}

impl Response {
    /// Returns the output of the call, from the record or the store that large outputs are in. It is checked against
    /// the response hash.
    ///
    /// # Errors
    ///
    /// [`JournalError::Missing`] when it was stored and is not there, [`JournalError::Changed`] when it is
    /// not what the hash is of.
    pub async fn read_output(
        &self,
        contents: Option<&dyn ContentStore>,
    ) -> Result<ToolOutput, JournalError> {
        let hash = self.response_hash;
        let text = match &self.output {
            RecordedOutput::Inline(text) => text.clone(),
            RecordedOutput::Stored { .. } => {
                let bytes = match contents {
                    Some(contents) => contents.get(hash).await?,
                    None => None,
                };
                let bytes = bytes.ok_or(JournalError::Missing { hash })?;
                let text = String::from_utf8(bytes).map_err(|_| JournalError::Changed { hash })?;
                CanonicalJson::written(text)
            }
        };
        if text.hash() != hash {
            return Err(JournalError::Changed { hash });
        }
        NormalOutput::read(&text, self.error.clone()).map_err(JournalError::Unreadable)
    }
}
