//! Arguments that stand in a message as a text that holds JSON.

use std::borrow::Cow;

use serde_json::value::RawValue;

/// Returns the arguments of a member that should be JSON text within a text: decoded once, or as they are where a
/// server wrote an object in their place. `null` is none.
pub(crate) fn text_of_arguments(raw: Option<&RawValue>) -> Cow<'_, str> {
    let Some(raw) = raw else {
        return Cow::Borrowed("");
    };
    let text = raw.get();
    let Some(inner) = text
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'))
    else {
        return Cow::Borrowed(text);
    };
    if !inner.contains('\\') {
        return Cow::Borrowed(inner);
    }
    // Fails for half of a surrogate pair alone: then the text as it was written tells the tool more than nothing.
    unescaped(inner).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// Returns the text that a JSON text stands for, without its quotation marks. `serde_json` would copy it twice.
fn unescaped(text: &str) -> Option<String> {
    let mut whole = Vec::with_capacity(text.len());
    let mut bytes = text.as_bytes();
    while let [first, rest @ ..] = bytes {
        bytes = rest;
        if *first != b'\\' {
            whole.push(*first);
            continue;
        }
        let (escaped, rest) = bytes.split_first()?;
        bytes = rest;
        whole.push(match escaped {
            b'"' | b'\\' | b'/' => *escaped,
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'b' => 8,
            b'f' => 12,
            _ => {
                let (character, rest) = unicode_escape(bytes)?;
                bytes = rest;
                whole.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                continue;
            }
        });
    }
    String::from_utf8(whole).ok()
}

/// Returns the character of four hexadecimal digits, and of the other half of its pair if they are the first one of a
/// pair; and the bytes after it.
fn unicode_escape(bytes: &[u8]) -> Option<(char, &[u8])> {
    let unit = |bytes: &[u8]| {
        let digits = std::str::from_utf8(bytes.get(..4)?).ok()?;
        u16::from_str_radix(digits, 16).ok()
    };
    let (first, rest) = (unit(bytes)?, bytes.get(4..)?);
    let second = rest.strip_prefix(b"\\u").and_then(unit);
    let units = [first].into_iter().chain(second);
    let character = char::decode_utf16(units).next()?.ok()?;
    let is_pair = character.len_utf16() == 2;
    Some((character, if is_pair { rest.get(6..)? } else { rest }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(json: &str) -> String {
        let raw: &RawValue = serde_json::from_str(json).unwrap();
        text_of_arguments(Some(raw)).into_owned()
    }

    #[test]
    fn a_text_is_decoded_as_the_library_does() {
        let mut seed = 7_u32;
        for _ in 0..2000 {
            let mut text = String::new();
            for _ in 0..12 {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let pieces = [
                    "a",
                    "\\n",
                    "\\\\",
                    "\\\"",
                    "\\/",
                    "\\t\\b\\f\\r",
                    "é€",
                    "\\u00e9",
                    "\\u20AC",
                    "\\ud83d\\ude00",
                    "\\u0000",
                    " ",
                ];
                text.push_str(pieces[(seed >> 16) as usize % pieces.len()]);
            }
            let json = format!("\"{text}\"");
            assert_eq!(
                decoded(&json),
                serde_json::from_str::<String>(&json).unwrap(),
                "{json}"
            );
        }
        for (json, text) in [
            (r#""""#, ""),
            (r#""\"""#, "\""),
            (r#""\\""#, "\\"),
            ("null", "null"),
            ("[1]", "[1]"),
        ] {
            assert_eq!(decoded(json), text);
        }
        // No text of Rust can hold half of a pair.
        for json in [
            r#""\ud83d""#,
            r#""\ud83dx""#,
            r#""\ude00\ud83d""#,
            r#""\ud83d\u0041""#,
            r#""\ud83d\n""#,
        ] {
            assert_eq!(decoded(json), json);
        }
    }
}
