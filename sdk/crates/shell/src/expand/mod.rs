//! The reader of words: quotes and escapes removed, expansions found.
//!
//! The parser's crate has a grammar for words too. It is not used: it takes seconds for six levels of
//! `${x[..` (each level is tried by every alternative), it unwraps numbers, it keeps the words that it
//! has seen in a static, and it ends a `$(..)` at a parenthesis in a here-document. This reader goes
//! over a word once. Where the two readings of a line could part, it gives up: outside of quotes no
//! character may be left that the tokenizer would have ended the word at.

mod expansion;
mod reader;

use super::arithmetic::{self, Arithmetic};
use super::braces;
use super::documents::Lifted;
use super::glob::{Glyph, Pattern};
use super::quote::in_quotes;
use super::unparsable::{Parsed, refused};
use super::word::{Unknown, Word};
use reader::WordReader;

/// The most levels of quotes and expansions in one word.
const DEPTH: usize = 24;

/// A word read.
#[derive(Debug, Default)]
pub(super) struct Expanded {
    /// The commands of its substitutions, each a text of its own.
    pub(super) substitutions: Vec<String>,
    /// The variables that it sets, as `${x:=1}` does.
    pub(super) sets: Vec<String>,
    /// The expressions that it works out as arithmetic.
    pub(super) arithmetic: Vec<Arithmetic>,
    text: Text,
}

/// The literal text around what is not known.
#[derive(Debug, Default)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own about the word"
)]
struct Text {
    prefix: String,
    /// The text after the last thing that is not known; `None` if all is known.
    suffix: Option<String>,
    splits: bool,
    /// True if something other than a pattern makes it split.
    varies: bool,
    /// True if the suffix has characters of a pattern in it, so that it is none.
    ragged: bool,
    /// The word as a pattern of files.
    glyphs: Vec<Glyph>,
    /// True if it is something else than a plain pattern.
    odd: bool,
}

/// The quotes around a piece of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quotes {
    None,
    Double,
    /// In a here-document, where `"` is a character.
    Document,
}

/// The characters of a word that [`WordReader::unquoted`] does not take for themselves, wherever they stand.
fn may_be_special(byte: u8) -> bool {
    matches!(
        byte,
        b'\\'
            | b'\''
            | b'"'
            | b'$'
            | b'`'
            | b' '
            | b'\t'
            | b'\n'
            | b';'
            | b'|'
            | b'&'
            | b'('
            | b')'
            | b'<'
            | b'>'
            | b'*'
            | b'?'
            | b'['
            | b'{'
            | b'~'
    )
}

/// Reads a word. `documents` has the here-documents that were taken out of substitutions.
pub(super) fn word(raw: &str, documents: Option<&Lifted>) -> Parsed<(Word, Expanded)> {
    // Most words are plain, and need no reader.
    if !raw.bytes().any(may_be_special) {
        return Ok((Word::Known(raw.to_owned()), Expanded::default()));
    }
    let mut reader = WordReader::new(raw, documents);
    reader.unquoted()?;
    let expanded = reader.found;
    let text = &expanded.text;
    let word = match &text.suffix {
        None => Word::Known(text.prefix.clone()),
        Some(suffix) => Word::Unknown(Unknown {
            shown: raw.to_owned(),
            prefix: text.prefix.clone(),
            suffix: if text.ragged {
                String::new()
            } else {
                suffix.clone()
            },
            splits: text.splits,
            each: !text.varies,
            pattern: Pattern::new(&text.glyphs).filter(|_| !text.odd),
            braced: braced(raw),
        }),
    };
    Ok((word, expanded))
}

/// The words that a word with plain braces becomes.
fn braced(raw: &str) -> Vec<Word> {
    if !raw.contains('{') {
        return Vec::new();
    }
    // These have no braces, so that they do not become others.
    let read = |text: &String| word(text, None).map(|(word, _)| word);
    let words = braces::words(raw).unwrap_or_default();
    let words: Parsed<Vec<Word>> = words.iter().map(read).collect();
    words.unwrap_or_default()
}

/// Reads a here-document whose delimiter is not quoted.
pub(super) fn document(raw: &str, documents: Option<&Lifted>) -> Parsed<Expanded> {
    let mut reader = WordReader::new(raw, documents);
    reader.quoted(Quotes::Document, 0)?;
    Ok(reader.found)
}

/// Returns true if a word is an integer although its text is not known: `$((..))`, `${#x}`, `$?` and the
/// like, and nothing else.
pub(super) fn is_integer(raw: &str) -> bool {
    let bare = in_quotes(raw).unwrap_or(raw);
    let inside = |start, end| bare.strip_prefix(start)?.strip_suffix(end);
    if let Some(expression) = inside("$((", "))") {
        return arithmetic::read(expression).is_ok();
    }
    inside("${#", "}").is_some_and(arithmetic::is_name)
        || arithmetic::only_variable(bare) == Some("")
}

/// Returns true if all words that a word becomes are integers: it is one itself, or `{1..5}`.
pub(super) fn is_integers(raw: &str) -> bool {
    let range = raw.strip_prefix('{').and_then(|raw| raw.strip_suffix('}'));
    if let Some(range) = range {
        let ends: Vec<&str> = range.split("..").collect();
        return matches!(ends.len(), 2 | 3) && ends.into_iter().all(arithmetic::is_integer);
    }
    arithmetic::is_integer(raw) || is_integer(raw)
}

/// Reads a pattern or an expression that stays one, as in `[[ .. =~ (a|b) ]]`: only its
/// substitutions count.
pub(super) fn pattern(raw: &str, documents: Option<&Lifted>) -> Parsed<Expanded> {
    let mut reader = WordReader::new("", documents);
    reader.inner(raw, 0)?;
    Ok(reader.found)
}

fn bounded(depth: usize) -> Parsed {
    if depth > DEPTH {
        return refused("quotes and expansions nest too deep");
    }
    Ok(())
}
