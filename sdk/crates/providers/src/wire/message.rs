//! An entry of a conversation.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

/// An entry of a conversation in the form of one API: of `messages` for Chat Completions and Anthropic, of `input` for
/// Responses, of `contents` for Gemini.
///
/// It is kept as the JSON text that it came as or was written as, so that signatures, numbers and the order of members
/// survive. Two are equal if their texts are. `serde` writes and reads it as that JSON.
///
/// ```
/// use serde_json::json;
/// use toolwright_providers::Message;
///
/// let system = Message::from(json!({"role": "system", "content": "Be short."}));
/// assert!(system.as_str().contains("Be short."));
/// ```
#[derive(Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Message(Box<RawValue>);

impl Message {
    /// The JSON text.
    pub fn as_str(&self) -> &str {
        self.0.get()
    }

    /// Writes a message. A type of this crate, whose names are texts and whose numbers are finite, can always be
    /// written.
    pub(crate) fn of<T: Serialize + ?Sized>(message: &T) -> Self {
        Self(to_raw_value(message).unwrap_or_default())
    }

    pub(crate) fn raw(message: &RawValue) -> Self {
        Self(message.to_owned())
    }

    /// Takes JSON text that was written anew from parts of valid JSON.
    pub(crate) fn written(text: String) -> Self {
        Self(RawValue::from_string(text).unwrap_or_default())
    }
}

impl From<Value> for Message {
    fn from(message: Value) -> Self {
        Self::of(&message)
    }
}

impl From<Box<RawValue>> for Message {
    fn from(message: Box<RawValue>) -> Self {
        Self(message)
    }
}

impl PartialEq for Message {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Message {}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Message({})", self.as_str())
    }
}
