//! What was found in arguments, as a model reads it.

use serde_json::Value;

/// The longest value that is quoted back, in characters.
const QUOTED: usize = 40;

/// What was found, in words: the value where it is short.
pub(crate) fn found(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) if text.chars().count() <= QUOTED => format!("the text {text:?}"),
        Value::String(text) => format!("a text of {} characters", text.chars().count()),
        Value::Array(items) if items.is_empty() => "an empty list".to_owned(),
        Value::Array(items) => format!("a list of {}", items.len()),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// A name, cut where it is long.
pub(crate) fn shortened(key: &str) -> String {
    match key.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &key[..end]),
        None => key.to_owned(),
    }
}
