//! Lines of calls: one call, or a message with several, as a model's provider writes them, or plain.

use std::io::{self, BufRead, Read as _};

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use toolwright::ToolCall;
use toolwright::arguments::Arguments;

/// The most bytes of a call's arguments: files are written whole.
pub(crate) const MAX_CALL: usize = 64 * 1024 * 1024;

/// All forms at once, told apart by their members.
#[derive(Deserialize)]
struct Line<'l> {
    #[serde(default)]
    id: Option<Id>,
    #[serde(default)]
    name: Option<String>,
    /// The arguments in the plain form.
    #[serde(default, borrow)]
    arguments: Option<&'l RawValue>,
    /// The arguments in Anthropic's `tool_use` block.
    #[serde(default, borrow)]
    input: Option<&'l RawValue>,
    /// The function in an entry of `OpenAI`'s `tool_calls`.
    #[serde(default, borrow)]
    function: Option<Function<'l>>,
    /// The id in an item of `OpenAI`'s Responses, whose `id` is that of the item.
    #[serde(default)]
    call_id: Option<Id>,
    /// The call in a part of Gemini's content.
    #[serde(default, borrow, rename = "functionCall")]
    function_call: Option<Function<'l>>,
    /// The calls in `OpenAI`'s messages.
    #[serde(default, borrow)]
    tool_calls: Option<Vec<&'l RawValue>>,
    /// The blocks in Anthropic's messages.
    #[serde(default, borrow)]
    content: Option<&'l RawValue>,
    /// The items in `OpenAI`'s Responses.
    #[serde(default, borrow)]
    output: Option<&'l RawValue>,
    /// The parts in Gemini's content.
    #[serde(default, borrow)]
    parts: Option<&'l RawValue>,
}

/// A member of a message, which has texts and other things beside its calls.
#[derive(Deserialize)]
struct Block {
    #[serde(default)]
    r#type: String,
    #[serde(default, rename = "functionCall")]
    function_call: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct Function<'l> {
    name: String,
    /// The id that Gemini gives to few calls.
    #[serde(default)]
    id: Option<Id>,
    #[serde(default, borrow, alias = "args")]
    arguments: Option<&'l RawValue>,
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
    if parsed.name.is_some() || parsed.function.is_some() || parsed.function_call.is_some() {
        return call(parsed).map(Said::One);
    }
    if let Some(calls) = parsed.tool_calls {
        return several(calls);
    }
    let members = [parsed.content, parsed.output, parsed.parts];
    let mut members = members.into_iter().flatten().map(RawValue::get);
    match members.find(|members| members.starts_with('[')) {
        Some(members) => {
            let mut blocks: Vec<&RawValue> = serde_json::from_str(members)?;
            blocks.retain(|block| {
                let block = serde_json::from_str::<Block>(block.get());
                block.is_ok_and(|block| {
                    let is_call = matches!(block.r#type.as_str(), "tool_use" | "function_call");
                    is_call || block.function_call.is_some()
                })
            });
            several(blocks)
        }
        None => Err(NotACall::Nameless),
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
    call(object(std::str::from_utf8(line)?)?)
}

fn several(calls: Vec<&RawValue>) -> Result<Said<'_>, NotACall> {
    if calls.is_empty() {
        return Err(NotACall::Empty);
    }
    let calls = calls.into_iter().map(|text| call(object(text.get())?));
    Ok(Said::Several(calls.collect()))
}

fn object(text: &str) -> Result<Line<'_>, NotACall> {
    // serde would take the members in their order from an array.
    if !text.starts_with('{') {
        return Err(NotACall::NoObject);
    }
    Ok(serde_json::from_str(text)?)
}

fn call(line: Line<'_>) -> Result<ToolCall<'_>, NotACall> {
    let id = line.call_id.or(line.id);
    let (name, id, arguments) = match (line.name, line.function.or(line.function_call)) {
        (Some(name), _) => (name, id, line.arguments.or(line.input)),
        (None, Some(function)) => (function.name, id.or(function.id), function.arguments),
        (None, None) => return Err(NotACall::Nameless),
    };
    let arguments = match arguments.map(RawValue::get) {
        None => Arguments::empty(),
        // `OpenAI` writes the arguments as JSON in a string.
        Some(text) if text.starts_with('"') => serde_json::from_str::<String>(text)?.into(),
        Some(text) => text.into(),
    };
    let call = ToolCall::new(name, arguments);
    Ok(match id {
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
            r#"{"role":"assistant","content":[{"type":"text","text":"So:"},{"type":"tool_use","name":"a"},{"type":"tool_use","name":"b"}]}"#,
            r#"{"output":[{"type":"reasoning","id":"r"},{"type":"function_call","name":"a"},{"type":"function_call","name":"b"}]}"#,
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
