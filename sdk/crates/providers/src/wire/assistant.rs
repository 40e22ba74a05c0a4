//! The message that a model answered with.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::call::{CallReader, ProviderCall};
use super::error::{MAX_CALLS, MAX_MESSAGE_BYTES, MessageError};
use super::message::Message;
use super::stop::StopReason;
use super::usage::Usage;
use super::{anthropic, chat, gemini, responses};
use crate::Api;

/// The message that a model answered with: its text, its calls, and what goes back into the conversation.
///
/// Arguments are left as they were written, so that they are parsed once, by the tool. A call that a server sent broken
/// is a call all the same, and has a [refusal](ProviderCall::refusal) for the model.
///
/// ```
/// use toolwright_providers::{Api, AssistantMessage, StopReason};
///
/// let body = r#"{"choices": [{"index": 0, "finish_reason": "tool_calls", "message": {"role": "assistant", "content": null,
///     "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "add", "arguments": "{\"a\": 1}"}}]}}]}"#;
/// let message = AssistantMessage::read(Api::OpenAiChat, body)?;
/// assert_eq!(message.stop_reason(), &StopReason::Calls);
/// assert_eq!(message.calls()[0].name(), "add");
/// assert_eq!(message.calls()[0].arguments(), r#"{"a": 1}"#);
/// # Ok::<(), toolwright_providers::MessageError>(())
/// ```
#[derive(Debug, Clone)]
pub struct AssistantMessage<'m> {
    pub(super) text: Cow<'m, str>,
    pub(super) stop_reason: StopReason,
    pub(super) usage: Option<Usage>,
    pub(super) calls: Vec<ProviderCall<'m>>,
    pub(super) history: Vec<Entry<'m>>,
}

/// A message for the history.
#[derive(Debug, Clone)]
pub(super) enum Entry<'m> {
    /// As it came.
    Raw(&'m RawValue),
    /// Written anew, since it was not valid as it came or does not stand in the response as a message.
    Written(Message),
}

impl<'m> AssistantMessage<'m> {
    /// Reads the body of a response, or a message of one alone: `choices[0].message`, the items of `output`, the message
    /// of Anthropic, `candidates[0].content`. Of several choices or candidates it is the first.
    ///
    /// # Errors
    ///
    /// Fails if the text is no JSON or no message, if it is an error that the API answered with, and if it is larger
    /// than 64 MiB or has more than 1024 calls.
    pub fn read(api: Api, text: &'m str) -> Result<Self, MessageError> {
        let too_large = |limit| MessageError::TooLarge { api, limit };
        if text.len() > MAX_MESSAGE_BYTES {
            return Err(too_large("64 MiB"));
        }
        let calls = CallReader::new(api, text);
        let read = match api {
            Api::OpenAiChat | Api::Compatible => chat::read(api, text, calls),
            Api::OpenAiResponses => responses::read(text, calls),
            Api::Anthropic => anthropic::read(text, calls),
            Api::Gemini => gemini::read(text, calls),
        };
        let message = match read {
            Ok(Some(message)) => message,
            Ok(None) => return Err(MessageError::of(api, text)),
            Err(error) => return Err(MessageError::unreadable(api, text, error)),
        };
        if message.calls.len() > MAX_CALLS {
            return Err(too_large("1024 calls"));
        }
        Ok(message)
    }

    /// The text that the model wrote for people, its refusal included; empty if it wrote none. Reasoning is not a part
    /// of it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The reason why the model stopped.
    pub fn stop_reason(&self) -> &StopReason {
        &self.stop_reason
    }

    /// The calls of the app's tools, in their order. Tools that the API runs itself are not among them.
    pub fn calls(&self) -> &[ProviderCall<'m>] {
        &self.calls
    }

    /// The tokens of the request; `None` if a message was read without its response.
    pub fn usage(&self) -> Option<Usage> {
        self.usage
    }

    /// Returns the messages to append to the conversation: as they came, signatures and numbers included, but for what
    /// the API would not take back, such as a call without an id. Empty if the model answered with nothing.
    pub fn into_messages(self) -> Vec<Message> {
        let entries = self.history.into_iter();
        let messages = entries.map(|entry| match entry {
            Entry::Raw(raw) => Message::raw(raw),
            Entry::Written(message) => message,
        });
        messages.collect()
    }
}
