//! The output of a tool.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::block::{Content, JsonText};
use super::error::ToolError;
use super::extras::Extras;
use crate::state::StateCommand;
use crate::util::hash::ContentHash;

/// The parts of an output. Most outputs have one, which needs no allocation of its own.
#[derive(Clone, Default)]
pub(crate) enum ContentParts {
    #[default]
    None,
    One(Content),
    Many(Vec<Content>),
}

impl ContentParts {
    pub(crate) fn as_slice(&self) -> &[Content] {
        match self {
            Self::None => &[],
            Self::One(part) => std::slice::from_ref(part),
            Self::Many(parts) => parts,
        }
    }

    pub(crate) fn as_mut_slice(&mut self) -> &mut [Content] {
        match self {
            Self::None => &mut [],
            Self::One(part) => std::slice::from_mut(part),
            Self::Many(parts) => parts,
        }
    }

    pub(crate) fn push(&mut self, part: Content) {
        *self = match std::mem::take(self) {
            Self::None => Self::One(part),
            Self::One(first) => Self::Many(vec![first, part]),
            Self::Many(mut parts) => {
                parts.push(part);
                Self::Many(parts)
            }
        };
    }
}

impl IntoIterator for ContentParts {
    type Item = Content;
    type IntoIter = std::vec::IntoIter<Content>;

    fn into_iter(self) -> Self::IntoIter {
        match self {
            Self::None => Vec::new(),
            Self::One(part) => vec![part],
            Self::Many(parts) => parts,
        }
        .into_iter()
    }
}

impl fmt::Debug for ContentParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_slice().fmt(f)
    }
}

impl PartialEq for ContentParts {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl FromIterator<Content> for ContentParts {
    fn from_iter<I: IntoIterator<Item = Content>>(parts: I) -> Self {
        let mut all = Self::None;
        for part in parts {
            all.push(part);
        }
        all
    }
}

impl Serialize for ContentParts {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_slice().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ContentParts {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::<Content>::deserialize(deserializer).map(Self::from_iter)
    }
}

/// The output of a tool: parts for the model, and the error, if they describe one.
///
/// A tool need not name this type: text, `()`, and whatever implements `Serialize` are turned into
/// it. Name it for several parts, images, links, or an error that is an answer.
///
/// ```
/// use toolwright::{Content, ToolOutput};
///
/// let output = ToolOutput::text("three hits").with(Content::json(&[1, 2, 3])?);
/// assert_eq!(output.content().len(), 2);
/// assert!(!output.is_error());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ToolOutput {
    pub(crate) parts: ContentParts,
    pub(crate) error: Option<ToolError>,
    pub(crate) extras: Option<Box<Extras>>,
}

impl ToolOutput {
    /// Success with nothing to say.
    pub fn empty() -> Self {
        Self::default()
    }

    /// Text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::from(Content::text(text))
    }

    /// Structured data.
    ///
    /// # Errors
    ///
    /// Fails if the value cannot be written as JSON.
    pub fn json<T: Serialize + ?Sized>(value: &T) -> Result<Self, serde_json::Error> {
        Content::json(value).map(Self::from)
    }

    /// Structured data and a message about it; the model sees both.
    ///
    /// # Errors
    ///
    /// Fails if the value cannot be written as JSON.
    pub fn message<T: Serialize + ?Sized>(
        value: &T,
        message: impl Into<String>,
    ) -> Result<Self, serde_json::Error> {
        Ok(Self::json(value)?.with(Content::text(message)))
    }

    /// An error for the model to read and act on, as `Err` with a
    /// [`ToolError::failed`] would be.
    pub fn error(message: impl Into<String>) -> Self {
        Self::from(ToolError::failed(message))
    }

    /// An error with a code for programs to decide by; the model reads both.
    pub fn error_with_code(code: impl Into<Cow<'static, str>>, message: impl fmt::Display) -> Self {
        let code = code.into();
        Self::from(ToolError::failed(format!("[{code}] {message}")).with_code(code))
    }

    /// It is not done, and goes on elsewhere, for instance as a job: the model reads the message, and
    /// the status of the result is [`ToolStatus::Pending`](crate::content::ToolStatus::Pending).
    pub fn pending(message: impl Into<String>) -> Self {
        Self::text(message).with_pending()
    }

    /// Makes the output tell of an error, and leaves its parts as they are.
    pub fn with_error(mut self, error: ToolError) -> Self {
        self.error = Some(error);
        self
    }

    /// Makes the output say that the call is [not done](Self::pending), and leaves its parts as they are.
    pub fn with_pending(mut self) -> Self {
        self.extras.get_or_insert_default().is_pending = true;
        self
    }

    /// Adds a part.
    pub fn with(mut self, part: Content) -> Self {
        self.parts.push(part);
        self
    }

    /// Adds what the host may want to know; the model does not see it.
    pub fn with_metadata(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.extras
            .get_or_insert_default()
            .metadata
            .get_or_insert_default()
            .insert(key.into(), value.into());
        self
    }

    /// Adds something that is to happen in the session once the call has succeeded, after what was added
    /// before; an output that tells of an error has no effect. It is no part of the
    /// [result](crate::ToolResult), and nobody but the executor sees it.
    ///
    /// ```
    /// use toolwright::{tool, ToolOutput};
    /// use toolwright::state::StateCommand;
    ///
    /// struct WorkingDirectory(String);
    ///
    /// /// Go to another directory.
    /// #[tool(read_only)]
    /// fn change_directory(path: String) -> ToolOutput {
    ///     ToolOutput::text(format!("now in {path}"))
    ///         .with_command(StateCommand::set(WorkingDirectory(path)))
    /// }
    /// ```
    pub fn with_command(mut self, command: StateCommand) -> Self {
        self.extras.get_or_insert_default().commands.push(command);
        self
    }

    /// Notes the hash of the output, and whether the output is in the form that was hashed.
    pub(crate) fn note_response(&mut self, response: Option<(ContentHash, bool)>) {
        if let Some((hash, is_normal)) = response {
            let extras = self.extras.get_or_insert_default();
            extras.response_hash = Some(hash);
            extras.normalized = is_normal;
        }
    }

    /// The hash of the output and whether it is in the form that was hashed, if it was recorded.
    pub(crate) fn response(&self) -> Option<(ContentHash, bool)> {
        let extras = self.extras.as_deref()?;
        Some((extras.response_hash?, extras.normalized))
    }

    /// The commands that the session gets once the call has succeeded, the first first.
    #[inline]
    pub fn commands(&self) -> &[StateCommand] {
        self.extras
            .as_deref()
            .map_or(&[], |extras| &extras.commands)
    }

    /// The same, for whoever has it happen.
    pub(crate) fn take_commands(&mut self) -> Vec<StateCommand> {
        let extras = self.extras.as_deref_mut();
        extras.map_or_else(Vec::new, |extras| std::mem::take(&mut extras.commands))
    }

    /// The bytes of all that the model may see.
    #[inline]
    pub(crate) fn size(&self) -> u64 {
        match self.content() {
            [] => 0,
            [part] => part.size(),
            parts => parts.iter().map(Content::size).sum(),
        }
    }

    /// The parts.
    pub fn content(&self) -> &[Content] {
        self.parts.as_slice()
    }

    /// The parts, to be changed in place: a [recorder](crate::record::CallRecording::end) may bring their JSON into
    /// another form.
    pub fn content_mut(&mut self) -> &mut [Content] {
        self.parts.as_mut_slice()
    }

    /// The host's part of the output: see [`ToolOutput::with_metadata`].
    pub fn metadata(&self) -> Option<&Map<String, Value>> {
        self.extras.as_deref()?.metadata.as_deref()
    }

    /// The error, if the output tells of one.
    pub fn as_error(&self) -> Option<&ToolError> {
        self.error.as_ref()
    }

    /// Returns true if the output says that the call is [not done](Self::pending).
    pub fn is_pending(&self) -> bool {
        self.extras
            .as_deref()
            .is_some_and(|extras| extras.is_pending)
    }

    /// Returns true if the output is an error.
    pub fn is_error(&self) -> bool {
        self.error.is_some()
    }
}

impl From<Content> for ToolOutput {
    #[inline]
    fn from(part: Content) -> Self {
        Self {
            parts: ContentParts::One(part),
            ..Self::default()
        }
    }
}

impl From<String> for ToolOutput {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

impl From<&str> for ToolOutput {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

/// Nothing to say.
impl From<()> for ToolOutput {
    fn from((): ()) -> Self {
        Self::empty()
    }
}

/// Data, as a tool that returns it would give it: a text stays text, `null` is nothing to say.
impl From<Value> for ToolOutput {
    fn from(value: Value) -> Self {
        match value {
            Value::Null => Self::empty(),
            Value::String(text) => Self::text(text),
            data => Self::from(Content::Json {
                json: JsonText::written(data.to_string()),
            }),
        }
    }
}

impl From<Map<String, Value>> for ToolOutput {
    fn from(object: Map<String, Value>) -> Self {
        Self::from(Value::Object(object))
    }
}

impl From<Vec<Content>> for ToolOutput {
    fn from(parts: Vec<Content>) -> Self {
        parts.into_iter().collect()
    }
}

/// An output that tells of the error: its message is the text.
impl From<ToolError> for ToolOutput {
    fn from(error: ToolError) -> Self {
        Self {
            parts: ContentParts::One(Content::text(error.message())),
            error: Some(error),
            extras: None,
        }
    }
}

impl FromIterator<Content> for ToolOutput {
    fn from_iter<I: IntoIterator<Item = Content>>(parts: I) -> Self {
        Self {
            parts: parts.into_iter().collect(),
            ..Self::default()
        }
    }
}
