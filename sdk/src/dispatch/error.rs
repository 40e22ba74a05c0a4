//! The errors of dispatchers.

use crate::id::InvocationId;
use crate::util::error_text::debug_as_text;
use crate::util::store_error::StoreError;

/// The reason why a dispatcher did not do what it was asked.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum DispatchError {
    /// The dispatcher cannot be reached, or gave no answer: whether it did what it was asked is not known.
    #[error("the dispatcher cannot be reached")]
    Unavailable(#[source] StoreError),
    /// The dispatcher, or the host of the tool, does not take the call. Nothing of it has run.
    #[error("the call is not taken: {reason}")]
    #[non_exhaustive]
    Refused {
        /// The reason, as a part of a sentence.
        reason: String,
    },
    /// The dispatcher has no such call.
    #[error("there is no dispatched call {call}, or not any more")]
    #[non_exhaustive]
    Unknown {
        /// The id of the call.
        call: InvocationId,
    },
}

impl DispatchError {
    /// Returns the error of a dispatcher that cannot be reached.
    pub fn unavailable(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Unavailable(StoreError::new(error))
    }

    /// Returns the error of a call that is not taken. The reason is a part of a sentence: "it has 3 MiB, and the largest has 2 MiB".
    pub fn refused(reason: impl Into<String>) -> Self {
        Self::Refused {
            reason: reason.into(),
        }
    }

    /// Returns the error of a call that the dispatcher does not have.
    pub fn unknown(call: InvocationId) -> Self {
        Self::Unknown { call }
    }
}

debug_as_text!(DispatchError);
