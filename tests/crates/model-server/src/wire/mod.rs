//! The wire forms of the APIs.
//!
//! Read from the types of the vendors' Python packages on 2026-11-24: `openai` 3.54, `anthropic` 2.12, `google-genai` 3.4.

mod anthropic;
mod chat;
mod gemini;
mod responses;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use crate::reply::{Failure, Reply};

/// An API that the server speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Wire {
    /// `POST /v1/chat/completions`.
    Chat,
    /// `POST /v1/responses`.
    Responses,
    /// `POST /v1/messages`.
    Anthropic,
    /// `POST /v1beta/models/{model}:generateContent` and `:streamGenerateContent`.
    Gemini,
}

/// A reply on its way.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Answering<'r> {
    pub(crate) reply: &'r Reply,
    /// The number of the request, counted from 1, for ids.
    pub(crate) number: usize,
    pub(crate) model: &'r str,
}

impl Answering<'_> {
    /// The id of the call that is part `at` of the reply, in the style of an API.
    fn call_id(self, prefix: &str, at: usize) -> String {
        format!("{prefix}{:04}x{at}", self.number)
    }

    /// The signature of the thoughts of the reply; a text with characters that some would escape.
    fn signature(self) -> String {
        format!("Sg{:04}+/</u>==", self.number)
    }
}

/// The events of a stream, as texts.
#[derive(Debug, Default)]
pub(crate) struct Events {
    pub(crate) texts: Vec<String>,
    /// The number of events up to the middle of the last part.
    pub(crate) middle: usize,
}

impl Events {
    fn data(&mut self, data: &Value) {
        self.texts.push(format!("data: {data}\n\n"));
    }

    fn named(&mut self, name: &str, data: &Value) {
        self.texts.push(format!("event: {name}\ndata: {data}\n\n"));
    }

    /// Writes the pieces of a part.
    fn pieces(&mut self, pieces: &[String], mut write: impl FnMut(&mut Self, &str)) {
        for (at, piece) in pieces.iter().enumerate() {
            write(self, piece);
            if at == pieces.len() / 2 {
                self.middle = self.texts.len();
            }
        }
    }
}

/// The parts of earlier answers that a history has to have unchanged.
#[derive(Debug, Default)]
pub(crate) struct Issued {
    signatures: HashSet<String>,
    /// Signatures by the calls that they came with: by id, or name and arguments where there is none.
    by_call: HashMap<String, String>,
}

impl Issued {
    fn note(&mut self, call: String, signature: &str) {
        self.signatures.insert(signature.to_owned());
        self.by_call.insert(call, signature.to_owned());
    }
}

/// The text of a 400.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal(pub(crate) String);

type Checked = Result<(), Refusal>;

fn refuse<T>(text: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal(text.into()))
}

impl Wire {
    /// Returns the whole answer.
    pub(crate) fn whole(self, answering: Answering<'_>) -> Value {
        match self {
            Self::Chat => chat::whole(answering),
            Self::Responses => responses::whole(answering),
            Self::Anthropic => anthropic::whole(answering),
            Self::Gemini => gemini::whole(answering),
        }
    }

    /// Returns the answer as a stream.
    pub(crate) fn events(self, answering: Answering<'_>, request: &Value) -> Events {
        match self {
            Self::Chat => chat::events(answering, request),
            Self::Responses => responses::events(answering),
            Self::Anthropic => anthropic::events(answering),
            Self::Gemini => gemini::events(answering),
        }
    }

    /// Notes what a later history must hold unchanged.
    pub(crate) fn note(self, answering: Answering<'_>, issued: &mut Issued) {
        match self {
            Self::Chat => {}
            Self::Responses => responses::note(answering, issued),
            Self::Anthropic => anthropic::note(answering, issued),
            Self::Gemini => gemini::note(answering, issued),
        }
    }

    /// Checks a request as far as the API itself is known to.
    pub(crate) fn check(self, request: &Value, issued: &Issued) -> Checked {
        match self {
            Self::Chat => chat::check(request),
            Self::Responses => responses::check(request, issued),
            Self::Anthropic => anthropic::check(request, issued),
            Self::Gemini => gemini::check(request, issued),
        }
    }

    /// The body of an error in the vendor's form.
    pub(crate) fn error(self, status: u16, message: &str) -> Value {
        match self {
            Self::Chat | Self::Responses => {
                let (kind, code) = match status {
                    401 => ("invalid_request_error", json!("invalid_api_key")),
                    404 => ("invalid_request_error", json!("model_not_found")),
                    429 => ("requests", json!("rate_limit_exceeded")),
                    400 => ("invalid_request_error", Value::Null),
                    _ => ("server_error", Value::Null),
                };
                json!({"error": {"message": message, "type": kind, "param": null, "code": code}})
            }
            Self::Anthropic => {
                let kind = match status {
                    400 => "invalid_request_error",
                    401 => "authentication_error",
                    404 => "not_found_error",
                    429 => "rate_limit_error",
                    529 => "overloaded_error",
                    _ => "api_error",
                };
                json!({"type": "error", "error": {"type": kind, "message": message},
                    "request_id": "req_stand_in"})
            }
            Self::Gemini => {
                let kind = match status {
                    400 => "INVALID_ARGUMENT",
                    401 => "UNAUTHENTICATED",
                    404 => "NOT_FOUND",
                    429 => "RESOURCE_EXHAUSTED",
                    503 => "UNAVAILABLE",
                    _ => "INTERNAL",
                };
                json!({"error": {"code": status, "message": message, "status": kind}})
            }
        }
    }

    /// The event of an error in the middle of a stream.
    pub(crate) fn error_event(self) -> String {
        let message = "the model failed in the middle of its answer";
        match self {
            Self::Chat | Self::Gemini => format!("data: {}\n\n", self.error(503, message)),
            Self::Responses => {
                let error = json!({"type": "error", "sequence_number": 99, "code": "server_error",
                    "message": message, "param": null});
                format!("event: error\ndata: {error}\n\n")
            }
            Self::Anthropic => {
                format!("event: error\ndata: {}\n\n", self.error(529, message))
            }
        }
    }

    /// The status and the message of a failure that comes in place of an answer.
    pub(crate) fn status(self, failure: &Failure) -> Option<(u16, &'static str)> {
        Some(match failure {
            Failure::Unauthorized => (401, "the API key is not valid"),
            Failure::UnknownModel => (404, "there is no such model, or the key may not use it"),
            Failure::RateLimited { .. } => (429, "too many requests in this minute"),
            Failure::ServerError => (500, "an error inside of the provider"),
            Failure::Overloaded if self == Self::Anthropic => (529, "overloaded"),
            Failure::Overloaded => (503, "overloaded"),
            _ => return None,
        })
    }

    /// Returns true if a request wants its answer as a stream; of Gemini the path says so.
    pub(crate) fn is_streamed(self, path: &str, request: &Value) -> bool {
        match self {
            Self::Gemini => path.ends_with(":streamGenerateContent"),
            _ => request["stream"] == true,
        }
    }
}

/// Returns the members of an array, none of anything else.
fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Returns a text, the empty one of anything else.
fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Checks the name of a tool: letters, digits, `_` and what an API takes beside them, up to a length.
fn check_name(name: &str, more: &str, longest: usize) -> Checked {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || more.contains(c);
    if name.is_empty() || name.len() > longest || !name.chars().all(is_word) {
        return refuse(format!(
            "the tool name {name:?} is outside of the alphabet or too long"
        ));
    }
    Ok(())
}

/// Checks that no name is there twice.
fn check_unique<'n>(names: impl Iterator<Item = &'n str>) -> Checked {
    let mut seen = HashSet::new();
    for name in names {
        if !seen.insert(name) {
            return refuse(format!("the tool name {name:?} is there twice"));
        }
    }
    Ok(())
}

/// Checks that each call has one result.
fn check_results(calls: &[&str], results: &[&str]) -> Checked {
    for call in calls {
        match results.iter().filter(|result| result == &call).count() {
            0 => return refuse(format!("the call {call} has no result")),
            1 => {}
            _ => return refuse(format!("the call {call} has several results")),
        }
    }
    match results.iter().find(|result| !calls.contains(result)) {
        Some(unknown) => refuse(format!("there is no call {unknown:?} for this result")),
        None => Ok(()),
    }
}
