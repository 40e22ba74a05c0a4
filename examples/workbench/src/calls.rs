//! Lines of calls: one call, or a message with several, as a model's provider writes them, or plain.

use std::io::{self, BufRead, Read as _};

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use toolwright::ToolCall;
use toolwright::arguments::Arguments;
use toolwright_providers::{Api, AssistantMessage, MessageError, ProviderCall};

/// The most bytes of a call's arguments: files are written whole.
pub(crate) const MAX_CALL: usize = 64 * 1024 * 1024;

/// The members by which the forms are told apart, and those of the plain form.
#[derive(Deserialize)]
struct Line<'l> {
    #[serde(default)]
    id: Option<Id>,
    #[serde(default)]
    name: Option<String>,
    #[serde(default, borrow)]
    arguments: Option<&'l RawValue>,
    #[serde(default)]
    r#type: Option<String>,
    #[serde(default)]
    function: Option<IgnoredAny>,
    #[serde(default, rename = "functionCall")]
    function_call: Option<IgnoredAny>,
    #[serde(default)]
    tool_calls: Option<IgnoredAny>,
    #[serde(default)]
    choices: Option<IgnoredAny>,
    #[serde(default)]
    candidates: Option<IgnoredAny>,
    #[serde(default, borrow)]
    content: Option<&'l RawValue>,
    #[serde(default, borrow)]
    output: Option<&'l RawValue>,
    #[serde(default, borrow)]
    parts: Option<&'l RawValue>,
}

impl Line<'_> {
    /// The API whose messages have such an entry, with the text that stands around it there.
    fn entry_of(&self) -> Option<(Api, &'static str, &'static str)> {
        let message = match self.r#type.as_deref() {
            Some("tool_use") => (Api::Anthropic, r#"{"role":"assistant","content":["#, "]}"),
            Some("function_call") => (Api::OpenAiResponses, r#"{"output":["#, "]}"),
            _ if self.function.is_some() => (
                Api::Compatible,
                r#"{"role":"assistant","tool_calls":["#,
                "]}",
            ),
            _ if self.function_call.is_some() => {
                (Api::Gemini, r#"{"role":"model","parts":["#, "]}")
            }
            _ => return None,
        };
        Some(message)
    }

    /// The API that has such messages or responses.
    fn message_of(&self) -> Option<Api> {
        let is_list = |member: Option<&RawValue>| member.is_some_and(|m| m.get().starts_with('['));
        if self.tool_calls.is_some() || self.choices.is_some() {
            Some(Api::Compatible)
        } else if is_list(self.content) {
            Some(Api::Anthropic)
        } else if is_list(self.output) {
            Some(Api::OpenAiResponses)
        } else if is_list(self.parts) || self.candidates.is_some() {
            Some(Api::Gemini)
        } else {
            None
        }
    }
}

/// Providers send text; by hand a number is as good.
#[derive(Deserialize)]
#[serde(untagged, expecting = "an id is a text or a number")]
enum Id {
    Text(String),
    Number(serde_json::Number),
}

/// The reason why a line is not a call.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotACall {
    /// A line that is longer than the reader allows.
    #[error("it is too long")]
    TooLong,
    /// Bytes that are not UTF-8.
    #[error("it is not UTF-8 text")]
    Encoding(#[from] std::str::Utf8Error),
    /// JSON of another kind, or a member of a list that is no object.
    #[error("it is not a JSON object")]
    NoObject,
    /// Text that is not JSON, or has a member of another type.
    #[error("it cannot be read: {0}")]
    Json(serde_json::Error),
    /// A message that its API does not have.
    #[error(transparent)]
    Message(#[from] MessageError),
    /// A call of a message that cannot run, with the reason for the model.
    #[error("{0}")]
    Refused(String),
    /// A message without calls.
    #[error("there is no call in it")]
    Empty,
    /// An object that names no tool.
    #[error("it has no `name`, and no `function` or `functionCall` with a `name` either")]
    Nameless,
}

// This error's message has its text already, so it is no cause beside it.
impl From<serde_json::Error> for NotACall {
    fn from(error: serde_json::Error) -> Self {
        Self::Json(error)
    }
}

/// The calls of a line.
#[derive(Debug)]
pub(crate) enum Said<'l> {
    /// A single call.
    One(ToolCall<'l>),
    /// The calls of one message, to be run side by side; a member that is no call leaves the others.
    Several(Vec<Result<ToolCall<'l>, NotACall>>),
}

/// Reads one line, without space around it.
///
/// # Errors
///
/// Fails if the line is neither a call nor a message with calls.
pub(crate) fn parse(line: &[u8]) -> Result<Said<'_>, NotACall> {
    let line = std::str::from_utf8(line)?;
    if line.starts_with('[') {
        return several(serde_json::from_str(line)?);
    }
    let parsed = object(line)?;
    match parsed.message_of() {
        Some(api) => {
            let calls = message(api, line)?;
            if calls.is_empty() {
                return Err(NotACall::Empty);
            }
            Ok(Said::Several(calls))
        }
        None => call(parsed, line).map(Said::One),
    }
}

/// Returns true if a line is an entry of a conversation without calls.
pub(crate) fn has_none(line: &[u8]) -> bool {
    matches!(parse(line), Err(NotACall::Empty | NotACall::Nameless))
}

/// Reads one call, without space around it.
///
/// # Errors
///
/// Fails if the text is not one call.
pub(crate) fn parse_one(line: &[u8]) -> Result<ToolCall<'_>, NotACall> {
    one(std::str::from_utf8(line)?)
}

fn one(text: &str) -> Result<ToolCall<'_>, NotACall> {
    call(object(text)?, text)
}

fn several(calls: Vec<&RawValue>) -> Result<Said<'_>, NotACall> {
    if calls.is_empty() {
        return Err(NotACall::Empty);
    }
    Ok(Said::Several(
        calls.into_iter().map(|text| one(text.get())).collect(),
    ))
}

fn object(text: &str) -> Result<Line<'_>, NotACall> {
    // serde would take the members in their order from an array.
    if !text.starts_with('{') {
        return Err(NotACall::NoObject);
    }
    Ok(serde_json::from_str(text)?)
}

/// The calls of a message, as the crate of the APIs reads them.
fn message(api: Api, text: &str) -> Result<Vec<Result<ToolCall<'static>, NotACall>>, NotACall> {
    let message = AssistantMessage::read(api, text)?;
    let call = |call: &ProviderCall<'_>| {
        if let Some(why) = call.refusal() {
            return Err(NotACall::Refused(why.to_owned()));
        }
        let (name, arguments) = (call.name().to_owned(), call.arguments().to_owned());
        let made = ToolCall::new(name, arguments);
        Ok(if call.sends_id() {
            made.with_id(call.id())
        } else {
            made
        })
    };
    Ok(message.calls().iter().map(call).collect())
}

fn call<'l>(line: Line<'l>, text: &'l str) -> Result<ToolCall<'l>, NotACall> {
    if let Some((api, before, after)) = line.entry_of() {
        let calls = message(api, &format!("{before}{text}{after}"))?;
        return calls.into_iter().next().ok_or(NotACall::Nameless)?;
    }
    let name = line.name.ok_or(NotACall::Nameless)?;
    let arguments = match line.arguments.map(RawValue::get) {
        None => Arguments::empty(),
        // JSON in a string, as some write it by hand too.
        Some(text) if text.starts_with('"') => serde_json::from_str::<String>(text)?.into(),
        Some(text) => text.into(),
    };
    let call = ToolCall::new(name, arguments);
    Ok(match line.id {
        None => call,
        Some(Id::Text(id)) => call.with_id(id),
        Some(Id::Number(id)) => call.with_id(id.to_string()),
    })
}

/// A line with its end; `None` where it is too long to be one.
pub(crate) type Text = Option<Vec<u8>>;

/// Reads the next line with its end, of at most so many bytes. `None` is the end of the input;
/// `Some(None)` is a longer line, which is dropped.
///
/// # Errors
///
/// Fails if the input cannot be read.
pub(crate) fn next_line(reader: &mut impl BufRead, longest: usize) -> io::Result<Option<Text>> {
    let mut line = Vec::new();
    if reader.take(longest as u64).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.len() == longest && !line.ends_with(b"\n") {
        reader.skip_until(b'\n')?;
        return Ok(Some(None));
    }
    Ok(Some(Some(line)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use toolwright::id::CallId;

    #[test]
    fn all_forms_are_one_call() {
        for line in [
            r#"{"id":"c1","name":"fs_read","arguments":{"path":"a"}}"#,
            r#"{"type":"tool_use","id":"c1","name":"fs_read","input":{"path":"a"}}"#,
            r#"{"id":"c1","type":"function","function":{"name":"fs_read","arguments":"{\"path\":\"a\"}"}}"#,
            r#"{"type":"function_call","id":"fc_1","call_id":"c1","name":"fs_read","arguments":"{\"path\":\"a\"}","status":"completed"}"#,
            r#"{"functionCall":{"id":"c1","name":"fs_read","args":{"path":"a"}},"thoughtSignature":"CtQC"}"#,
        ] {
            let call = parse_one(line.as_bytes()).unwrap();
            assert_eq!(call.name(), "fs_read");
            assert_eq!(call.id().map(CallId::as_str), Some("c1"));
            assert_eq!(
                call.arguments().as_text(),
                Some(r#"{"path":"a"}"#),
                "{line}"
            );
        }
    }

    #[test]
    fn what_is_no_call_is_told() {
        assert!(matches!(parse(b"{"), Err(NotACall::Json(_))));
        assert!(matches!(parse(b"\xff"), Err(NotACall::Encoding(_))));
        assert!(matches!(parse(b"17"), Err(NotACall::NoObject)));
        assert!(matches!(
            parse_one(br#"[null, "fs.read"]"#),
            Err(NotACall::NoObject)
        ));
        for nameless in [r#"{"id":"x"}"#, r#"{"content":"just words"}"#] {
            let parsed = parse(nameless.as_bytes());
            assert!(matches!(parsed, Err(NotACall::Nameless)), "{nameless}");
        }
    }

    #[test]
    fn a_message_has_several_calls() {
        for line in [
            r#"[{"name":"a"},{"name":"b"}]"#,
            r#"{"role":"assistant","tool_calls":[{"function":{"name":"a"}},{"function":{"name":"b"}}]}"#,
            r#"{"role":"assistant","content":[{"type":"text","text":"So:"},{"type":"tool_use","id":"1","name":"a"},{"type":"tool_use","id":"2","name":"b"}]}"#,
            r#"{"output":[{"type":"reasoning","id":"r"},{"type":"function_call","call_id":"1","name":"a"},{"type":"function_call","call_id":"2","name":"b"}]}"#,
            r#"{"role":"model","parts":[{"text":"So:"},{"functionCall":{"name":"a"}},{"functionCall":{"name":"b"}}]}"#,
        ] {
            let Ok(Said::Several(calls)) = parse(line.as_bytes()) else {
                panic!("{line}");
            };
            let names: Vec<String> = calls
                .into_iter()
                .map(|call| call.unwrap().name().to_owned())
                .collect();
            assert_eq!(names, ["a", "b"], "{line}");
        }
    }

    #[test]
    fn what_is_no_call_of_a_message_leaves_the_others() {
        let Ok(Said::Several(calls)) = parse(br#"[null, {"name":"a"}]"#) else {
            panic!("it is a list");
        };
        assert!(matches!(calls[0], Err(NotACall::NoObject)));
        assert!(calls[1].is_ok());
    }
}
