//! The text of a word: quotes, escapes and patterns.

use super::super::ansi;
use super::super::documents::Lifted;
use super::super::glob::Glyph;
use super::super::unparsable::{Parsed, Unparsable, refused};
use super::{Expanded, Quotes, bounded};

pub(super) struct WordReader<'l> {
    pub(super) chars: Vec<char>,
    pub(super) at: usize,
    pub(super) documents: Option<&'l Lifted>,
    pub(super) found: Expanded,
}

impl<'l> WordReader<'l> {
    pub(super) fn new(raw: &str, documents: Option<&'l Lifted>) -> Self {
        Self {
            chars: raw.chars().collect(),
            at: 0,
            documents,
            found: Expanded::default(),
        }
    }

    pub(super) fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let next = self.peek(0);
        self.at += usize::from(next.is_some());
        next
    }

    pub(super) fn literal(&mut self, c: char) {
        let text = &mut self.found.text;
        text.suffix.as_mut().unwrap_or(&mut text.prefix).push(c);
        text.glyphs.push(Glyph::Char(c));
    }

    pub(super) fn unknown(&mut self, splits: bool) {
        let text = &mut self.found.text;
        text.suffix = Some(String::new());
        text.splits |= splits;
        text.varies |= splits;
        text.odd = true;
    }

    /// Something that patterns of files may put there, and nothing else.
    fn globbed(&mut self) {
        let text = &mut self.found.text;
        text.suffix = Some(String::new());
        text.splits = true;
    }

    /// A pattern that ends nobody knows where.
    fn ragged(&mut self) {
        self.globbed();
        self.found.text.ragged = true;
        self.found.text.odd = true;
    }

    /// A set of characters, whose `[` is read. Which ones are in it depends on the locale, so it stands
    /// for any one.
    fn set(&mut self) {
        let rest = self.chars.get(self.at..).unwrap_or_default();
        let length = rest.iter().position(|c| *c == ']').unwrap_or_default();
        let inside = rest.get(..length).unwrap_or_default();
        let (first, plain) = match inside {
            ['!' | '^', inside @ ..] => (1, inside),
            inside => (0, inside),
        };
        let named = plain
            .iter()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
        if plain.is_empty() || !named {
            return self.ragged();
        }
        self.at += first + plain.len() + 1;
        self.globbed();
        self.found.text.ragged = true;
        self.found.text.glyphs.push(Glyph::One);
    }

    pub(super) fn unquoted(&mut self) -> Parsed {
        let mut before = None;
        while let Some(c) = self.next() {
            match c {
                '\\' => match self.next() {
                    Some('\n') => {}
                    Some(c) => self.literal(c),
                    None => self.literal('\\'),
                },
                '\'' => self.single()?,
                '"' => self.quoted(Quotes::Double, 0)?,
                '$' if self.peek(0) == Some('\'') => {
                    self.at += 1;
                    self.ansi()?;
                }
                '$' if self.peek(0) == Some('"') => {
                    self.at += 1;
                    self.quoted(Quotes::Double, 0)?;
                    // Its translation, if there is one.
                    self.unknown(false);
                }
                '$' => self.dollar(Quotes::None, 0)?,
                '`' => self.backquoted(Quotes::None)?,
                ' ' | '\t' | '\n' | ';' | '|' | '&' | '(' | ')' | '<' | '>' => {
                    return Err(Unparsable::near(&self.rest()));
                }
                '*' | '?' => {
                    self.globbed();
                    let glyph = if c == '*' { Glyph::Many } else { Glyph::One };
                    self.found.text.glyphs.push(glyph);
                }
                '[' if self.chars[self.at..].contains(&']') => self.set(),
                '{' if self.brace_expands() => self.ragged(),
                '~' if matches!(before, None | Some('=' | ':')) => {
                    if matches!(self.peek(0), None | Some('/')) {
                        self.unknown(false);
                    } else {
                        self.unknown(false);
                        self.found.text.ragged = true;
                    }
                }
                c => self.literal(c),
            }
            before = Some(c);
        }
        Ok(())
    }

    /// Returns what is left, for people.
    fn rest(&self) -> String {
        self.chars[self.at.saturating_sub(1)..]
            .iter()
            .take(20)
            .collect()
    }

    /// Returns true if the brace before here may be expanded: a comma or `..` comes before a closing one.
    fn brace_expands(&self) -> bool {
        let rest = &self.chars[self.at..];
        let Some(end) = rest.iter().rposition(|c| *c == '}') else {
            return false;
        };
        let inside = &rest[..end];
        inside.contains(&',') || inside.windows(2).any(|pair| pair == ['.', '.'])
    }

    /// Up to the end of a single-quoted text.
    fn single(&mut self) -> Parsed {
        loop {
            match self.next() {
                Some('\'') => return Ok(()),
                Some(c) => self.literal(c),
                None => return refused("a single quote is not closed"),
            }
        }
    }

    /// Up to the end of a `$'..'` text.
    fn ansi(&mut self) -> Parsed {
        loop {
            match self.next() {
                Some('\'') => return Ok(()),
                Some('\\') => match ansi::escape(&self.chars, &mut self.at) {
                    Some(c) => self.literal(c),
                    None => self.unknown(false),
                },
                Some(c) => self.literal(c),
                None => return refused("a single quote is not closed"),
            }
        }
    }

    /// Up to the end of a double-quoted text or a here-document.
    pub(super) fn quoted(&mut self, quotes: Quotes, depth: usize) -> Parsed {
        bounded(depth)?;
        loop {
            match self.next() {
                Some('"') if quotes == Quotes::Double => return Ok(()),
                Some('\\') => match self.peek(0) {
                    Some('\n') => self.at += 1,
                    Some(c @ ('$' | '`' | '\\')) => {
                        self.at += 1;
                        self.literal(c);
                    }
                    Some('"') if quotes == Quotes::Double => {
                        self.at += 1;
                        self.literal('"');
                    }
                    _ => self.literal('\\'),
                },
                Some('$') => self.dollar(quotes, depth)?,
                Some('`') => self.backquoted(quotes)?,
                Some(c) => self.literal(c),
                None if quotes == Quotes::Document => return Ok(()),
                None => return refused("a double quote is not closed"),
            }
        }
    }
}
