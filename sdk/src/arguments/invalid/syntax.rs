//! Arguments that are text and not JSON: how far they were understood, and what is known to go
//! wrong there. Nothing of the text is told but the argument in which it stops, because any of it
//! may be secret.

use std::fmt;

use serde::Deserializer as _;
use serde::de::{IgnoredAny, MapAccess, Visitor};

use crate::util::character::{character_of, is_deceptive};
use crate::util::nesting::{self, DEPTH};

/// Returns the message for a text. The error's own words have lines and columns and quote the text.
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
    let is_object = text.trim_ascii_start().starts_with('{');
    if let Some(Ok(_)) = values.next() {
        if !is_object {
            return ALONE.to_owned();
        }
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
        return ALONE.to_owned();
    }
    let hint = hint(text, at).map_or_else(String::new, |hint| format!("; {hint}"));
    format!("there is an error at character {at} of {all}{inside}{hint}")
}

/// The words for a text that is JSON with something around it, or none.
const ALONE: &str = "the text does not start with `{`: send the JSON object alone, with no words \
                     and no code fence around it";

/// Returns a hint at what models write there that is not JSON.
fn hint(text: &str, at: usize) -> Option<&'static str> {
    const QUOTES: &str = "names and texts stand in double quotes";
    const NUMBERS: &str = "a number is written in plain decimal digits, such as 16 or -0.5";
    let before: Vec<char> = text.chars().take(at.saturating_sub(1)).collect();
    let mut rest = text.chars().skip(before.len());
    let (last, here) = (before.last().copied(), rest.next()?);
    if matches!(here, '\n' | '\r' | '\t') {
        return Some("in a text, a line break is `\\n` and a tab `\\t`");
    }
    if is_in_text(&before) {
        return Some("in a text, a backslash is written `\\\\`");
    }
    let word: String = std::iter::once(here)
        .chain(
            rest.take_while(|c| c.is_alphanumeric() || *c == '_')
                .take(LONGEST),
        )
        .collect();
    let in_number = last.is_some_and(|c| c.is_ascii_digit() || matches!(c, '.' | '-' | '+'));
    match (here, &word[..]) {
        (_, "True" | "False" | "TRUE" | "FALSE") => Some("`true` and `false` are in lower case"),
        (_, "None" | "NULL" | "Null" | "nil" | "undefined") => {
            Some("what has no value is left out, or is `null`")
        }
        (_, "NaN" | "Infinity" | "nan" | "inf") => Some("JSON has no such number"),
        ('/' | '#', _) => Some("JSON has no comments"),
        ('\'' | '‘' | '’' | '“' | '”' | '`', _) => Some(QUOTES),
        ('}' | ']', _) if last_sign(&before) == Some(',') => {
            Some("no comma follows the last value")
        }
        (c, _) if c.is_ascii_digit() || c == '+' || (in_number && !c.is_whitespace()) => {
            Some(NUMBERS)
        }
        (c, _) if last == Some('"') && c.is_alphanumeric() => {
            Some("a `\"` inside of a text is written `\\\"`")
        }
        ('"', _) => Some("a comma is missing before it, or a `\"` inside of a text is not `\\\"`"),
        (c, _) if c.is_alphabetic() => Some(QUOTES),
        _ => None,
    }
}

/// The longest word that is looked at.
const LONGEST: usize = 16;

/// Returns true if what follows stands in a text.
fn is_in_text(before: &[char]) -> bool {
    let (mut in_text, mut escaped) = (false, false);
    for c in before {
        match c {
            _ if escaped => escaped = false,
            '\\' if in_text => escaped = true,
            '"' => in_text = !in_text,
            _ => {}
        }
    }
    in_text
}

/// The last character that is no space.
fn last_sign(before: &[char]) -> Option<char> {
    before.iter().rev().find(|c| !c.is_whitespace()).copied()
}

/// Returns what cannot be read of a text that keeps to the grammar of JSON, if it does: the grammar has
/// numbers of any size, and halves of characters.
fn unreadable(text: &str, error: &serde_json::Error) -> Option<String> {
    // A value that is ignored is held against the grammar and not made.
    serde_json::from_str::<IgnoredAny>(text).ok()?;
    let at = character_of(text, error);
    let before: Vec<char> = text.chars().take(at.saturating_sub(1)).collect();
    let what = if is_in_text(&before) {
        "a `\\u` escape is half of a character, and the other half is not there"
    } else {
        "a number is out of range"
    };
    let all = text.chars().count();
    Some(format!(
        "{what}, at character {at} of {all} of the arguments"
    ))
}

/// The longest name that is told, in bytes.
const NAME: usize = 64;

/// The argument in whose value the text stops being JSON.
fn stopped_in(text: &str) -> Option<String> {
    let mut name = None;
    let mut deserializer = serde_json::Deserializer::from_str(text);
    // It stops where the text does: that it fails is known.
    let _ = deserializer.deserialize_map(StoppedAt(&mut name));
    name.filter(|name| name.len() <= NAME && !name.contains(is_deceptive))
}

/// Keeps the name of the member that is being read.
struct StoppedAt<'n>(&'n mut Option<String>);

impl<'de> Visitor<'de> for StoppedAt<'_> {
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
    fn what_models_write_that_is_no_json_is_named() {
        let (quotes, numbers) = ("names and texts", "plain decimal digits");
        for (text, expected) in [
            (
                r#"{"a": True, "b": 1}"#,
                "`true` and `false` are in lower case",
            ),
            (r#"{"a": [False]}"#, "`true` and `false` are in lower case"),
            (r#"{"a": None}"#, "is left out, or is `null`"),
            (r#"{"a": undefined}"#, "is left out, or is `null`"),
            (r#"{"a": -Infinity}"#, "no such number"),
            ("{\"a\": 1, // one\n\"b\": 2}", "no comments"),
            ("{\"a\": 1 # one\n}", "no comments"),
            ("{a: 1}", quotes),
            (r#"{"a": Oslo}"#, quotes),
            ("{“a”: 1}", quotes),
            (r#"{"a": 0x10}"#, numbers),
            (r#"{"a": 007}"#, numbers),
            (r#"{"a": +7}"#, numbers),
            (r#"{"a": 1_000}"#, numbers),
            (r#"{"a": 1,000}"#, numbers),
            (r#"{"a": 5.}"#, numbers),
            (r#"{"a": 50%}"#, numbers),
            (r#"{"a": "C:\Windows"}"#, "a backslash is written `\\\\`"),
            (r#"{"a": "C:\users"}"#, "a backslash is written `\\\\`"),
            (
                r#"{"a": "the "old" town"}"#,
                r#"inside of a text is written `\"`"#,
            ),
            (r#"{"a": "x" "b": 1}"#, "a comma is missing before it"),
        ] {
            let told = told(text);
            assert!(told.contains(expected), "{text}: {told}");
        }
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
            ("```json\n{}\n```", ALONE),
            (r#""a": 1"#, ALONE),
            ("[1] 2", ALONE),
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
                "there is an error at character 7 of 10, in the value of `a`; JSON has no such number",
            ),
        ] {
            assert_eq!(told(text), expected, "{text}");
        }
    }
}
