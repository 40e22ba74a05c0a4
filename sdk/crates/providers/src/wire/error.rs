//! Texts that are no message of a model.

use std::fmt;

use serde::Deserialize;
use serde_json::value::RawValue;
use thiserror::Error;
use toolwright::text::one_line;

use super::entries::Entries;
use super::raw::{Loose, LooseMembers};
use crate::Api;

/// The characters of a text from elsewhere that an error shows.
const SHOWN: usize = 300;

/// The largest message that [`AssistantMessage::read`](super::AssistantMessage::read) takes: 64 MiB.
pub(crate) const MAX_MESSAGE_BYTES: usize = 64 << 20;

/// The most calls in one message: 1024.
pub(crate) const MAX_CALLS: usize = 1024;

/// The reason why a text is no message of a model.
#[derive(Error)]
#[non_exhaustive]
pub enum MessageError {
    /// The text is no JSON.
    #[error("{api}: the response is not JSON; it begins with `{start}`")]
    #[non_exhaustive]
    NotJson {
        /// The API that it should have come from.
        api: Api,
        /// The beginning of the text, in one line.
        start: String,
        /// The place where reading stopped.
        source: serde_json::Error,
    },
    /// The text is JSON of another form.
    #[error(
        "{api}: the response is {found}, not a message; is the API the one that was asked, and is the text the body \
         of a response or a message of it?"
    )]
    #[non_exhaustive]
    NotMessage {
        /// The API that it should have come from.
        api: Api,
        /// The form of the text, for people.
        found: String,
    },
    /// The text is the body of an error that the API answered with.
    #[error("{api} answered with an error: {error}")]
    #[non_exhaustive]
    Api {
        /// The API that it came from.
        api: Api,
        /// The error, in the words of the server.
        error: ApiError,
    },
    /// The message is larger than a model writes.
    #[error("{api}: the response has more than {limit}, more than a model writes")]
    #[non_exhaustive]
    TooLarge {
        /// The API that it should have come from.
        api: Api,
        /// The limit that it exceeds, with its unit.
        limit: &'static str,
    },
}

toolwright::text::debug_as_text!(MessageError);

impl MessageError {
    /// Makes the error of a text in which there is no message.
    #[cold]
    pub(crate) fn of(api: Api, text: &str) -> Self {
        if let Err(source) = serde_json::from_str::<&RawValue>(text) {
            return Self::NotJson {
                api,
                start: one_line(text.trim_start(), 80),
                source,
            };
        }
        if let Some(error) = ApiError::read(text) {
            return Self::Api { api, error };
        }
        let found = found(text);
        Self::NotMessage { api, found }
    }

    /// Makes the error of a text that could not be read.
    #[cold]
    pub(crate) fn unreadable(api: Api, text: &str, error: serde_json::Error) -> Self {
        if error.is_data() {
            // JSON all the same: a member that is given twice, or a list that is far too long.
            let found = format!("JSON that cannot be read ({error})");
            return Self::NotMessage { api, found };
        }
        Self::NotJson {
            api,
            start: one_line(text.trim_start(), 80),
            source: error,
        }
    }

    /// The error that the API answered with, if it did.
    pub fn api_error(&self) -> Option<&ApiError> {
        match self {
            Self::Api { error, .. } => Some(error),
            _ => None,
        }
    }
}

/// Returns the form of JSON text, for people.
fn found(text: &str) -> String {
    let text = text.trim_start();
    match text.as_bytes().first() {
        Some(b'[') => "a list".to_owned(),
        Some(b'"') => "a text".to_owned(),
        Some(b'{') => {
            let entries = Entries::read(text).map_or(Vec::new(), |entries| entries.0);
            let names = entries.iter().take(8);
            let names: Vec<_> = names
                .map(|(n, _)| format!("`{}`", one_line(n, 40)))
                .collect();
            match (names.is_empty(), entries.len() > names.len()) {
                (true, _) => "an empty object".to_owned(),
                (false, false) => format!("an object of {}", names.join(", ")),
                (false, true) => format!("an object of {} and more", names.join(", ")),
            }
        }
        _ => format!("`{}`", one_line(text, 20)),
    }
}

/// An error that an API answered with, in the words of its server.
///
/// Servers do not repeat the key of a request in whole. Texts are not shortened here; `Display` shows one line of at
/// most 300 characters.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ApiError {
    /// The kind, such as `invalid_request_error`, `overloaded_error` or `INVALID_ARGUMENT`, if the server
    /// gives one.
    pub kind: Option<String>,
    /// The message.
    pub message: String,
}

toolwright::text::debug_as_text!(ApiError);

#[derive(Deserialize)]
struct ErrorBody<'m> {
    #[serde(borrow, default)]
    error: Loose<'m, LooseMembers<ErrorMembers<'m>>>,
    #[serde(borrow, default)]
    detail: Loose<'m>,
    #[serde(borrow, default)]
    object: Loose<'m>,
    #[serde(borrow, flatten)]
    members: ErrorMembers<'m>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
struct ErrorMembers<'m> {
    #[serde(borrow, default)]
    message: Loose<'m>,
    #[serde(borrow, default, rename = "type")]
    kind: Loose<'m>,
    #[serde(borrow, default)]
    status: Loose<'m>,
    #[serde(borrow, default)]
    code: Loose<'m>,
}

impl ErrorMembers<'_> {
    fn into_error(self) -> Option<ApiError> {
        let message = self.message.filled();
        let code = self.code.filled();
        let kind = self.kind.filled().filter(|kind| kind != "error");
        let kind = kind.or(self.status.filled()).or(code);
        if message.is_none() && kind.is_none() {
            return None;
        }
        Some(ApiError {
            kind: kind.map(Into::into),
            message: message.map_or_else(|| "no message".to_owned(), Into::into),
        })
    }
}

impl ApiError {
    /// Returns the error of a body: `error` as an object or a text, `detail`, the members themselves where `object` or
    /// `type` is `error`, or the first item of a list.
    pub(crate) fn read(text: &str) -> Option<Self> {
        if text.trim_start().starts_with('[') {
            let items: Vec<&RawValue> = serde_json::from_str(text).ok()?;
            return items.first().and_then(|item| Self::read_object(item.get()));
        }
        Self::read_object(text)
    }

    /// Returns the error of an event that reports one.
    pub(crate) fn of_event(data: &str) -> Self {
        Self::read(data).unwrap_or_else(|| Self {
            kind: None,
            message: one_line(data, SHOWN),
        })
    }

    fn read_object(text: &str) -> Option<Self> {
        let body: ErrorBody<'_> = serde_json::from_str(text).ok()?;
        let plain = |message: &str| Self {
            kind: None,
            message: message.to_owned(),
        };
        match body.error {
            Loose::Known(LooseMembers(members)) => members.into_error(),
            Loose::Text(message) => Some(plain(&message)),
            Loose::Null | Loose::Other(_) => match body.detail.text() {
                Some(detail) => Some(plain(detail)),
                None if body.object.text() == Some("error")
                    || body.members.kind.text() == Some("error") =>
                {
                    body.members.into_error()
                }
                None => None,
            },
        }
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(kind) = &self.kind {
            write!(f, "{}: ", one_line(kind, 60))?;
        }
        f.write_str(&one_line(&self.message, SHOWN))
    }
}

impl std::error::Error for ApiError {}
