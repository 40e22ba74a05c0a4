//! The journal: what it is opened with, and what can be asked of it.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use toolwright::ToolOutput;
use toolwright::content::ContentHash;
use toolwright::id::InvocationId;
use toolwright::ticket::StoreError;

use crate::contents::ContentStore;
use crate::error::JournalError;
use crate::key::JournalKey;
use crate::normal::NormalOutput;
use crate::read::JournalRecords;
use crate::record::{RecordedOutput, Response};
use crate::recovery::UnfinishedCall;
use crate::writer::Writer;

/// A log of calls. Records are only ever added, and each has a hash over itself and
/// all before it, so that a later change shows. [`ExecutorBuilder::call_recorder`] installs one.
///
/// Each call has a request, with its arguments and their hash, and a response, with its output
/// and the hash of that. The request of an at-most-once call is [durable](crate::Durability) before its body
/// begins, and each response before the call returns, so that after a crash it is known what may have had
/// an effect. What cannot be recorded does not run, or ends as
/// [`ToolOutcome::Failed`](toolwright::ToolOutcome::Failed) with the code `journal_unavailable`.
///
/// Secrets are hashed with a [key](JournalKey) before they enter it; what tools give is recorded as it is.
///
/// Cloning is cheap; all clones are one journal, and several executors may share it.
///
/// ```
/// use toolwright::{Executor, tool, ToolRegistry};
/// use toolwright_journal::{Journal, MemoryLog, verify};
///
/// /// Add two whole numbers.
/// #[tool(pure)]
/// fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// let log = MemoryLog::new();
/// let (journal, recovery) = Journal::open(log.clone())?;
/// assert!(recovery.unfinished.is_empty());
/// let executor = Executor::builder(ToolRegistry::new().with(Add)).call_recorder(journal).build()?;
/// let outcome = executor.call("add", r#"{"a": 2, "b": 3}"#).await;
/// assert!(outcome.result().response_hash().is_some());
/// // The opening, the request and the response.
/// assert_eq!(verify(&log)?.records, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
///
/// [`ExecutorBuilder::call_recorder`]: toolwright::ExecutorBuilder::call_recorder
#[derive(Clone)]
pub struct Journal(Arc<OpenJournal>);

/// All that a journal holds, shared by its handles: each call that is recorded has one.
pub(crate) struct OpenJournal {
    pub(crate) writer: Writer,
    pub(crate) key: JournalKey,
    pub(crate) contents: Option<Arc<dyn ContentStore>>,
    pub(crate) max_inline_bytes: usize,
    /// The calls that were left and wait in no ticket.
    pub(crate) left: Mutex<HashMap<InvocationId, UnfinishedCall>>,
}

impl Journal {
    pub(crate) fn new(open: OpenJournal) -> Self {
        Self(Arc::new(open))
    }

    pub(crate) fn writer(&self) -> &Writer {
        &self.0.writer
    }

    pub(crate) fn key(&self) -> &JournalKey {
        &self.0.key
    }

    /// The records that are there now, the first first.
    ///
    /// # Errors
    ///
    /// Fails if the log cannot be read.
    pub fn records(&self) -> Result<JournalRecords, JournalError> {
        JournalRecords::of(self.0.writer.log())
    }

    /// The hash of the last record: kept elsewhere, it shows later whether records are missing at the end.
    pub fn head(&self) -> Option<ContentHash> {
        self.0.writer.head()
    }

    /// Returns the output of a call, from the record or the store of large outputs, and checks it.
    ///
    /// # Errors
    ///
    /// Fails if it is missing, or is not what was recorded.
    pub async fn output_of(&self, responded: &Response) -> Result<ToolOutput, JournalError> {
        responded.read_output(self.0.contents.as_deref()).await
    }

    /// The calls that were left and are not settled.
    pub(crate) fn left(&self) -> MutexGuard<'_, HashMap<InvocationId, UnfinishedCall>> {
        self.0.left.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the store of an output that is too large for a record.
    fn store_of(&self, output: &NormalOutput) -> Option<&dyn ContentStore> {
        let contents = self.0.contents.as_deref();
        contents.filter(|_| output.text.as_str().len() > self.0.max_inline_bytes)
    }

    /// Returns the record of an output: the output itself, or a note that it is stored.
    pub(crate) async fn keep(&self, output: NormalOutput) -> Result<RecordedOutput, StoreError> {
        let Some(contents) = self.store_of(&output) else {
            return Ok(RecordedOutput::Inline(output.text));
        };
        let text = output.text.as_str();
        contents.put(output.hash, text.as_bytes()).await?;
        let bytes = u64::try_from(text.len()).unwrap_or(u64::MAX);
        Ok(RecordedOutput::Stored { bytes })
    }

    /// Returns true if the end of a call may be written without waiting: an output is not brought into its normal
    /// form in vain.
    pub(crate) fn may_write_now(&self, output: &ToolOutput) -> bool {
        let is_large = || NormalOutput::room(output) > self.0.max_inline_bytes;
        self.0.writer.is_prompt() && (self.0.contents.is_none() || !is_large())
    }

    /// Returns the record of an output that needs no store; `None` if it has to be stored first.
    pub(crate) fn keep_now(&self, output: NormalOutput) -> Option<RecordedOutput> {
        let is_inline = self.store_of(&output).is_none();
        is_inline.then_some(RecordedOutput::Inline(output.text))
    }
}

impl fmt::Debug for Journal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Journal")
            .field("head", &self.head())
            .finish_non_exhaustive()
    }
}
