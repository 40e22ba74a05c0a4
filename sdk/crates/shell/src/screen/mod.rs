//! A look at a text before it is parsed: one pass over its characters, without going back.
//!
//! The parser's crate is made for scripts of people. Some texts of a few characters keep its tokenizer running
//! until there is no memory, or make it panic; a few constructs take it a time that doubles with each of them; and
//! a few it reads as something else than bash does. So it gets only texts of a shape that it was seen to read well:
//!
//! - at most [`LONGEST`] bytes and [`LEVELS`] levels of quotes, expansions and commands, and [`CASES`] words `case`;
//! - here-documents whose delimiter is a plain word, or one in quotes, in a line that goes on with plain words
//!   only, and that end; none inside of `${..}` or `[[ .. ]]`;
//! - arithmetic as [`arithmetic`](super::arithmetic) takes it, between `((` or `$((` and the first `))` that
//!   fits; no `( (`, which the parser takes for arithmetic, and no `$[`;
//! - `${..}` without parentheses, `<`, `>` and new lines;
//! - no `{name}` before a redirection, no `()`, no `name[` with more than plain characters up to its `]`, no long
//!   number before a redirection, no parentheses in `[[ .. ]]` beyond a few or around `]]`.
//!
//! All else it leaves to the parser and to [`expand`](super::expand), which read the text each in their own way
//! and have to agree.

mod commands;
mod nested;

use super::arithmetic;
use super::unparsable::{Parsed, Unparsable, refused};

/// The longest line that is read, in bytes.
pub(super) const LONGEST: usize = 8 * 1024;

/// The most levels of quotes, expansions and commands in each other.
pub(super) const LEVELS: usize = 64;

/// The most words `case` in a text: without `;;`, the parser reads what is in one twice.
const CASES: usize = 3;

/// The most parentheses in each other in a `[[ .. ]]`.
const GROUPS: usize = 3;

/// The most digits of a descriptor.
const DIGITS: usize = 4;

/// A here-document whose text is still to come.
struct Document {
    delimiter: String,
    tabs: bool,
    quoted: bool,
}

#[derive(Default)]
pub(super) struct Screen<'t> {
    chars: &'t [char],
    at: usize,
    /// The number of characters that were taken: never more than the text has.
    steps: usize,
    /// Levels of quotes and expansions.
    levels: usize,
    /// Levels of commands, as far as words and parentheses show.
    commands: usize,
    cases: usize,
    documents: Vec<Document>,
    /// True if there was a here-document.
    has_documents: bool,
}

/// Looks at a text; gives the steps that it took.
pub(super) fn screen(text: &str) -> Parsed<usize> {
    if text.len() > LONGEST {
        return Err(too_long());
    }
    let chars: Vec<char> = text.chars().collect();
    let mut screen = Screen {
        chars: &chars,
        ..Screen::default()
    };
    screen.commands(None)?;
    Ok(screen.steps)
}

/// Returns the index behind an expansion of a word, whose inside begins at an index and is read by the closure; and
/// true if there is a here-document in it.
pub(super) fn end_of(
    chars: &[char],
    at: usize,
    read: impl FnOnce(&mut Screen<'_>) -> Parsed,
) -> Parsed<(usize, bool)> {
    let mut screen = Screen {
        chars,
        at,
        ..Screen::default()
    };
    match read(&mut screen) {
        Ok(()) => Ok((screen.at, screen.has_documents)),
        // The place in the word is not that in the line.
        Err(Unparsable { what, .. }) => refused(what),
    }
}

/// The error for a text that is longer than [`LONGEST`].
pub(super) fn too_long() -> Unparsable {
    Unparsable::new(format!("the shell line is longer than {LONGEST} bytes"))
}

/// The error for a text with more than [`LEVELS`].
pub(super) fn too_deep() -> Unparsable {
    Unparsable::new("the shell line nests too deep")
}

impl Screen<'_> {
    /// The character here, behind lines that are joined.
    fn peek(&mut self) -> Option<char> {
        while self.chars.get(self.at) == Some(&'\\') && self.chars.get(self.at + 1) == Some(&'\n') {
            self.skip(2);
        }
        self.chars.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek();
        if next.is_some() {
            self.skip(1);
        }
        next
    }

    fn skip(&mut self, count: usize) {
        self.at += count;
        self.steps += count;
    }

    /// Takes a character, if it is here.
    fn take(&mut self, c: char) -> bool {
        let here = self.peek() == Some(c);
        if here {
            self.skip(1);
        }
        here
    }

    fn odd<T>(&self, what: &str) -> Parsed<T> {
        Err(Unparsable {
            what: format!("the shell line is not understood: {what}"),
            at: Some(self.at.max(1)),
        })
    }

    fn deeper(&self) -> Parsed {
        if self.levels + self.commands > LEVELS {
            return Err(too_deep());
        }
        Ok(())
    }

    /// Something that lies in what is read, which ends with it.
    fn level(&mut self, read: impl FnOnce(&mut Self) -> Parsed) -> Parsed {
        self.levels += 1;
        self.deeper()?;
        read(self)?;
        self.levels -= 1;
        Ok(())
    }

    /// Takes an expression from here to the `))` that ends it.
    pub(super) fn arithmetic(&mut self, parts: usize) -> Parsed {
        let start = self.at;
        let mut open = 0_usize;
        loop {
            match self.chars.get(self.at) {
                Some('(') => open += 1,
                Some(')') if open > 0 => open -= 1,
                Some(')') => break,
                Some('\\') | None => return self.odd("arithmetic is not closed by `))`"),
                Some(_) => {}
            }
            self.skip(1);
        }
        let text: String = self
            .chars
            .get(start..self.at)
            .unwrap_or_default()
            .iter()
            .collect();
        self.skip(1);
        if self.chars.get(self.at) != Some(&')') {
            return self.odd("`((` is not closed by `))`");
        }
        self.skip(1);
        // To the parser, the first `))` ends arithmetic, and then `<<` is no operator of numbers.
        if text.contains("<<") && text.contains('(') {
            return self.odd("`<<` beside parentheses in arithmetic cannot be read");
        }
        let expressions: Vec<&str> = text.split(';').collect();
        if expressions.len() != parts {
            return self.odd("arithmetic has another number of expressions than it should");
        }
        for expression in expressions {
            arithmetic::read(expression)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
