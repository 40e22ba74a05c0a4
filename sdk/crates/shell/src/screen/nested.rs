//! Quotes and expansions.

use super::super::unparsable::Parsed;
use super::Screen;

impl Screen<'_> {
    /// A text in quotes or backquotes, which begin here.
    pub(super) fn quotes(&mut self, quote: char) -> Parsed {
        // After `\$` and `$$` the parser takes a text for one with escapes.
        let before = self.at.checked_sub(1).and_then(|at| self.chars.get(at));
        if quote == '\'' && before == Some(&'$') {
            return self.odd("a quote behind a `$` cannot be read");
        }
        self.skip(1);
        match quote {
            '"' => self.double(),
            '`' => self.up_to('`', true),
            _ => self.up_to('\'', false),
        }
    }

    /// The line has no here-document whose text is still to come: what lies in its later words would be
    /// taken for words of the line.
    pub(super) fn plain_line(&self) -> Parsed {
        if self.documents.is_empty() {
            return Ok(());
        }
        self.odd("an expansion behind `<<` in its line cannot be read")
    }

    fn up_to(&mut self, end: char, escapes: bool) -> Parsed {
        loop {
            match self.chars.get(self.at) {
                Some(c) if *c == end => break,
                Some('\\') if escapes => self.skip(1),
                Some('\n') => self.plain_line()?,
                Some(_) => {}
                None if end == '\'' => return self.odd("a single quote is not closed"),
                None => return self.odd("a backquote is not closed"),
            }
            self.skip(1);
        }
        self.skip(1);
        Ok(())
    }

    /// Takes a text in double quotes, whose first quote is read.
    fn double(&mut self) -> Parsed {
        self.level(|screen| {
            while let Some(c) = screen.next() {
                match c {
                    '"' => return Ok(()),
                    '\\' => screen.skip(1),
                    '`' => screen.up_to('`', true)?,
                    '$' => screen.dollar(true)?,
                    '\n' => screen.plain_line()?,
                    _ => {}
                }
            }
            screen.odd("a double quote is not closed")
        })
    }

    /// Takes an expansion whose `$` is read.
    pub(super) fn dollar(&mut self, quoted: bool) -> Parsed {
        if self
            .chars
            .get(self.at..)
            .is_some_and(|rest| rest.starts_with(&['\\', '\n']))
        {
            return self.odd("a line joined behind a `$` cannot be read");
        }
        match self.peek() {
            Some('(') => {
                self.plain_line()?;
                self.skip(1);
                if self.take('(') {
                    return self.arithmetic(1);
                }
                self.level(|screen| screen.commands(Some(')')))
            }
            Some('{') => {
                self.plain_line()?;
                self.skip(1);
                self.level(|screen| screen.parameter(quoted))
            }
            Some('[') => self.odd("`$[` cannot be read"),
            Some('\'') if !quoted => {
                self.skip(1);
                self.up_to('\'', true)
            }
            Some('"') if !quoted => {
                self.skip(1);
                self.double()
            }
            Some('$') => {
                self.skip(1);
                match self.peek() {
                    // `$$` is one parameter, behind which the parser begins another with its second sign.
                    Some('(' | '{' | '[') => self.odd("a bracket behind `$$` cannot be read"),
                    Some('\'' | '"') if !quoted => self.odd("a quote behind `$$` cannot be read"),
                    _ => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    /// The inside of `${..}`, up to its end.
    pub(crate) fn parameter(&mut self, quoted: bool) -> Parsed {
        while let Some(c) = self.next() {
            match c {
                '}' => return Ok(()),
                '\\' => self.skip(1),
                '\'' if !quoted => self.up_to('\'', false)?,
                '"' if !quoted => self.double()?,
                '`' => self.up_to('`', true)?,
                '$' => self.dollar(quoted)?,
                '<' | '>' | '(' | ')' | '\n' | '\'' | '"' => {
                    return self.odd(&format!("`{c}` inside of `${{..}}` cannot be read"));
                }
                _ => {}
            }
        }
        self.odd("`${` is not closed")
    }
}
