//! Words in a loop that are its variable: they become the values that the loop goes through.
//!
//! `for f in src/*.rs; do wc -l "$f"; done` runs `wc -l` with each of the names that the pattern finds. The
//! variable counts only where nothing else in the line can set it: each time that its name stands in the
//! line it is `$f`, `${f}` or that of such a loop, and no command of the line sets variables by name.

use std::ops::Range;

use super::part::Directories;
use super::quote::in_quotes;
use super::word::{Unknown, Word};

/// The most words that a loop goes through.
const VALUES: usize = 64;

/// A `for` with the values that its variable has.
#[derive(Debug)]
pub(super) struct Loop {
    pub(super) name: String,
    pub(super) values: Vec<Word>,
    /// The commands and the redirections of its body.
    pub(super) parts: Range<usize>,
    pub(super) redirects: Range<usize>,
    /// The directory in which the patterns among the values are looked up.
    pub(super) directory: Directories,
    /// The number of commands that it lies in.
    pub(super) outer: usize,
}

/// The place where a body begins, among the commands and the redirections.
#[derive(Debug, Clone)]
pub(super) struct Start {
    pub(super) parts: usize,
    pub(super) redirects: usize,
    pub(super) directory: Directories,
}

impl Loop {
    /// Puts the values in place of a word, if it is the variable with known text around it.
    pub(super) fn bind(&self, word: &mut Word, stays: bool) {
        let Word::Unknown(unknown) = &*word else {
            return;
        };
        let Some((before, after, quoted)) = around(&unknown.shown, &self.name) else {
            return;
        };
        let mut becomes = Vec::new();
        let values = self.values.iter().flat_map(|value| match value {
            Word::Unknown(unknown) if !unknown.braced.is_empty() => unknown.braced.as_slice(),
            value => std::slice::from_ref(value),
        });
        for value in values {
            match value {
                // Without quotes it is split, and may be a pattern once more.
                Word::Known(text) if quoted || is_plain(text) => {
                    becomes.push(Word::Known(format!("{before}{text}{after}")));
                }
                Word::Unknown(found) if before.is_empty() && after.is_empty() && stays => {
                    let Some(pattern) = &found.pattern else {
                        return;
                    };
                    becomes.push(Word::Unknown(Unknown {
                        pattern: Some(pattern.clone().for_one_word(quoted)),
                        shown: unknown.shown.clone(),
                        ..found.clone()
                    }));
                }
                _ => return,
            }
        }
        if becomes.is_empty() || becomes.len() > VALUES {
            return;
        }
        *word = Word::Unknown(Unknown {
            braced: becomes,
            ..Unknown::new(unknown.shown.clone())
        });
    }
}

/// The text before and after the one variable of a word, and whether they stand in quotes.
fn around<'w>(shown: &'w str, name: &str) -> Option<(&'w str, &'w str, bool)> {
    let inside = in_quotes(shown);
    let text = inside.unwrap_or(shown);
    let (before, rest) = text.split_once('$')?;
    let after = match rest.strip_prefix('{') {
        Some(rest) => rest.strip_prefix(name)?.strip_prefix('}')?,
        None => rest.strip_prefix(name)?,
    };
    let goes_on = after.starts_with(|c: char| c == '_' || c.is_ascii_alphanumeric());
    let braced = rest.starts_with('{');
    let literal = |text: &str| {
        if inside.is_some() {
            !text.contains(['"', '$', '`', '\\'])
        } else {
            text.is_empty() || is_plain(text)
        }
    };
    let whole = literal(before) && literal(after) && (braced || !goes_on);
    whole.then_some((before, after, inside.is_some()))
}

/// Returns true if bash takes a text for one word that stands for itself.
fn is_plain(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./+@%:,=".contains(c);
    !text.is_empty() && text.chars().all(plain)
}

/// Returns the number of loops of a variable in a line; `None` if its name stands for anything else there.
pub(super) fn counts_as_loops(source: &str, name: &str) -> Option<usize> {
    let is_part = |c: char| c == '_' || c.is_ascii_alphanumeric();
    let mut loops = 0;
    for (at, _) in source.match_indices(name) {
        let before = source.get(..at).unwrap_or_default();
        let after = source.get(at + name.len()..).unwrap_or_default();
        if before.ends_with(is_part) || after.starts_with(is_part) {
            continue;
        }
        if before.ends_with('$') || (before.ends_with("${") && after.starts_with('}')) {
            continue;
        }
        let word = before.trim_end_matches([' ', '\t']);
        if word.len() == before.len() || !word.ends_with("for") || !after.starts_with([' ', '\t']) {
            return None;
        }
        loops += 1;
    }
    Some(loops)
}
