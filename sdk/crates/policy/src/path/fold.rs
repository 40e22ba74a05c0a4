//! Names that some file system holds for one.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

/// A text that is the same for all spellings of a name that a file system may hold for one:
/// capital and small letters (Windows, macOS), an accent in a letter or after it (macOS), and
/// characters that cannot be seen (HFS+; CVE-2014-9390).
pub(super) fn fold(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        // All bytes are looked at, several at once.
        let capital = |any, byte: u8| any | byte.is_ascii_uppercase();
        let text = if text.bytes().fold(false, capital) {
            Cow::Owned(text.to_ascii_lowercase())
        } else {
            Cow::Borrowed(text)
        };
        return if cfg!(windows) { end(&text) } else { text };
    }
    let folded: String = text
        .nfd()
        .filter(|c| !is_ignored(*c))
        // Upper case first: `ſ` is `S` is `s`, and `ß` is `SS` is `ss`.
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase)
        .nfd()
        .collect();
    if cfg!(windows) {
        end(&folded)
    } else {
        Cow::Owned(folded)
    }
}

/// Without the dots and spaces at the end of a name, of which Windows takes no notice.
fn end(text: &str) -> Cow<'static, str> {
    let names = text
        .split('/')
        .map(|name| name.trim_end_matches(['.', ' ']));
    Cow::Owned(names.collect::<Vec<_>>().join("/"))
}

/// The characters that HFS+ leaves out when it compares names.
fn is_ignored(c: char) -> bool {
    matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::fold;

    #[test]
    fn spellings_that_a_file_system_may_hold_for_one_are_one() {
        for (one, other) in [
            ("/ws/.ENV", "/ws/.env"),
            ("/ws/É", "/ws/e\u{301}"),
            ("/ws/STRASSE", "/ws/straße"),
            ("/ws/ſecret", "/ws/secret"),
            ("/ws/\u{212a}ey", "/ws/key"),
            ("/ws/ΣΑΣ", "/ws/σας"),
            ("/ws/.g\u{200c}it", "/ws/.git"),
        ] {
            assert_eq!(fold(one), fold(other), "{one} {other}");
        }
        assert_ne!(fold("/ws/a"), fold("/ws/á"));
    }
}
