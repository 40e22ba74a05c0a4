//! Halves of surrogate pairs in JSON text.

use std::borrow::Cow;

/// Replaces each escape of half a surrogate pair that stands alone by that of U+FFFD. A server whose texts are UTF-16 may cut
/// one between the halves of a character, and no text of Rust can hold a half.
pub(super) fn without_lone_surrogates(json: &str) -> Cow<'_, str> {
    let mut whole = String::new();
    let (mut done, mut at) = (0, 0);
    while let Some(found) = json.get(at..).and_then(|rest| rest.find('\\')) {
        let escape = at + found;
        at = match unit(json, escape) {
            Some(0xd800..=0xdbff) if matches!(unit(json, escape + 6), Some(0xdc00..=0xdfff)) => {
                escape + 12
            }
            Some(0xd800..=0xdfff) => {
                whole.push_str(json.get(done..escape).unwrap_or_default());
                whole.push_str("\\ufffd");
                done = escape + 6;
                done
            }
            // The character after a backslash is a part of the escape.
            _ => escape + 2,
        };
    }
    if done == 0 {
        return Cow::Borrowed(json);
    }
    whole.push_str(json.get(done..).unwrap_or_default());
    Cow::Owned(whole)
}

/// Returns the unit that an escape at a place stands for, if it has four hexadecimal digits.
fn unit(json: &str, at: usize) -> Option<u16> {
    let digits = json.get(at..at + 6)?.strip_prefix("\\u")?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_alone_are_replaced() {
        for (json, expected) in [
            (r#""a""#, r#""a""#),
            (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#),
            (r#""\ud83d""#, r#""\ufffd""#),
            (r#""\uDE00\uD83Dx\n""#, r#""\ufffd\ufffdx\n""#),
            (r#""\ud83d\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#),
            (r#""\\ud83d \\\ud83d""#, r#""\\ud83d \\\ufffd""#),
            (r#""\u00e9\ud83"#, r#""\u00e9\ud83"#),
            ("\\", "\\"),
            ("\\€", "\\€"),
        ] {
            assert_eq!(without_lone_surrogates(json), expected, "{json}");
        }
    }
}
