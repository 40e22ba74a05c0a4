//! The errors of opening and reading a journal.

use toolwright::content::ContentHash;
use toolwright::id::InvocationId;
use toolwright::ticket::StoreError;

use super::NotCanonical;
use crate::log::LogError;
use toolwright::text::debug_as_text;

/// The reason why a journal cannot be opened or read.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// The log could not be read or written.
    #[error(transparent)]
    Log(#[from] LogError),
    /// A line is not what was written.
    #[error(transparent)]
    Broken(#[from] Broken),
    /// The journal is of a later version of toolwright.
    #[error("the journal has format {format}, and this version reads format 1")]
    #[non_exhaustive]
    Format {
        /// The format that it names.
        format: u32,
    },
    /// The output of a call is not in the store.
    #[error(
        "what was stored as {hash} is not there: give the journal the store that it was written with"
    )]
    #[non_exhaustive]
    Missing {
        /// Its hash.
        hash: ContentHash,
    },
    /// An output does not have the hash that is recorded of it.
    #[error("what is recorded as {hash} is something else")]
    #[non_exhaustive]
    Changed {
        /// The hash.
        hash: ContentHash,
    },
    /// A store could not be read, or there are no random bytes for a key.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A call is not among those that were cut off and not settled.
    #[error(
        "the call {call} is not unsettled: it is not in this journal, has ended, waits in a ticket, or was made since the journal was opened"
    )]
    #[non_exhaustive]
    NotUnsettled {
        /// The id of the call.
        call: InvocationId,
    },
    /// Something that is recorded cannot be read.
    #[error("what is recorded of a call cannot be read")]
    Unreadable(#[source] serde_json::Error),
    /// Something cannot be written as canonical JSON.
    #[error(transparent)]
    NotCanonical(#[from] NotCanonical),
    /// The thread that writes could not be started.
    #[error("the journal's thread could not be started")]
    Thread(#[source] std::io::Error),
}

debug_as_text!(JournalError);

/// The first line of a journal that is not what was written: it or one before it was changed, added or
/// taken out.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the journal is not what was written: {why}")]
#[non_exhaustive]
pub struct Broken {
    /// The number of the line, from 1.
    pub line: u64,
    /// The fault.
    pub why: String,
}

debug_as_text!(Broken);

impl Broken {
    pub(super) fn new(line: u64, why: impl Into<String>) -> Self {
        Self {
            line,
            why: why.into(),
        }
    }
}
