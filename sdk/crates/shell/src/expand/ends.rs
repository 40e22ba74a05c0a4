//! The ends of quotes and expansions.

use super::super::Unparsable;
use super::reader::WordReader;
use super::{Quotes, Read, bounded};

impl WordReader<'_> {
    /// Returns where a `$(..)` that begins here ends: at the index of its parenthesis. Without a grammar, so
    /// a `case` in it ends it too early, and what is left then does not parse.
    pub(super) fn command_end(&self, start: usize, depth: usize) -> Read<usize> {
        bounded(depth)?;
        let mut at = start;
        let mut open = 0_usize;
        let mut before = ' ';
        while let Some(&c) = self.chars.get(at) {
            let next = self.chars.get(at + 1).copied();
            match c {
                '\\' => at += 1,
                '\'' => at = self.find(at + 1, '\'', before == '$')?,
                '"' => at = self.double_end(at + 1, depth + 1)?,
                '`' => at = self.find(at + 1, '`', true)?,
                '$' if next == Some('{') => {
                    at = self.parameter_end(at + 2, Quotes::None, depth + 1)?;
                }
                '$' if next == Some('(') => at = self.command_end(at + 2, depth + 1)?,
                '(' => open += 1,
                ')' if open == 0 => return Ok(at),
                ')' => open -= 1,
                '#' if " \t\n;|&()".contains(before) => {
                    return Err(Unparsable::new(
                        "a comment inside of `$(..)` is not understood",
                    ));
                }
                '<' if next == Some('<') && before != '<' => {
                    if self.chars.get(at + 2) == Some(&'<') {
                        at += 2;
                    } else if self.documents.is_none() {
                        return Err(Unparsable::document());
                    }
                }
                _ => {}
            }
            before = c;
            at += 1;
        }
        Err(Unparsable::new("`$(` is not closed"))
    }

    /// Returns where a double-quoted text that begins here ends.
    fn double_end(&self, start: usize, depth: usize) -> Read<usize> {
        bounded(depth)?;
        let mut at = start;
        while let Some(&c) = self.chars.get(at) {
            let next = self.chars.get(at + 1).copied();
            match c {
                '\\' => at += 1,
                '"' => return Ok(at),
                '`' => at = self.find(at + 1, '`', true)?,
                '$' if next == Some('{') => {
                    at = self.parameter_end(at + 2, Quotes::Double, depth + 1)?;
                }
                '$' if next == Some('(') => at = self.command_end(at + 2, depth + 1)?,
                _ => {}
            }
            at += 1;
        }
        Err(Unparsable::new("a double quote is not closed"))
    }

    /// Returns where a `${..}` that begins here ends.
    pub(super) fn parameter_end(&self, start: usize, quotes: Quotes, depth: usize) -> Read<usize> {
        bounded(depth)?;
        let mut at = start;
        while let Some(&c) = self.chars.get(at) {
            let next = self.chars.get(at + 1).copied();
            match c {
                '}' => return Ok(at),
                '\\' => at += 1,
                '\'' | '"' if quotes != Quotes::None => {
                    return Err(Unparsable::new(
                        "quotes inside of `${..}` inside of quotes are not understood",
                    ));
                }
                '\'' => at = self.find(at + 1, '\'', false)?,
                '"' => at = self.double_end(at + 1, depth + 1)?,
                '`' => at = self.find(at + 1, '`', true)?,
                '$' if next == Some('{') => at = self.parameter_end(at + 2, quotes, depth + 1)?,
                '$' if next == Some('(') => at = self.command_end(at + 2, depth + 1)?,
                _ => {}
            }
            at += 1;
        }
        Err(Unparsable::new("`${` is not closed"))
    }

    fn find(&self, start: usize, end: char, escapes: bool) -> Read<usize> {
        let mut at = start;
        while let Some(&c) = self.chars.get(at) {
            if c == end {
                return Ok(at);
            }
            at += if escapes && c == '\\' { 2 } else { 1 };
        }
        Err(Unparsable::new(format!("a `{end}` is not closed")))
    }
}
