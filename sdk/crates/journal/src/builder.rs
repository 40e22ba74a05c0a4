//! Setting up a journal.

use std::fmt;
use std::sync::{Arc, Mutex};

use super::entry::Entry;
use super::journal::OpenJournal;
use super::record::FORMAT;
use super::recovery::OpenCalls;
use super::writer::{Chain, Writer};
use super::{
    ContentStore, Durability, Journal, JournalError, JournalKey, JournalRecords, Recovery,
};
use crate::log::JournalLog;

/// The largest output that stands in the journal itself by default, in bytes.
const INLINE: usize = 64 << 10;

/// Sets up a [`Journal`]; see [`Journal::builder`].
///
/// Defaults: [`Durability::Flushed`], a random key, no store of large outputs.
#[must_use = "call `.open()` to get a journal"]
pub struct JournalBuilder {
    log: Arc<dyn JournalLog>,
    durability: Durability,
    key: Option<JournalKey>,
    contents: Option<Arc<dyn ContentStore>>,
    max_inline_bytes: usize,
}

impl JournalBuilder {
    pub(super) fn new(log: Arc<dyn JournalLog>) -> Self {
        Self {
            log,
            durability: Durability::default(),
            key: None,
            contents: None,
            max_inline_bytes: INLINE,
        }
    }

    /// Sets what a record outlives. Default: [`Durability::Flushed`].
    pub fn durability(mut self, durability: Durability) -> Self {
        self.durability = durability;
        self
    }

    /// Sets the key that secrets are hashed with. Default: a random one, so that calls with secrets can be
    /// compared within this opening of the journal only.
    pub fn key(mut self, key: JournalKey) -> Self {
        self.key = Some(key);
        self
    }

    /// Keeps large outputs elsewhere, and has only their hashes in the journal. Default: all outputs stand in
    /// the journal, however large they are.
    pub fn contents(mut self, contents: impl ContentStore) -> Self {
        self.contents = Some(Arc::new(contents));
        self
    }

    /// Sets how much of an output stands in the journal itself where there is a
    /// [store](Self::contents), in bytes. Default: 64 KiB (65,536 bytes).
    pub fn max_inline_bytes(mut self, bytes: usize) -> Self {
        self.max_inline_bytes = bytes;
        self
    }

    /// Opens the journal: reads it, checks each record, and tells what was left unfinished. An empty log is
    /// begun.
    ///
    /// # Errors
    ///
    /// Fails if a record is not what was written, if the log cannot be read or written, or if there are no random
    /// bytes for a key. Nothing was written then.
    pub fn open(self) -> Result<(Journal, Recovery), JournalError> {
        let mut records = JournalRecords::of(&*self.log)?;
        let mut open = OpenCalls::default();
        for record in records.by_ref() {
            open.add(record?);
        }
        let recovery = Recovery {
            cut: self.log.cut(),
            records: records.read(),
            unfinished: open.into_calls(),
        };
        let key = match self.key {
            Some(key) => key,
            None => JournalKey::random()?,
        };
        let chain = Chain::new(records.read(), records.head());
        let unfinished = recovery.unfinished.iter();
        let open = unfinished.map(|call| (call.invocation, call.request_hash));
        let writer = Writer::start(self.log, self.durability, chain, open.collect())?;
        if recovery.records == 0 {
            writer.begin(Entry::Opened { format: FORMAT })?;
        }
        let left = recovery
            .unfinished
            .iter()
            .filter(|call| call.waits.is_none());
        let left = left.map(|call| (call.invocation, call.clone())).collect();
        let journal = Journal::new(OpenJournal {
            left: Mutex::new(left),
            writer,
            key,
            contents: self.contents,
            max_inline_bytes: self.max_inline_bytes,
        });
        Ok((journal, recovery))
    }
}

impl Journal {
    /// Opens the journal in a log with the default settings, or begins one where the log is empty: see
    /// [`Journal::builder`].
    ///
    /// # Errors
    ///
    /// Those of [`JournalBuilder::open`].
    pub fn open(log: impl JournalLog) -> Result<(Self, Recovery), JournalError> {
        Self::builder(log).open()
    }

    /// Sets up the journal in a log.
    pub fn builder(log: impl JournalLog) -> JournalBuilder {
        JournalBuilder::new(Arc::new(log))
    }
}

impl fmt::Debug for JournalBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JournalBuilder")
            .field("durability", &self.durability)
            .field("max_inline_bytes", &self.max_inline_bytes)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn the_page_of_defaults_says_what_the_code_does() {
        let page = include_str!("../../../docs/defaults.md");
        let rows = page.lines().filter_map(|line| {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            match cells[..] {
                [_, row, value, "`toolwright-journal`", ..] => Some((row, value.to_owned())),
                _ => None,
            }
        });
        let durability = format!("`Durability::{:?}`", Durability::default());
        let code = [
            ("durability of a journal", durability),
            (
                "output in a journal itself",
                format!("{} KiB", INLINE >> 10),
            ),
        ];
        assert_eq!(rows.collect::<BTreeMap<_, _>>(), BTreeMap::from(code));
        assert_eq!(INLINE % (1 << 10), 0);
    }
}
