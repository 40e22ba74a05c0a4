//! Characters: as people count them, and those that deceive the people who read.

use std::borrow::Cow;

/// Returns true if a character does not stand for itself where a line of text is shown: it moves the
/// cursor, or turns the direction of what follows.
pub fn is_deceptive(c: char) -> bool {
    // The explicit directional embeddings, overrides and isolates of Unicode TR 9.
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns a text as one line wherever it is shown, cut where it has more than so many characters: what
/// [deceives](is_deceptive) is escaped.
pub fn one_line(text: &str, most: usize) -> String {
    as_one_line(text, most).into_owned()
}

/// Returns a text as [one line](one_line), borrowed if it is one already.
pub(crate) fn as_one_line(text: &str, most: usize) -> Cow<'_, str> {
    // A short text of printable ASCII is told by its bytes.
    if text.len() <= most && is_plain(text) {
        return Cow::Borrowed(text);
    }
    let mut line = String::with_capacity(text.len().min(most.saturating_mul(4)));
    let mut left = most;
    for c in text.chars() {
        let width = if is_deceptive(c) {
            c.escape_unicode().len()
        } else {
            1
        };
        let Some(after) = left.checked_sub(width) else {
            line.push('…');
            break;
        };
        left = after;
        if is_deceptive(c) {
            line.extend(c.escape_unicode());
        } else {
            line.push(c);
        }
    }
    Cow::Owned(line)
}

/// Returns true if a text is printable ASCII. All its bytes are looked at, several at once, which for most texts is
/// sooner done than to stop at the first other one.
pub(crate) fn is_plain(text: &str) -> bool {
    let is_other = |byte: u8| !matches!(byte, b' '..=b'~');
    !text.bytes().fold(false, |any, byte| any | is_other(byte))
}

/// Returns a text of one's own as [one line](one_line): itself, if it is one already.
pub(crate) fn into_one_line(text: String, most: usize) -> String {
    let changed = match as_one_line(&text, most) {
        Cow::Owned(line) => Some(line),
        Cow::Borrowed(_) => None,
    };
    changed.unwrap_or(text)
}

/// The number of the character of a text at which an error lies, counted from 1.
pub(crate) fn character_of(text: &str, error: &serde_json::Error) -> usize {
    // The column of the error counts bytes.
    let lines = text.split_inclusive('\n');
    let before: usize = lines
        .take(error.line().saturating_sub(1))
        .map(str::len)
        .sum();
    // A line break is column 0 of the line that it begins.
    let end = (before + error.column()).max(1);
    text.char_indices().take_while(|(at, _)| *at < end).count()
}
