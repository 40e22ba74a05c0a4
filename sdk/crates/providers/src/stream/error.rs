//! Streams that give no message.

use std::sync::Arc;

use thiserror::Error;

use crate::{Api, ApiError};

/// The reason why a stream gave no message.
#[derive(Clone, Error)]
#[non_exhaustive]
pub enum StreamError {
    /// The stream ended before the message did. No call of it has run; the request can be made again.
    #[error(
        "{api}: the stream broke off {place}; no call of the message has run, the request can be made again"
    )]
    #[non_exhaustive]
    CutOff {
        /// The API that it came from.
        api: Api,
        /// The place, for people.
        place: String,
    },
    /// The API reported an error, in the stream or in its place.
    #[error("{api} answered with an error: {error}")]
    #[non_exhaustive]
    Api {
        /// The API that it came from.
        api: Api,
        /// The error, in the words of the server.
        error: ApiError,
    },
    /// An event is not JSON of the API's form.
    #[error("{api}: an event of the stream cannot be read; it begins with `{start}`")]
    #[non_exhaustive]
    Unreadable {
        /// The API that it came from.
        api: Api,
        /// The beginning of the event's data, in one line.
        start: String,
        /// The place where reading stopped.
        source: Arc<serde_json::Error>,
    },
    /// The response is no event stream.
    #[error(
        "{api}: the response is not an event stream; it begins with `{start}`. Was the request made for a stream (of \
         Gemini `streamGenerateContent?alt=sse`, of others `\"stream\": true`)?"
    )]
    #[non_exhaustive]
    NotEvents {
        /// The API that it came from.
        api: Api,
        /// The beginning of the response, in one line.
        start: String,
    },
    /// The stream is larger than a model writes.
    #[error(
        "{api}: the stream has more than {limit} {unit}; see `MessageStream::with_max_bytes` for the bytes"
    )]
    #[non_exhaustive]
    TooLarge {
        /// The API that it came from.
        api: Api,
        /// The limit that it exceeds.
        limit: usize,
        /// The things that the limit counts.
        unit: &'static str,
    },
}

toolwright::text::debug_as_text!(StreamError);

impl StreamError {
    /// The error that the API answered with, if it did.
    pub fn api_error(&self) -> Option<&ApiError> {
        match self {
            Self::Api { error, .. } => Some(error),
            _ => None,
        }
    }

    /// Returns true if the stream ended before the message did.
    pub fn is_cut_off(&self) -> bool {
        matches!(self, Self::CutOff { .. })
    }
}
