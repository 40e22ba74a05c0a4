//! JSON in a form that only looks like it: in a code fence, or with a comma after a last value. What
//! is left without these is read as strictly as ever.

use std::borrow::Cow;

use crate::util::nesting::outside_of_strings;

/// A text without what JSON does not have, and what that was: each piece once.
pub(super) struct Stripped<'t> {
    pub(super) text: Cow<'t, str>,
    pub(super) removed: Vec<&'static str>,
}

/// A text without the code fence around it and the commas after last values, if it has any.
pub(super) fn stripped(text: &str) -> Option<Stripped<'_>> {
    let mut removed = Vec::new();
    let inner = match unfenced(text) {
        Some(inner) => {
            removed.push(FENCE);
            inner
        }
        None => text,
    };
    let commas = last_commas(inner);
    let text = if commas.is_empty() {
        Cow::Borrowed(inner)
    } else {
        removed.push(COMMA);
        let mut rest = String::with_capacity(inner.len());
        let mut from = 0;
        for comma in commas {
            rest.push_str(inner.get(from..comma)?);
            from = comma + 1;
        }
        rest.push_str(inner.get(from..)?);
        Cow::Owned(rest)
    };
    (!removed.is_empty()).then_some(Stripped { text, removed })
}

const FENCE: &str = "```";
const COMMA: &str = ",";

/// Returns the content of a text that is one code fence, of JSON or of no language. `None` if the text
/// is anything else.
fn unfenced(text: &str) -> Option<&str> {
    let inner = text.trim_ascii().strip_prefix(FENCE)?.strip_suffix(FENCE)?;
    let language = inner.len()
        - inner
            .trim_start_matches(|c: char| c.is_ascii_alphanumeric())
            .len();
    let (language, inner) = inner.split_at(language);
    let is_json = language.is_empty() || language.eq_ignore_ascii_case("json");
    // A fence in it would be another beginning, or the end.
    (is_json && !outside_of_strings(inner).any(|(_, byte)| byte == b'`')).then_some(inner)
}

/// The places of the commas, outside of strings, that follow a value and are followed by the end of a
/// list or an object.
fn last_commas(text: &str) -> Vec<usize> {
    let mut commas = Vec::new();
    let mut comma = None;
    let mut last = None;
    for (place, byte) in outside_of_strings(text) {
        if byte.is_ascii_whitespace() {
            continue;
        }
        match byte {
            b'}' | b']' => commas.extend(comma),
            _ => {}
        }
        let follows_value = !matches!(last, None | Some(b',' | b':' | b'[' | b'{'));
        comma = (byte == b',' && follows_value).then_some(place);
        last = Some(byte);
    }
    commas
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(text: &str) -> Option<(String, Vec<&'static str>)> {
        stripped(text).map(|stripped| (stripped.text.into_owned(), stripped.removed))
    }

    #[test]
    fn a_fence_and_last_commas_are_taken_off() {
        let fence = || vec![FENCE];
        for (text, expected, removed) in [
            ("```json\n{\"a\": 1}\n```", "\n{\"a\": 1}\n", fence()),
            (" ```\n{}\n``` \n", "\n{}\n", fence()),
            ("```JSON{}```", "{}", fence()),
            ("{\"a\": 1,}", "{\"a\": 1}", vec![COMMA]),
            ("{\"a\": [1, 2 , ] , }", "{\"a\": [1, 2  ]  }", vec![COMMA]),
            ("{\"a\": {},}", "{\"a\": {}}", vec![COMMA]),
            ("```json\n[\"x\",]\n```", "\n[\"x\"]\n", vec![FENCE, COMMA]),
        ] {
            assert_eq!(left(text), Some((expected.to_owned(), removed)), "{text}");
        }
    }

    #[test]
    fn nothing_in_a_string_and_nothing_else_is_touched() {
        for text in [
            "{}",
            "{\"a\": \"x,}\"}",
            "{\"a\": \"x,]\", \"b\": \"\\\",}\"}",
            "{,}",
            "[,]",
            "{\"a\":,}",
            "Here: ```json\n{}\n```",
            "```json\n{}\n``` Done.",
            "```python\n{}\n```",
            "```json\n{}\n```\n```json\n{}\n```",
            "```",
            "````",
            "`{}`",
        ] {
            assert_eq!(left(text), None, "{text}");
        }
        // Two commas in a row are more than a slip, so neither is removed.
        assert_eq!(left("[1,,]"), None);
        assert_eq!(left("[1,,2,]").map(|l| l.0).as_deref(), Some("[1,,2]"));
    }
}
