//! The message that a model answered with.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::call::{CallReader, ProviderCall};
use super::contents::Read;
use super::error::{MAX_CALLS, MAX_MESSAGE_BYTES, MessageError};
use super::message::Message;
use super::results::{Answered, write_results};
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
    api: Api,
    /// The text that was read.
    source: &'m str,
    text: Cow<'m, str>,
    stop_reason: StopReason,
    usage: Option<&'m RawValue>,
    calls: Vec<ProviderCall<'m>>,
    /// True if the API would not take the message back as it came.
    must_write: bool,
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
        let Read {
            mut contents,
            stop_reason,
            usage,
        } = match read {
            Ok(Some(read)) => read,
            Ok(None) => return Err(MessageError::of(api, text)),
            Err(error) => return Err(MessageError::unreadable(api, text, error)),
        };
        let calls = contents.take_calls(&stop_reason);
        if calls.len() > MAX_CALLS {
            return Err(too_large("1024 calls"));
        }
        Ok(Self {
            api,
            source: text,
            text: contents.text,
            stop_reason,
            usage,
            calls,
            must_write: contents.must_write,
        })
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
        Usage::read(self.usage)
    }

    /// Returns a result for each call, an error with this text, without running anything. An API takes a message with calls
    /// only together with their results, so this completes a conversation whose results were lost: its app has ended
    /// while the calls ran. A call with a [refusal](ProviderCall::refusal) has that in its result.
    ///
    /// ```
    /// use toolwright_providers::{Api, AssistantMessage};
    ///
    /// let kept = r#"{"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "pay", "input": {}}]}"#;
    /// let message = AssistantMessage::read(Api::Anthropic, kept)?;
    /// let results = message.error_results("The result of this call was lost. The call may have run.");
    /// assert!(results[0].as_str().contains(r#""tool_use_id":"toolu_1""#));
    /// # Ok::<(), toolwright_providers::MessageError>(())
    /// ```
    pub fn error_results(&self, text: &str) -> Vec<Message> {
        let answered = self.calls.iter().map(|call| {
            let why = call.refusal().unwrap_or(text);
            Answered::refused(call, why)
        });
        write_results(self.api, &answered.collect::<Vec<_>>())
    }

    /// Returns the messages to append to the conversation: as they came, signatures and numbers included, but for what
    /// the API would not take back, such as a call without an id. Empty if the model answered with nothing.
    pub fn into_messages(self) -> Vec<Message> {
        // A message that must be written is written call by call.
        let fixes = self.must_write.then_some(&*self.calls);
        let history = match self.api {
            Api::OpenAiChat | Api::Compatible => chat::history(self.api, self.source, fixes),
            Api::OpenAiResponses => responses::history(self.source, fixes),
            Api::Anthropic => anthropic::history(self.source, fixes),
            Api::Gemini => gemini::history(self.source, fixes),
        };
        // The text has been read before.
        history.unwrap_or_default()
    }
}
