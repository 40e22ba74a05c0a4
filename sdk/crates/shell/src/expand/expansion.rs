//! Expansions, which begin with a `$` or a backquote.

use super::super::arithmetic;
use super::super::screen::{self, Screen};
use super::super::unparsable::{Parsed, Unparsable, refused};
use super::reader::WordReader;
use super::{Expanded, Quotes, bounded};

impl WordReader<'_> {
    /// Returns what begins with a `$`, which is read.
    pub(super) fn dollar(&mut self, quotes: Quotes, depth: usize) -> Parsed {
        let bare = quotes == Quotes::None;
        match self.peek(0) {
            Some('(') if self.peek(1) == Some('(') => {
                // `$((a) | b)` is a command in bash, and told apart by trying. It needs a blank here.
                let start = self.at + 2;
                self.go_behind(start, |screen| screen.arithmetic(1))?;
                let inside: String = self.chars[start..self.at - 2].iter().collect();
                self.arithmetic(&inside)?;
                self.unknown(bare);
            }
            Some('(') => {
                let start = self.at + 1;
                self.go_behind(start, |screen| screen.commands(Some(')')))?;
                let inside: String = self.chars[start..self.at - 1].iter().collect();
                // `cat` prints the text itself if nothing is expanded in it. Without quotes
                // around it, it would be split into words.
                let printed = match (self.documents, quotes) {
                    (Some(lifted), Quotes::Double) => lifted.printed(&inside),
                    _ => None,
                };
                match printed {
                    Some(text) => text.chars().for_each(|c| self.literal(c)),
                    None => self.unknown(bare),
                }
                self.found.substitutions.push(inside);
            }
            // The old form of `$((..))`.
            Some('[') => return refused("`$[` is not understood"),
            Some('{') => {
                let start = self.at + 1;
                self.go_behind(start, |screen| screen.parameter(!bare))?;
                let inside: Vec<char> = self.chars[start..self.at - 1].to_vec();
                let many = inside.contains(&'@') || inside.contains(&'*');
                self.parameter(&inside, depth)?;
                self.unknown(bare || many);
            }
            Some(c) if c == '_' || c.is_ascii_alphabetic() => {
                while self
                    .peek(0)
                    .is_some_and(|c| c == '_' || c.is_ascii_alphanumeric())
                {
                    self.at += 1;
                }
                self.unknown(bare);
            }
            Some(c) if c.is_ascii_digit() || "@*#?-$!".contains(c) => {
                self.at += 1;
                self.unknown(bare || c == '@');
            }
            _ => self.literal('$'),
        }
        Ok(())
    }

    /// Goes behind an expansion whose inside begins at an index.
    fn go_behind(&mut self, start: usize, read: impl FnOnce(&mut Screen<'_>) -> Parsed) -> Parsed {
        let (end, has_documents) = screen::end_of(&self.chars, start, read)?;
        if has_documents && self.documents.is_none() {
            return Err(Unparsable::document());
        }
        self.at = end;
        Ok(())
    }

    /// A command in backquotes, the first of which is read.
    pub(super) fn backquoted(&mut self, quotes: Quotes) -> Parsed {
        let mut command = String::new();
        loop {
            match self.next() {
                Some('`') => break,
                Some('\\') => match self.peek(0) {
                    Some(c @ ('`' | '\\' | '$')) => {
                        self.at += 1;
                        command.push(c);
                    }
                    Some('"') if quotes == Quotes::Double => {
                        self.at += 1;
                        command.push('"');
                    }
                    _ => command.push('\\'),
                },
                Some(c) => command.push(c),
                None => return refused("a backquote is not closed"),
            }
        }
        if command.contains("<<") && self.documents.is_none() {
            return Err(Unparsable::document());
        }
        if command.contains('#') {
            return refused("a `#` inside of backquotes may begin a comment");
        }
        self.found.substitutions.push(command);
        self.unknown(quotes == Quotes::None);
        Ok(())
    }

    /// The contents of `${..}`.
    fn parameter(&mut self, inside: &[char], depth: usize) -> Parsed {
        let odd = || {
            let inside: String = inside.iter().collect();
            Unparsable::new(format!("the expansion `${{{inside}}}` is not understood"))
        };
        let mut rest = inside;
        if let ['#', after @ ..] = rest
            && !after.is_empty()
        {
            rest = after;
        }
        // `${!x}` works out a name from a value.
        let length = match rest {
            [c, ..] if *c == '_' || c.is_ascii_alphabetic() => rest
                .iter()
                .take_while(|c| **c == '_' || c.is_ascii_alphanumeric())
                .count(),
            [c, ..] if c.is_ascii_digit() => rest.iter().take_while(|c| c.is_ascii_digit()).count(),
            ['@' | '*' | '#' | '?' | '-' | '$', ..] => 1,
            _ => return Err(odd()),
        };
        let name: String = rest[..length].iter().collect();
        rest = &rest[length..];
        if let ['[', after @ ..] = rest {
            let end = after.iter().position(|c| *c == ']').ok_or_else(odd)?;
            let index: String = after[..end].iter().collect();
            if index != "@" && index != "*" {
                self.arithmetic(&index)?;
            }
            rest = &after[end + 1..];
        }
        let text: String = rest.iter().skip(1).collect();
        match rest {
            [] | ['@', 'Q' | 'U' | 'u' | 'L' | 'a' | 'A' | 'K' | 'k'] => Ok(()),
            [':', '-' | '?' | '+', ..] | ['-' | '?' | '+' | '#' | '%' | '/' | '^' | ',', ..] => {
                self.inner(&text, depth)
            }
            [':', '=', ..] | ['=', ..] => {
                self.found.sets.push(name);
                self.inner(&text, depth)
            }
            [':', ..] => text
                .split(':')
                .try_for_each(|number| self.arithmetic(number)),
            _ => Err(odd()),
        }
    }

    /// A text inside of an expansion, whose value is not known anyway: what it runs.
    pub(super) fn inner(&mut self, raw: &str, depth: usize) -> Parsed {
        bounded(depth)?;
        if raw.contains("<(") || raw.contains(">(") {
            return refused("`<(` inside of an expansion is not understood");
        }
        if !raw.contains(['$', '`']) {
            return Ok(());
        }
        if raw.contains(['\'', '"', '\\']) {
            // The meaning of quotes here depends on the place of the expansion.
            return refused("quotes around an expansion inside of another are not understood");
        }
        let mut reader = Self::new(raw, self.documents);
        reader.quoted(Quotes::Document, depth + 1)?;
        self.take(reader.found);
        Ok(())
    }

    fn take(&mut self, found: Expanded) {
        self.found.substitutions.extend(found.substitutions);
        self.found.sets.extend(found.sets);
        self.found.arithmetic.extend(found.arithmetic);
    }

    fn arithmetic(&mut self, raw: &str) -> Parsed {
        self.found.arithmetic.push(arithmetic::read(raw)?);
        Ok(())
    }
}
