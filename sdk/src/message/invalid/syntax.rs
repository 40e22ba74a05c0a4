//! Arguments that are text and not JSON: how far they were understood, and what is known to go
//! wrong there. Nothing of the text is told but the argument in which it stops, because any of it
//! may be secret.

use std::fmt;

use serde::Deserializer as _;
use serde::de::{IgnoredAny, MapAccess, Visitor};

use crate::character::{character_of, is_deceptive};
use crate::nesting::{self, DEPTH};

/// What the text is told. The error's own words have lines and columns and quote the text.
pub(super) fn message(text: &str, error: &serde_json::Error) -> String {
    if nesting::of_text(text) > DEPTH {
        return format!("the arguments nest deeper than {DEPTH} levels");
    }
    if let Some(what) = unreadable(text, error) {
        return what;
    }
    let what = what(text, error);
    format!("the arguments are not valid JSON: {what}")
}

fn what(text: &str, error: &serde_json::Error) -> String {
    let all = text.chars().count();
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
    let at = character_of(text, error);
    if let Some(Ok(_)) = values.next() {
        return format!(
            "there is an error at character {at} of {all}: the JSON ends before it, and nothing \
             may follow"
        );
    }
    let inside = match stopped_in(text) {
        Some(name) => format!(", in the value of `{name}`"),
        None => String::new(),
    };
    if error.is_eof() {
        return format!("after {all} characters{inside}, the text ends before the object does");
    }
    if !text.trim_ascii_start().starts_with(['{', '[', '"']) {
        return "the text does not start with `{`".to_owned();
    }
    let hint = match text.chars().nth(at.saturating_sub(1)) {
        Some('\n' | '\r' | '\t') => "; in a text, a line break is `\\n` and a tab `\\t`",
        Some('\'' | '‘' | '’' | '“' | '”') => "; names and texts stand in double quotes",
        Some('}' | ']') if comma_before(text, at) => "; no comma follows the last value",
        _ => "",
    };
    format!("there is an error at character {at} of {all}{inside}{hint}")
}

/// What cannot be read of a text that keeps to the grammar of JSON, if it does: the grammar has
/// numbers of any size, and halves of characters.
fn unreadable(text: &str, error: &serde_json::Error) -> Option<String> {
    // What is passed over is held against the grammar and not made.
    serde_json::from_str::<IgnoredAny>(text).ok()?;
    let at = character_of(text, error);
    let (mut in_text, mut escaped) = (false, false);
    for c in text.chars().take(at.saturating_sub(1)) {
        match c {
            _ if escaped => escaped = false,
            '\\' if in_text => escaped = true,
            '"' => in_text = !in_text,
            _ => {}
        }
    }
    let what = if in_text {
        "a `\\u` escape is half of a character, and the other half is not there"
    } else {
        "a number is out of range"
    };
    let all = text.chars().count();
    Some(format!(
        "{what}, at character {at} of {all} of the arguments"
    ))
}

/// Whether the last thing before a character is a comma.
fn comma_before(text: &str, at: usize) -> bool {
    let before: String = text.chars().take(at.saturating_sub(1)).collect();
    before.trim_end().ends_with(',')
}

/// The longest name that is told, in bytes.
const NAME: usize = 64;

/// The argument in whose value the text stops being JSON.
fn stopped_in(text: &str) -> Option<String> {
    let mut name = None;
    let mut deserializer = serde_json::Deserializer::from_str(text);
    // It stops where the text does: that it fails is known.
    let _ = deserializer.deserialize_map(Names(&mut name));
    name.filter(|name| name.len() <= NAME && !name.contains(is_deceptive))
}

/// Keeps the name of the member that is being read.
struct Names<'n>(&'n mut Option<String>);

impl<'de> Visitor<'de> for Names<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        loop {
            *self.0 = None;
            let Some(name) = map.next_key()? else {
                return Ok(());
            };
            *self.0 = Some(name);
            map.next_value::<IgnoredAny>()?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> String {
        let error = serde_json::from_str::<serde_json::Value>(text).unwrap_err();
        let message = message(text, &error);
        message["the arguments are not valid JSON: ".len()..].to_owned()
    }

    #[test]
    fn what_often_goes_wrong_is_said() {
        for (text, expected) in [
            (
                r#"{"a": "x", "b": [1, 2"#,
                "after 21 characters, in the value of `b`, the text ends before the object does",
            ),
            (
                r#"{"a": "x", "b"#,
                "after 13 characters, the text ends before the object does",
            ),
            (
                r#"{"a": 1} {"a": 2}"#,
                "there is an error at character 10 of 17: the JSON ends before it, and nothing may follow",
            ),
            ("```json\n{}\n```", "the text does not start with `{`"),
            (
                "",
                "after 0 characters, the text ends before the object does",
            ),
            (
                "{\"a\": \"x\ny\"}",
                "there is an error at character 9 of 12, in the value of `a`; in a text, a line break is `\\n` and a tab `\\t`",
            ),
            (
                "{'a': 1}",
                "there is an error at character 2 of 8; names and texts stand in double quotes",
            ),
            (
                r#"{"a": [1, 2,]}"#,
                "there is an error at character 13 of 14, in the value of `a`; no comma follows the last value",
            ),
            (
                r#"{"a": 1,}"#,
                "there is an error at character 9 of 9; no comma follows the last value",
            ),
            (
                r#"{"a": NaN}"#,
                "there is an error at character 7 of 10, in the value of `a`",
            ),
        ] {
            assert_eq!(told(text), expected, "{text}");
        }
    }
}
