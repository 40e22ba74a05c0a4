//! The reason why a model stopped.

use std::fmt;

/// The reason why a model stopped.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StopReason {
    /// The answer is whole.
    Finished,
    /// The model waits for the results of its calls.
    Calls,
    /// The answer reached a limit of tokens. Its last call may be cut off, and is refused.
    MaxTokens,
    /// The model or a classifier refused to answer.
    Refused,
    /// A filter of the API removed the answer or a part of it.
    Filtered,
    /// The API paused a long turn: the app sends the conversation again, with this answer at its end, to go on.
    Paused,
    /// The model wrote a call that the API could not read, and that it has left out.
    MalformedCall,
    /// Another reason, in the API's own word.
    Other(String),
    /// Not told: what was read is the message alone, not the response around it.
    Unknown,
}

impl StopReason {
    /// Returns true if a model may not have written its answer to the end.
    pub(crate) fn may_cut_off(&self) -> bool {
        match self {
            Self::MaxTokens | Self::Filtered | Self::Refused => true,
            // A word of some compatible servers.
            Self::Other(reason) => reason == "error",
            _ => false,
        }
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Finished => "finished",
            Self::Calls => "calls",
            Self::MaxTokens => "limit of tokens",
            Self::Refused => "refused",
            Self::Filtered => "filtered",
            Self::Paused => "paused",
            Self::MalformedCall => "malformed call",
            Self::Other(reason) => reason,
            Self::Unknown => "unknown",
        })
    }
}
