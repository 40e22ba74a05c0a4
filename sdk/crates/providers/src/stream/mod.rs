//! Messages that come as server-sent events.

// - `events`: the events of a stream of bytes
// - `chat`, `responses`, `anthropic`, `gemini`: the message that the events of each API make
// - `growing`: objects and texts that grow
// - `surrogates`: halves of characters
// - `error`: streams that give no message

mod anthropic;
mod chat;
mod error;
mod events;
mod gemini;
mod growing;
mod responses;
mod surrogates;
#[cfg(test)]
mod tests;

use serde_json::value::RawValue;
use toolwright::text::one_line;

pub use error::StreamError;
use events::EventDecoder;
use surrogates::without_lone_surrogates;

use crate::{Api, ApiError};

/// The most bytes of a stream, unless an app sets another: 64 MiB.
const MAX_BYTES: usize = 64 << 20;

/// The most calls and blocks of a message that a stream makes.
const MAX_PARTS: usize = 1024;

/// News of a message that is being written, to show to people.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum StreamEvent {
    /// A piece of the text, or of the text of a refusal.
    Text(String),
    /// A piece of the reasoning, where the API shows it.
    Reasoning(String),
    /// The model begins to write a call.
    #[non_exhaustive]
    CallStarted {
        /// The number of the call in the message, from 0.
        index: usize,
        /// The name of the tool as the model writes it.
        name: String,
    },
    /// A piece of the arguments of a call. They are not whole, and nothing may run by them.
    #[non_exhaustive]
    ArgumentsDelta {
        /// The number of the call in the message, from 0.
        index: usize,
        /// A piece of JSON text.
        text: String,
    },
}

/// Assembles the message of a stream of server-sent events, from any split of its bytes.
///
/// [`push`](Self::push) takes the bytes of the response's body as they come, and gives what there is to show.
/// [`finish`](Self::finish) gives the response in its form without a stream, for
/// [`AssistantMessage::read`](crate::AssistantMessage::read). A stream that breaks off gives
/// [`StreamError::CutOff`] and no message, so that no call of it runs.
///
/// A response that is JSON instead of a stream, as errors are, is taken too.
///
/// ```
/// use toolwright_providers::{Api, AssistantMessage, MessageStream, StreamEvent};
///
/// let mut stream = MessageStream::new(Api::OpenAiChat);
/// let mut shown = String::new();
/// for bytes in [
///     "data: {\"choices\": [{\"index\": 0, \"delta\": {\"role\": \"assistant\", \"content\": \"Hel",
///     "lo\"}}]}\n\ndata: {\"choices\": [{\"index\": 0, \"delta\": {}, \"finish_reason\": \"stop\"}]}\n\ndata: [DONE]\n\n",
/// ] {
///     for event in stream.push(bytes.as_bytes())? {
///         if let StreamEvent::Text(text) = event {
///             shown += &text;
///         }
///     }
/// }
/// let response = stream.finish()?;
/// let message = AssistantMessage::read(Api::OpenAiChat, &response)?;
/// assert_eq!((message.text(), &*shown), ("Hello", "Hello"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct MessageStream {
    api: Api,
    max_bytes: usize,
    received: usize,
    form: ResponseForm,
    failed: Option<StreamError>,
}

/// The form of a response, which its first byte tells.
#[derive(Debug)]
enum ResponseForm {
    Unknown,
    Events(EventDecoder, Box<Assembler>),
    /// No event stream: a JSON body or a page.
    Body(Vec<u8>),
}

/// A message that is being assembled.
#[derive(Debug)]
enum Assembler {
    Chat(chat::ChatStream),
    Responses(responses::ResponsesStream),
    Anthropic(anthropic::AnthropicStream),
    Gemini(gemini::GeminiStream),
}

/// The reason why an event cannot be taken.
enum Trouble {
    Unreadable(serde_json::Error),
    Api(ApiError),
    TooManyParts,
}

impl From<serde_json::Error> for Trouble {
    fn from(error: serde_json::Error) -> Self {
        Self::Unreadable(error)
    }
}

impl MessageStream {
    /// A stream of which nothing has come.
    pub fn new(api: Api) -> Self {
        Self {
            api,
            max_bytes: MAX_BYTES,
            received: 0,
            form: ResponseForm::Unknown,
            failed: None,
        }
    }

    /// Sets the most bytes that a stream may have; more are an error. Default: 64 MiB.
    pub fn with_max_bytes(mut self, max_bytes: usize) -> Self {
        self.max_bytes = max_bytes;
        self
    }

    /// Takes bytes of the response's body, and returns what they tell of the message. Bytes after the end of the
    /// message are ignored.
    ///
    /// # Errors
    ///
    /// Fails if an event cannot be read, if the API reports an error, or if the stream is too large. Events that came
    /// before that are given first: the error is given by the next call of this method or of
    /// [`finish`](Self::finish).
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<StreamEvent>, StreamError> {
        let mut told = Vec::new();
        if self.failed.is_none()
            && let Err(error) = self.take(bytes, &mut told)
        {
            self.failed = Some(error);
        }
        match &self.failed {
            Some(error) if told.is_empty() => Err(error.clone()),
            _ => Ok(told),
        }
    }

    /// Returns true once the message is whole, so that there is no need to wait for the end of the response.
    pub fn is_complete(&self) -> bool {
        self.failed.is_none()
            && matches!(&self.form, ResponseForm::Events(_, assembler) if assembler.is_complete())
    }

    /// Ends the stream, and returns the response in its form without a stream.
    ///
    /// # Errors
    ///
    /// Fails if the message is not whole, and for the reasons of [`push`](Self::push).
    pub fn finish(mut self) -> Result<String, StreamError> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        let api = self.api;
        let cut_off = |place: String| StreamError::CutOff { api, place };
        match std::mem::replace(&mut self.form, ResponseForm::Unknown) {
            ResponseForm::Unknown => Err(cut_off("before it began".to_owned())),
            ResponseForm::Body(bytes) => body(api, &bytes),
            ResponseForm::Events(decoder, mut assembler) => {
                let mut failed = None;
                decoder.finish(|data| match assembler.event(data, &mut Vec::new()) {
                    Ok(goes_on) => goes_on,
                    Err(trouble) => {
                        failed = Some(trouble);
                        false
                    }
                });
                match failed {
                    Some(Trouble::Api(error)) => Err(StreamError::Api { api, error }),
                    // The last event has no end: it is a piece of one.
                    Some(_) => Err(cut_off("within an event".to_owned())),
                    None => assembler.finish(api).map_err(cut_off),
                }
            }
        }
    }

    fn take(&mut self, mut bytes: &[u8], told: &mut Vec<StreamEvent>) -> Result<(), StreamError> {
        if self.is_complete() {
            return Ok(());
        }
        self.received = self.received.saturating_add(bytes.len());
        let (api, max_bytes) = (self.api, self.max_bytes);
        let is_too_large = self.received > max_bytes;
        let too_large = |limit, unit| StreamError::TooLarge { api, limit, unit };
        if matches!(self.form, ResponseForm::Unknown) {
            // White space and a byte order mark say nothing; a decoder ignores both.
            let is_blank = |b: &u8| matches!(b, b' ' | b'\t' | b'\r' | b'\n' | 0xef | 0xbb | 0xbf);
            let blanks = bytes.iter().take_while(|b| is_blank(b)).count();
            bytes = bytes.get(blanks..).unwrap_or_default();
            let first = bytes.first();
            self.form = match first {
                None => return Ok(()),
                Some(b'{' | b'[' | b'<') => ResponseForm::Body(Vec::new()),
                Some(_) => {
                    ResponseForm::Events(EventDecoder::default(), Box::new(Assembler::new(api)))
                }
            };
        }
        let mut failed = None;
        match &mut self.form {
            ResponseForm::Unknown => {}
            ResponseForm::Body(body) => body.extend_from_slice(bytes),
            ResponseForm::Events(decoder, assembler) => {
                decoder.push(bytes, |data| match assembler.event(data, told) {
                    Ok(goes_on) => goes_on,
                    Err(trouble) => {
                        failed = Some(match trouble {
                            Trouble::Api(error) => StreamError::Api { api, error },
                            Trouble::TooManyParts => too_large(MAX_PARTS, "calls or blocks"),
                            Trouble::Unreadable(source) => StreamError::Unreadable {
                                api,
                                start: one_line(data, 80),
                                source: source.into(),
                            },
                        });
                        false
                    }
                });
            }
        }
        match failed {
            Some(error) => Err(error),
            None if is_too_large && !self.is_complete() => Err(too_large(max_bytes, "bytes")),
            None => Ok(()),
        }
    }
}

/// Returns a response that came without a stream.
fn body(api: Api, bytes: &[u8]) -> Result<String, StreamError> {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_start_matches('\u{feff}').trim();
    let not_events = || StreamError::NotEvents {
        api,
        start: one_line(text, 80),
    };
    match serde_json::from_str::<&RawValue>(text) {
        Ok(_) => match ApiError::read(text) {
            Some(error) => Err(StreamError::Api { api, error }),
            // Gemini gives a list of chunks, unless it is asked for events.
            None if text.starts_with('[') => Err(not_events()),
            None => Ok(text.to_owned()),
        },
        Err(error) if error.is_eof() => Err(StreamError::CutOff {
            api,
            place: "within a response that is no event stream".to_owned(),
        }),
        Err(_) => Err(not_events()),
    }
}

impl Assembler {
    fn new(api: Api) -> Self {
        match api {
            Api::OpenAiChat | Api::Compatible => Self::Chat(chat::ChatStream::default()),
            Api::OpenAiResponses => Self::Responses(responses::ResponsesStream::default()),
            Api::Anthropic => Self::Anthropic(anthropic::AnthropicStream::default()),
            Api::Gemini => Self::Gemini(gemini::GeminiStream::default()),
        }
    }

    /// Takes the data of an event. Returns false if the message is whole.
    fn event(&mut self, data: &str, told: &mut Vec<StreamEvent>) -> Result<bool, Trouble> {
        let data = &*without_lone_surrogates(data);
        match self {
            Self::Chat(stream) => stream.event(data, told)?,
            Self::Responses(stream) => stream.event(data, told)?,
            Self::Anthropic(stream) => stream.event(data, told)?,
            Self::Gemini(stream) => stream.event(data, told)?,
        }
        Ok(!self.is_complete())
    }

    fn is_complete(&self) -> bool {
        match self {
            Self::Chat(stream) => stream.is_complete(),
            Self::Responses(stream) => stream.is_complete(),
            Self::Anthropic(stream) => stream.is_complete(),
            // The chunk after the reason of the end may have the count of tokens.
            Self::Gemini(_) => false,
        }
    }

    /// Returns the response, or the place where it broke off.
    fn finish(self, api: Api) -> Result<String, String> {
        match self {
            Self::Chat(stream) => stream.finish(api),
            Self::Responses(stream) => stream.finish(),
            Self::Anthropic(stream) => stream.finish(),
            Self::Gemini(stream) => stream.finish(),
        }
    }
}
