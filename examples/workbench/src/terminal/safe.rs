//! Texts of others, shown so that they cannot pass for what workbench itself says: no character moves
//! the cursor, hides, or turns the direction of others, no line goes on at the left edge, and no run
//! of blanks pushes what follows out of sight.

mod characters;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use serde_json::Value;

pub(crate) use self::characters::is_shown;
use self::characters::{Stack, width};

/// The brackets of a mark, which says what is left out at its place. Texts of others never show
/// them: there they are written out, as all that is not [shown](is_shown).
pub(super) const MARK: (char, char) = ('\u{27e6}', '\u{27e7}');

/// The most blanks within a line that are shown as they are.
const BLANKS: usize = 8;

/// The most blanks at the begin of a line: code is indented.
const INDENT: usize = 32;

/// A note in the brackets that no text of others can show.
pub(crate) fn mark(text: &str) -> String {
    let (open, close) = MARK;
    format!("{open}{text}{close}")
}

/// A text as one line.
pub(crate) fn line(text: &str) -> String {
    marked(&written(text, |_| false))
}

/// The lines of a text.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = String> {
    text.split_terminator('\n').map(tabbed)
}

/// A line that may hold tabs.
pub(crate) fn tabbed(line: &str) -> String {
    let line = marked(&written(line, |c| c == '\t'));
    // A tab would move the cursor, and shown as spaces it would pass for them.
    line.replace('\t', "→   ")
}

/// A text that people only read, such as a result: its lines, tabs and blanks as they are, and all
/// else that does not show as itself written out.
pub(crate) fn text(text: &str) -> String {
    written(text, |c| matches!(c, '\n' | '\t'))
}

/// A text with escapes in the place of what does not show as itself.
fn written(text: &str, kept: impl Fn(char) -> bool) -> String {
    let mut written = String::with_capacity(text.len());
    let mut stack = Stack::default();
    for c in text.chars() {
        if kept(c) || stack.shows(c) {
            written.push(c);
        } else {
            written.extend(c.escape_unicode());
        }
    }
    written
}

/// A line with a mark in the place of each long run of blanks, and of blanks at its end.
fn marked(line: &str) -> String {
    let mut marked = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(begin) = rest.find([' ', '\t']) {
        let (before, run) = rest.split_at(begin);
        let end = run.find(|c| !matches!(c, ' ' | '\t')).unwrap_or(run.len());
        let (run, after) = run.split_at(end);
        marked.push_str(before);
        let most = if marked.is_empty() { INDENT } else { BLANKS };
        let most = if after.is_empty() { most.min(1) } else { most };
        if run.len() > most {
            let tabs = run.bytes().filter(|byte| *byte == b'\t').count();
            let what = match tabs {
                0 => "spaces",
                tabs if tabs == run.len() => "tabs",
                _ => "blanks",
            };
            marked.push_str(&mark(&format!("{} {what}", run.len())));
        } else {
            marked.push_str(run);
        }
        rest = after;
    }
    marked.push_str(rest);
    marked
}

/// JSON, over several lines, that reads back as the same value: for whoever edits it.
pub(crate) fn json(value: &Value) -> String {
    // Alternate `Display` writes over several lines.
    escaped(&format!("{value:#}"), '\n')
}

/// JSON in one line, that reads back as the same value: for whoever edits it.
pub(crate) fn compact_json(value: &Value) -> String {
    escaped(&value.to_string(), ' ')
}

/// JSON to be read by people: its lines, with long runs of blanks in its texts marked.
pub(crate) fn json_lines(value: &Value) -> Vec<String> {
    let json = json(value);
    let lines = json.lines().map(|line| {
        // Lines of JSON are indented by whoever writes it: a text in it has no line breaks.
        let text = line.trim_start_matches(' ');
        let (indent, text) = line.split_at(line.len() - text.len());
        format!("{indent}{}", marked(text))
    });
    lines.collect()
}

/// JSON to be read by people, in one line, with long runs of blanks in its texts marked.
pub(crate) fn json_line(value: &Value) -> String {
    marked(&compact_json(value))
}

/// Outside of strings JSON has none of these characters but the one between its parts, and in them it
/// has its own way to write them.
pub(crate) fn escaped(json: &str, between: char) -> String {
    let mut text = String::with_capacity(json.len());
    let mut stack = Stack::default();
    for c in json.chars() {
        if c == between || stack.shows(c) {
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
    if fits(line, columns) {
        return line.to_owned();
    }
    // The ellipsis is of two columns in some terminals.
    let (fitting, _) = split(line, columns.saturating_sub(2));
    format!("{fitting}…")
}

/// Returns true if a line takes no more than so many columns.
pub(super) fn fits(line: &str, columns: usize) -> bool {
    split(line, columns).1.is_empty()
}

/// The columns that a text takes at most.
pub(super) fn columns_of(text: &str) -> usize {
    text.chars().map(width).sum()
}

/// Returns the end of a line that fits into so many columns.
pub(super) fn end(line: &str, columns: usize) -> &str {
    let mut used = 0;
    let fitting = line.char_indices().rev().take_while(|(_, c)| {
        used += width(*c);
        used <= columns
    });
    let begin = fitting.last().map_or(line.len(), |(at, _)| at);
    &line[begin..]
}

/// Splits a line as [`split`] does, but behind a blank where the word after it fits into a row. So a row
/// that is not full ends in a blank, and one that is full may go on in the next.
pub(super) fn wrap(line: &str, columns: usize) -> (&str, &str) {
    let (piece, rest) = split(line, columns);
    let begin = piece.rfind(' ').map_or(0, |blank| blank + 1);
    // Below blanks alone there would be an empty row.
    if rest.is_empty() || begin == piece.len() || piece[..begin].trim_start().is_empty() {
        return (piece, rest);
    }
    let (row, more) = split(&line[begin..], columns);
    if more.is_empty() || row.contains(' ') {
        line.split_at(begin)
    } else {
        (piece, rest)
    }
}

/// Likewise, without the escapes that give it a colour or a weight.
pub(super) fn columns_of_styled(text: &str) -> usize {
    let mut parts = text.split('\u{1b}');
    let plain = parts.next().map_or(0, columns_of);
    let styled = parts.filter_map(|part| part.split_once('m'));
    plain + styled.map(|(_, text)| columns_of(text)).sum::<usize>()
}

/// Splits a line into the part that fits into so many columns, and the rest. A character that is wider
/// than all columns is taken alone, so that the split makes progress unless there are no columns.
pub(super) fn split(line: &str, columns: usize) -> (&str, &str) {
    let mut used = 0;
    let end = line.char_indices().find(|(at, c)| {
        used += width(*c);
        used > columns && (*at > 0 || columns == 0)
    });
    line.split_at(end.map_or(line.len(), |(at, _)| at))
}
