//! Commands, as a row of words and operators.

use super::super::arithmetic::is_name;
use super::super::unparsable::Parsed;
use super::{CASES, DIGITS, Document, GROUPS, Screen};

/// Stands in a word for what is quoted or expanded.
const OTHER: char = '\u{0}';

/// The state of the reader in a row of commands.
struct Row {
    /// The word so far, with [`OTHER`] in it.
    word: String,
    /// True if a word here is the first of a command.
    first: bool,
    /// True if the word before is `for`.
    counts: bool,
    /// The number of parentheses that are open.
    open: usize,
    /// The number of those in a `[[ .. ]]`; `None` outside of one.
    test: Option<usize>,
}

impl Screen<'_> {
    /// Reads commands to the end, or past a parenthesis that closes them.
    pub(crate) fn commands(&mut self, until: Option<char>) -> Parsed {
        let mut row = Row {
            word: String::new(),
            first: true,
            counts: false,
            open: 0,
            test: None,
        };
        while let Some(c) = self.peek() {
            match c {
                ')' if row.open == 0 && until == Some(c) => {
                    self.word_ends(&mut row, until)?;
                    if row.test.is_some() {
                        return self.odd("`[[` is not closed by `]]`");
                    }
                    if !self.documents.is_empty() {
                        return self.odd("a here-document is not begun in its line");
                    }
                    self.skip(1);
                    return Ok(());
                }
                ' ' | '\t' => {
                    self.word_ends(&mut row, until)?;
                    self.skip(1);
                }
                '\n' => {
                    self.word_ends(&mut row, until)?;
                    self.skip(1);
                    self.bodies()?;
                    row.first = true;
                }
                '#' if row.word.is_empty() => {
                    if until.is_some() || row.test.is_some() {
                        return self
                            .odd("a comment inside of `$(..)` or `[[ .. ]]` cannot be read");
                    }
                    // A backslash joins no lines here.
                    while self.chars.get(self.at).is_some_and(|c| *c != '\n') {
                        self.skip(1);
                    }
                }
                ';' | '&' | '|' => self.operator(&mut row, c, until)?,
                '(' => self.opens(&mut row)?,
                ')' => self.closes(&mut row, until)?,
                '<' | '>' => self.redirects(&mut row, c, until)?,
                '[' if is_name(&row.word) => self.index(&mut row)?,
                '$' => {
                    self.skip(1);
                    self.dollar(false)?;
                    row.word.push(OTHER);
                }
                '\\' => {
                    self.skip(1);
                    if self.chars.get(self.at).is_none() {
                        return self.odd("it ends with a backslash");
                    }
                    self.skip(1);
                    row.word.push(OTHER);
                }
                '\'' | '"' | '`' => {
                    self.quotes(c)?;
                    row.word.push(OTHER);
                }
                _ => {
                    self.skip(1);
                    row.word.push(c);
                }
            }
        }
        self.word_ends(&mut row, until)?;
        if until.is_some() || row.test.is_some() {
            return self.odd("it ends before a command in it is whole");
        }
        if !self.documents.is_empty() {
            return self.odd("a here-document is not closed");
        }
        Ok(())
    }

    /// A word ends here, if there is one.
    fn word_ends(&mut self, row: &mut Row, until: Option<char>) -> Parsed {
        let word = std::mem::take(&mut row.word);
        if word.is_empty() {
            return Ok(());
        }
        if let Some(open) = row.test {
            if word == "]]" {
                if open > 0 {
                    return self.odd("`]]` inside of parentheses cannot be read");
                }
                row.test = None;
            }
            return Ok(());
        }
        if word == "case" {
            self.cases += 1;
            if self.cases > CASES {
                return self.odd("it has too many `case`");
            }
        }
        row.counts = word == "for";
        if !row.first {
            return Ok(());
        }
        row.first = false;
        match word.as_str() {
            "case" if until.is_some() => {
                return self.odd("a `case` inside of `$(..)` cannot be read");
            }
            "function" | "select" => {
                return self.odd(&format!("`{word}` cannot be read"));
            }
            "[[" => row.test = Some(0),
            "if" | "while" | "until" | "for" | "case" | "{" => {
                self.commands += 1;
                self.deeper()?;
                row.first = word != "for" && word != "case";
            }
            "fi" | "done" | "esac" | "}" => self.commands = self.commands.saturating_sub(1),
            // `-p` is an option of `time`; to bash, so is `--`.
            "then" | "do" | "else" | "elif" | "!" | "time" | "-p" | "coproc" => row.first = true,
            "--" => return self.odd("a command that begins with `--` cannot be read"),
            _ => {}
        }
        Ok(())
    }

    fn operator(&mut self, row: &mut Row, c: char, until: Option<char>) -> Parsed {
        self.word_ends(row, until)?;
        self.skip(1);
        if row.test.is_some() && c != '|' && !(c == '&' && self.take('&')) {
            return self.odd("an operator inside of `[[ .. ]]` cannot be read");
        }
        row.first = true;
        Ok(())
    }

    fn opens(&mut self, row: &mut Row) -> Parsed {
        // Two beside each other make the parser read `<<` as an operator of numbers, up to the next `))`.
        let before = self.at.checked_sub(1).and_then(|at| self.chars.get(at));
        if before == Some(&'(') {
            return self.odd("`((` cannot be read here");
        }
        if let Some(open) = &mut row.test {
            *open += 1;
            if *open > GROUPS {
                return self.odd("`[[ .. ]]` has too many parentheses");
            }
            self.skip(1);
            row.word.clear();
            return Ok(());
        }
        let array = row.word.ends_with('=') && !row.word.starts_with(OTHER);
        if !row.word.is_empty() && !array {
            return self.odd("a parenthesis in a word cannot be read");
        }
        row.word.clear();
        self.skip(1);
        if !array && self.peek() == Some('(') {
            let parts = match (row.counts, row.first) {
                (true, _) => 3,
                (false, true) => 1,
                (false, false) => return self.odd("`((` cannot be read here"),
            };
            self.skip(1);
            self.arithmetic(parts)?;
            row.first = true;
            return Ok(());
        }
        // The parser takes `( (` for `((`.
        let rest = self.chars.get(self.at..).unwrap_or_default();
        let next = rest
            .iter()
            .position(|c| !matches!(c, ' ' | '\t' | '\n' | '\\'));
        match next.and_then(|next| rest.get(next)) {
            Some('(') => return self.odd("`( (` cannot be read"),
            Some(')') if !array => return self.odd("`()` cannot be read"),
            _ => {}
        }
        row.open += 1;
        row.first = !array;
        self.commands += 1;
        self.deeper()
    }

    fn closes(&mut self, row: &mut Row, until: Option<char>) -> Parsed {
        if let Some(open) = row.test {
            let Some(left) = open.checked_sub(1) else {
                return self.odd("a parenthesis in `[[ .. ]]` is not opened");
            };
            if row.word == "]]" {
                return self.odd("`]]` inside of parentheses cannot be read");
            }
            row.test = Some(left);
            row.word.clear();
            self.skip(1);
            return Ok(());
        }
        self.word_ends(row, until)?;
        self.skip(1);
        // The parenthesis behind a pattern of `case` may close none that was opened.
        if row.open > 0 {
            row.open -= 1;
            self.commands = self.commands.saturating_sub(1);
        }
        row.first = true;
        Ok(())
    }

    /// A redirection, or `<(..)`.
    fn redirects(&mut self, row: &mut Row, c: char, until: Option<char>) -> Parsed {
        if row.word.ends_with('}') && row.word != "}" {
            return self.odd("a variable before a redirection cannot be read");
        }
        if row.word.len() > DIGITS && row.word.bytes().all(|byte| byte.is_ascii_digit()) {
            return self.odd("a descriptor is too large");
        }
        let glued = !row.word.is_empty();
        self.word_ends(row, until)?;
        self.skip(1);
        match self.peek() {
            Some('(') if glued => {
                return self.odd("`<(` has to be a word of its own");
            }
            Some('(') => {
                if row.test.is_some() {
                    return self.odd("`<(` inside of `[[ .. ]]` cannot be read");
                }
                self.plain_line()?;
                self.skip(1);
                self.level(|screen| screen.commands(Some(')')))?;
                if !self.word_may_end() {
                    return self.odd("`<(..)` has to be a word of its own");
                }
                row.first = false;
                return Ok(());
            }
            Some('<') if c == '<' => {
                self.skip(1);
                if !self.take('<') {
                    if row.test.is_some() {
                        return self.odd("`<<` inside of `[[ .. ]]` cannot be read");
                    }
                    self.document()?;
                }
            }
            Some('&') => {
                self.skip(1);
                while self.take(' ') || self.take('\t') {}
                // To bash, the dash is a word of its own, whatever follows.
                if self.take('-') && !self.word_may_end() {
                    return self.odd("a word behind `>&-` needs a blank before it");
                }
            }
            Some('>' | '|') => self.skip(1),
            _ => {}
        }
        row.first = false;
        Ok(())
    }

    /// Returns true if a word that stands before this place ends here.
    fn word_may_end(&mut self) -> bool {
        let ends = |c: char| " \t\n;&|<>()".contains(c);
        self.peek().is_none_or(ends)
    }

    /// The delimiter of a here-document, whose `<<` is read.
    fn document(&mut self) -> Parsed {
        let tabs = self.take('-');
        while self.take(' ') || self.take('\t') {}
        let quote = match self.peek() {
            Some(c @ ('\'' | '"')) => {
                self.skip(1);
                Some(c)
            }
            Some('\\') => {
                self.skip(1);
                Some('\\')
            }
            _ => None,
        };
        let rest = self.chars.get(self.at..).unwrap_or_default();
        let plain = |c: &&char| **c == '_' || c.is_ascii_alphanumeric();
        let delimiter: String = rest.iter().take_while(plain).collect();
        self.skip(delimiter.len());
        let closed = match quote {
            Some(quote @ ('\'' | '"')) => self.take(quote),
            _ => true,
        };
        let ends = matches!(
            self.chars.get(self.at),
            None | Some(' ' | '\t' | '\n' | ';' | '|' | '&' | ')' | '<' | '>')
        );
        if delimiter.is_empty() || !closed || !ends {
            return self.odd("the delimiter of a here-document is no plain word");
        }
        self.has_documents = true;
        self.documents.push(Document {
            delimiter,
            tabs,
            quoted: quote.is_some(),
        });
        Ok(())
    }

    /// Passes over the here-documents of the line that ends here.
    fn bodies(&mut self) -> Parsed {
        for document in std::mem::take(&mut self.documents) {
            loop {
                let rest = self.chars.get(self.at..).unwrap_or_default();
                if rest.is_empty() {
                    return self.odd("a here-document is not closed");
                }
                let length = rest.iter().position(|c| *c == '\n');
                let line = rest.get(..length.unwrap_or(rest.len())).unwrap_or_default();
                let bare = line.iter().skip_while(|c| document.tabs && **c == '\t');
                if bare.eq(document.delimiter.chars().collect::<Vec<_>>().iter()) {
                    // The new line behind it ends the line of the command.
                    let count = line.len();
                    self.skip(count);
                    break;
                }
                if !document.quoted && line.last() == Some(&'\\') {
                    return self
                        .odd("a here-document joins lines, and may end elsewhere than it seems");
                }
                let count = line.len() + usize::from(length.is_some());
                self.skip(count);
            }
            if self.chars.get(self.at) == Some(&'\n') {
                self.skip(1);
            }
        }
        Ok(())
    }

    /// An index behind a name, or what looks like one.
    fn index(&mut self, row: &mut Row) -> Parsed {
        let rest = self.chars.get(self.at + 1..).unwrap_or_default();
        let ends = |c: &char| " \t\n;&|<>()[]{}'\"`\\".contains(*c);
        let length = rest.iter().position(ends);
        let end = length.and_then(|length| rest.get(length));
        let count = length.unwrap_or(rest.len());
        let inside = rest.get(..count).unwrap_or_default();
        let expands = inside
            .windows(2)
            .any(|two| matches!(two, ['$', c] if !(*c == '_' || c.is_ascii_alphanumeric())));
        if expands || end != Some(&']') {
            return self.odd("an index of a variable cannot be read");
        }
        let text: String = inside.iter().collect();
        row.word.push('[');
        row.word.push_str(&text);
        if text.contains('$') {
            row.word.push(OTHER);
        }
        self.skip(count + 1);
        Ok(())
    }
}
