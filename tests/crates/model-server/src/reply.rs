//! The answers that a script gives.

use std::time::Duration;

use serde_json::Value;

/// An answer of the model to one request.
///
/// ```ignore
/// Reply::text("I count them.").call("text_count", json!({"text": "a b"}))
/// Reply::text("There are two.").slow(Duration::from_millis(20))
/// Reply::failure(Failure::RateLimited { seconds: 1 })
/// ```
#[derive(Debug, Clone)]
pub struct Reply {
    pub(crate) parts: Vec<Part>,
    pub(crate) truncated: bool,
    pub(crate) forever: bool,
    pub(crate) pace: Pace,
    pub(crate) failure: Option<Failure>,
}

/// A piece of an answer, in its order.
#[derive(Debug, Clone)]
pub(crate) enum Part {
    Thinking(String),
    Text(String),
    Call { name: String, arguments: String },
}

/// The time between the events of a stream.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Pace {
    pub(crate) pause: Duration,
    /// The number of events after which the server waits for [`ModelServer::go_on`](crate::ModelServer::go_on).
    pub(crate) held_after: Option<usize>,
    /// The bytes of a frame of the body; 0 for an event a frame.
    pub(crate) frame: usize,
}

/// Anything but a whole answer.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Failure {
    /// 401: the key is wrong.
    Unauthorized,
    /// 404: there is no such model.
    UnknownModel,
    /// 429 with `retry-after` in seconds.
    RateLimited {
        /// The seconds that the client shall wait.
        seconds: u64,
    },
    /// 500: an error of the provider.
    ServerError,
    /// 529 from Anthropic, 503 from the others.
    Overloaded,
    /// A body with status 200 that is no JSON, or any other text that is given.
    Body(String),
    /// The connection is closed before a status comes.
    Dropped,
    /// The first half of the answer, then the end of the body as if all were there.
    CutOff,
    /// The first half of the answer, then the connection is closed.
    DroppedMidway,
    /// The first half of a stream, then the provider's own error event.
    ErrorMidway,
}

impl Reply {
    fn new() -> Self {
        Self {
            parts: Vec::new(),
            truncated: false,
            forever: false,
            pace: Pace::default(),
            failure: None,
        }
    }

    /// Answers with a text.
    pub fn text(text: &str) -> Self {
        Self::new().and_text(text)
    }

    /// Answers with a call.
    pub fn call(name: &str, arguments: &Value) -> Self {
        Self::new().and_call(name, arguments)
    }

    /// Thinks before it answers. The thoughts are signed; the server refuses a history in which a signature was
    /// changed.
    pub fn thinking(text: &str) -> Self {
        let mut reply = Self::new();
        reply.parts.push(Part::Thinking(text.to_owned()));
        reply
    }

    /// Fails.
    pub fn failure(failure: Failure) -> Self {
        Self::new().then_fails(failure)
    }

    /// Adds a text.
    pub fn and_text(mut self, text: &str) -> Self {
        self.parts.push(Part::Text(text.to_owned()));
        self
    }

    /// Adds a call; calls of one reply are parallel.
    pub fn and_call(self, name: &str, arguments: &Value) -> Self {
        self.and_call_text(name, &arguments.to_string())
    }

    /// Adds a call whose arguments are a text, which may be no JSON where the API has them as text.
    pub fn and_call_text(mut self, name: &str, arguments: &str) -> Self {
        self.parts.push(Part::Call {
            name: name.to_owned(),
            arguments: arguments.to_owned(),
        });
        self
    }

    /// Ends because the limit of output tokens is reached.
    pub fn truncated(mut self) -> Self {
        self.truncated = true;
        self
    }

    /// Gives this reply to every further request too.
    pub fn forever(mut self) -> Self {
        self.forever = true;
        self
    }

    /// Waits between the events of the stream.
    pub fn slow(mut self, pause: Duration) -> Self {
        self.pace.pause = pause;
        self
    }

    /// Waits for [`ModelServer::go_on`](crate::ModelServer::go_on) after so many events of the stream; before the
    /// status with 0, also where the answer is not streamed.
    pub fn held_after(mut self, events: usize) -> Self {
        self.pace.held_after = Some(events);
        self
    }

    /// Sends the body in frames of so many bytes, whatever they cut through.
    pub fn in_frames_of(mut self, bytes: usize) -> Self {
        self.pace.frame = bytes;
        self
    }

    /// Breaks the answer.
    pub fn then_fails(mut self, failure: Failure) -> Self {
        self.failure = Some(failure);
        self
    }

    pub(crate) fn has_calls(&self) -> bool {
        self.parts
            .iter()
            .any(|part| matches!(part, Part::Call { .. }))
    }
}

/// The pieces of a text, as they come in a stream: words with the blank before them.
pub(crate) fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for c in text.chars() {
        match words.last_mut() {
            Some(word) if c != ' ' => word.push(c),
            _ => words.push(c.to_string()),
        }
    }
    words
}

/// The pieces of arguments: a few characters each.
pub(crate) fn fragments(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    characters
        .chunks(7)
        .map(|piece| piece.iter().collect())
        .collect()
}
