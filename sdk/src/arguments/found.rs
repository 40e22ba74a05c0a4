//! What was found in arguments, as a model reads it.

use serde_json::{Map, Value};

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
        Value::Object(members) if members.is_empty() => "an empty object".to_owned(),
        Value::Object(members) if is_short(members) => {
            let names = members
                .keys()
                .map(|name| format!("`{}`", name.escape_debug()));
            format!("an object with {}", names.collect::<Vec<_>>().join(", "))
        }
        Value::Object(members) => format!("an object of {} names", members.len()),
    }
}

/// Whether an object is shown by its names.
fn is_short(members: &Map<String, Value>) -> bool {
    members.len() <= 4 && members.keys().map(String::len).sum::<usize>() <= 2 * QUOTED
}

/// A name, cut where it is long.
pub(crate) fn shortened(key: &str) -> String {
    match key.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &key[..end]),
        None => key.to_owned(),
    }
}
