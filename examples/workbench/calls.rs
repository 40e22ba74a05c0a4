//! A line of calls: how a model's provider writes them, or plain.

use serde::Deserialize;
use serde_json::value::RawValue;
use toolwright::{Arguments, ToolCall};

/// The three forms at once, told apart by their members.
#[derive(Deserialize)]
struct Line<'l> {
    #[serde(default)]
    id: Option<Id>,
    #[serde(default)]
    name: Option<String>,
    /// Of the plain form.
    #[serde(default, borrow)]
    arguments: Option<&'l RawValue>,
    /// Of Anthropic's `tool_use` block.
    #[serde(default, borrow)]
    input: Option<&'l RawValue>,
    /// Of an entry of `OpenAI`'s `tool_calls`.
    #[serde(default, borrow)]
    function: Option<Function<'l>>,
}

#[derive(Deserialize)]
struct Function<'l> {
    name: String,
    #[serde(default, borrow)]
    arguments: Option<&'l RawValue>,
}

/// Providers send text; by hand a number is as good.
#[derive(Deserialize)]
#[serde(untagged, expecting = "an id is a text or a number")]
enum Id {
    Text(String),
    Number(serde_json::Number),
}

/// Why a line is not a call.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotACall {
    #[error("it is too long")]
    TooLong,
    #[error("it is not UTF-8 text")]
    Encoding(#[from] std::str::Utf8Error),
    #[error("it is not a JSON object")]
    NoObject,
    #[error("it cannot be read: {0}")]
    Json(serde_json::Error),
    #[error("it has no `name`, and no `function` with a `name` either")]
    Nameless,
}

// Its message is told with this one, so it is no cause beside it.
impl From<serde_json::Error> for NotACall {
    fn from(error: serde_json::Error) -> Self {
        Self::Json(error)
    }
}

/// Reads one line, without space around it.
pub(crate) fn parse(line: &[u8]) -> Result<ToolCall<'_>, NotACall> {
    let line = std::str::from_utf8(line)?;
    // serde would take the members in their order from an array.
    if !line.starts_with('{') {
        return Err(NotACall::NoObject);
    }
    let Line {
        id,
        name,
        arguments,
        input,
        function,
    } = serde_json::from_str(line)?;
    let (name, arguments) = match (name, function) {
        (Some(name), _) => (name, arguments.or(input)),
        (None, Some(function)) => (function.name, function.arguments),
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

#[cfg(test)]
mod tests {
    use super::*;
    use toolwright::CallId;

    #[test]
    fn the_three_forms_are_one_call() {
        for line in [
            r#"{"id":"c1","name":"fs_read","arguments":{"path":"a"}}"#,
            r#"{"type":"tool_use","id":"c1","name":"fs_read","input":{"path":"a"}}"#,
            r#"{"id":"c1","type":"function","function":{"name":"fs_read","arguments":"{\"path\":\"a\"}"}}"#,
        ] {
            let call = parse(line.as_bytes()).unwrap();
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
        assert!(matches!(
            parse(br#"[null, "fs.read"]"#),
            Err(NotACall::NoObject)
        ));
        assert!(matches!(parse(br#"{"id":"x"}"#), Err(NotACall::Nameless)));
    }
}
