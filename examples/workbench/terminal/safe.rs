//! Texts of others, shown so that they cannot pass for what workbench itself says: no character moves
//! the cursor, hides, or turns the direction of others, and no line goes on at the left edge.

use std::fmt::Write as _;

use serde_json::Value;
use unicode_width::UnicodeWidthChar as _;

/// Whether a character does not show as itself: it commands the terminal, takes no room, or turns
/// the direction of what follows.
pub(crate) fn is_deceptive(c: char) -> bool {
    c.is_control()
        || matches!(c,
            // Soft hyphen, marks and overrides of direction, joiners, fillers, tags.
            '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// A text as one line.
pub(crate) fn line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        if is_deceptive(c) {
            line.extend(c.escape_unicode());
        } else {
            line.push(c);
        }
    }
    line
}

/// The lines of a text.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = String> {
    // A tab would move the cursor, and shown as spaces it would pass for them.
    text.lines().map(|shown| line(&shown.replace('\t', "→   ")))
}

/// JSON, over several lines, that reads back as the same value.
pub(crate) fn json(value: &Value) -> String {
    // Alternate `Display` writes over several lines.
    escaped(&format!("{value:#}"), '\n')
}

/// JSON in one line, that reads back as the same value.
pub(crate) fn compact_json(value: &Value) -> String {
    escaped(&value.to_string(), ' ')
}

/// Outside of strings JSON has none of these characters but the one between its parts, and in them it
/// has its own way to write them.
fn escaped(json: &str, between: char) -> String {
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        if c == between || !is_deceptive(c) {
            text.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(text, "\\u{unit:04x}");
            }
        }
    }
    text
}

/// As much of a line as fits into so many columns.
pub(super) fn fit(line: &str, columns: usize) -> String {
    if line.chars().map(width).sum::<usize>() <= columns {
        return line.to_owned();
    }
    let (mut fitting, _) = split(line, columns.saturating_sub(1));
    fitting.push('…');
    fitting
}

/// A line in pieces that fit into so many columns each.
pub(super) fn wrap(line: &str, columns: usize) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut rest = line;
    loop {
        let (piece, after) = split(rest, columns.max(2));
        pieces.push(piece);
        rest = after;
        if rest.is_empty() {
            return pieces;
        }
    }
}

/// The most columns that a character takes: some terminals give two to what others give one, and a
/// line that they break would go on at the left edge, without its bar.
fn width(c: char) -> usize {
    c.width().max(c.width_cjk()).unwrap_or_default()
}

/// What fits into so many columns, which has to be two at least, and what is left.
fn split(line: &str, columns: usize) -> (String, &str) {
    let mut used = 0;
    let end = line.char_indices().find(|(_, c)| {
        used += width(*c);
        used > columns
    });
    let at = end.map_or(line.len(), |(at, _)| at);
    (line[..at].to_owned(), &line[at..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn nothing_commands_the_terminal() {
        assert_eq!(line("a\x1b[2K\r\u{9b}b\n"), r"a\u{1b}[2K\u{d}\u{9b}b\u{a}");
        assert_eq!(line("x\u{202e}y\u{200b}"), r"x\u{202e}y\u{200b}");
        assert_eq!(line("süße 字 e\u{301}"), "süße 字 e\u{301}");
        let all: Vec<String> = lines("+\tone\r\n-two\x08\n").collect();
        assert_eq!(all, ["+→   one", r"-two\u{8}"]);
    }

    #[test]
    fn json_reads_back() {
        let value = json!({"a": "\u{1b}\u{202e}\u{e0041}\u{200b}\n\t", "b": [1, {}]});
        for text in [json(&value), compact_json(&value)] {
            assert!(
                !text.chars().any(|c| c != '\n' && is_deceptive(c)),
                "{text}"
            );
            assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        }
        assert!(!compact_json(&value).contains('\n'));
    }

    #[test]
    fn lines_fit() {
        assert_eq!(fit("abcdef", 6), "abcdef");
        assert_eq!(fit("abcdef", 4), "abc…");
        assert_eq!(fit("字字字", 5), "字字…");
        assert_eq!(wrap("字字字", 4), ["字字", "字"]);
        // Of one column or two, as the terminal likes.
        assert_eq!(wrap("①②③", 4), ["①②", "③"]);
        assert_eq!(wrap("", 4), [""]);
        assert_eq!(wrap("abc", 0), ["ab", "c"]);
    }
}
