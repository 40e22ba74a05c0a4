//! What a word of the grammar becomes: quotes and escapes removed, expansions found.
//!
//! The parser's crate has a grammar for words too. It is not used: it takes seconds for six levels of
//! `${x[..` (each level is tried by every alternative), it unwraps numbers, it keeps the words that it
//! has seen in a static, and it ends a `$(..)` at a parenthesis in a here-document. This reader goes
//! over a word once. Where the two readings of a line could part, it gives up: outside of quotes no
//! character may be left that the tokenizer would have ended the word at.

use super::Unparsable;
use super::word::{Unknown, Word};

/// The most levels of quotes and expansions in one word.
const DEPTH: usize = 24;

/// A word read.
#[derive(Debug, Default)]
pub(super) struct Expanded {
    /// The commands of its substitutions, each a text of its own.
    pub(super) substitutions: Vec<String>,
    /// The variables that it sets, as `${x:=1}` does.
    pub(super) sets: Vec<String>,
    /// Whether it works out the value of a variable as arithmetic, which runs what is in it.
    pub(super) evaluates: bool,
    text: Text,
}

/// The literal text around what is not known.
#[derive(Debug, Default)]
struct Text {
    prefix: String,
    /// What follows the last thing that is not known; `None` if all is known.
    suffix: Option<String>,
    splits: bool,
    /// Whether something other than a pattern makes it split.
    varies: bool,
    /// Whether the suffix has characters of a pattern in it, so that it is none.
    ragged: bool,
}

/// What stands around a piece of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quotes {
    None,
    Double,
    /// In a here-document, where `"` is a character.
    Document,
}

pub(super) type Read<T> = Result<T, Unparsable>;

/// Reads a word. `documents` says whether here-documents inside of substitutions are blank.
pub(super) fn word(raw: &str, documents: bool) -> Read<(Word, Expanded)> {
    let mut reader = Reader::new(raw, documents);
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
        }),
    };
    Ok((word, expanded))
}

/// Reads a here-document whose delimiter is not quoted.
pub(super) fn document(raw: &str, documents: bool) -> Read<Expanded> {
    let mut reader = Reader::new(raw, documents);
    reader.quoted(Quotes::Document, 0)?;
    Ok(reader.found)
}

/// Reads an arithmetic expression.
pub(super) fn arithmetic(raw: &str) -> Read<Expanded> {
    let mut reader = Reader::new("", false);
    reader.arithmetic(raw)?;
    Ok(reader.found)
}

/// Reads a pattern or an expression that stays one, as in `[[ .. =~ (a|b) ]]`: only its
/// substitutions count.
pub(super) fn pattern(raw: &str, documents: bool) -> Read<Expanded> {
    let mut reader = Reader::new("", documents);
    reader.inner(raw, 0)?;
    Ok(reader.found)
}

struct Reader {
    chars: Vec<char>,
    at: usize,
    documents: bool,
    found: Expanded,
}

impl Reader {
    fn new(raw: &str, documents: bool) -> Self {
        Self {
            chars: raw.chars().collect(),
            at: 0,
            documents,
            found: Expanded::default(),
        }
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek(0);
        self.at += usize::from(next.is_some());
        next
    }

    fn literal(&mut self, c: char) {
        let text = &mut self.found.text;
        text.suffix.as_mut().unwrap_or(&mut text.prefix).push(c);
    }

    fn unknown(&mut self, splits: bool) {
        let text = &mut self.found.text;
        text.suffix = Some(String::new());
        text.splits |= splits;
        text.varies |= splits;
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
    }

    fn unquoted(&mut self) -> Read<()> {
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
                '*' | '?' => self.globbed(),
                '[' if self.chars[self.at..].contains(&']') => self.ragged(),
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

    /// What is left, for people.
    fn rest(&self) -> String {
        self.chars[self.at.saturating_sub(1)..]
            .iter()
            .take(20)
            .collect()
    }

    /// Whether the brace before here may be expanded: a comma or `..` comes before a closing one.
    fn brace_expands(&self) -> bool {
        let rest = &self.chars[self.at..];
        let Some(end) = rest.iter().rposition(|c| *c == '}') else {
            return false;
        };
        let inside = &rest[..end];
        inside.contains(&',') || inside.windows(2).any(|pair| pair == ['.', '.'])
    }

    /// Up to the end of a single-quoted text.
    fn single(&mut self) -> Read<()> {
        loop {
            match self.next() {
                Some('\'') => return Ok(()),
                Some(c) => self.literal(c),
                None => return Err(Unparsable::new("a single quote is not closed")),
            }
        }
    }

    /// Up to the end of a `$'..'` text.
    fn ansi(&mut self) -> Read<()> {
        loop {
            match self.next() {
                Some('\'') => return Ok(()),
                Some('\\') => match super::ansi::escape(&self.chars, &mut self.at) {
                    Some(c) => self.literal(c),
                    None => self.unknown(false),
                },
                Some(c) => self.literal(c),
                None => return Err(Unparsable::new("a single quote is not closed")),
            }
        }
    }

    /// Up to the end of a double-quoted text or a here-document.
    fn quoted(&mut self, quotes: Quotes, depth: usize) -> Read<()> {
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
                None => return Err(Unparsable::new("a double quote is not closed")),
            }
        }
    }

    /// What begins with a `$`, which is read.
    fn dollar(&mut self, quotes: Quotes, depth: usize) -> Read<()> {
        let bare = quotes == Quotes::None;
        match self.peek(0) {
            Some('(') if self.peek(1) == Some('(') => {
                // `$((a) | b)` is a command in bash, and told apart by trying. It needs a blank here.
                let start = self.at + 2;
                self.at = self.command_end(start, depth)?;
                let end = self.at;
                if self.next() != Some(')') || self.next() != Some(')') {
                    return Err(Unparsable::new("`$((` is not closed by `))`"));
                }
                let inside: String = self.chars[start..end].iter().collect();
                self.arithmetic(&inside)?;
                self.unknown(bare);
            }
            Some('(') => {
                let start = self.at + 1;
                let end = self.command_end(start, depth)?;
                self.at = end + 1;
                let inside = self.chars[start..end].iter().collect();
                self.found.substitutions.push(inside);
                self.unknown(bare);
            }
            Some('[') => {
                let rest = &self.chars[self.at + 1..];
                let Some(length) = rest.iter().position(|c| *c == ']') else {
                    return Err(Unparsable::new("`$[` is not closed"));
                };
                let inside: String = rest[..length].iter().collect();
                self.at += length + 2;
                self.arithmetic(&inside)?;
                self.unknown(bare);
            }
            Some('{') => {
                let start = self.at + 1;
                let end = self.parameter_end(start, quotes, depth)?;
                self.at = end + 1;
                let inside: Vec<char> = self.chars[start..end].to_vec();
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

    /// A command in backquotes, the first of which is read.
    fn backquoted(&mut self, quotes: Quotes) -> Read<()> {
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
                None => return Err(Unparsable::new("a backquote is not closed")),
            }
        }
        if command.contains("<<") && !self.documents {
            return Err(Unparsable::document());
        }
        if command.contains('#') {
            return Err(Unparsable::new(
                "a `#` inside of backquotes may begin a comment",
            ));
        }
        self.found.substitutions.push(command);
        self.unknown(quotes == Quotes::None);
        Ok(())
    }

    /// The contents of `${..}`.
    fn parameter(&mut self, inside: &[char], depth: usize) -> Read<()> {
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
    fn inner(&mut self, raw: &str, depth: usize) -> Read<()> {
        bounded(depth)?;
        if raw.contains("<(") || raw.contains(">(") {
            return Err(Unparsable::new(
                "`<(` inside of an expansion is not understood",
            ));
        }
        if !raw.contains(['$', '`']) {
            return Ok(());
        }
        if raw.contains(['\'', '"', '\\']) {
            // What quotes mean here depends on where the expansion stands.
            return Err(Unparsable::new(
                "quotes around an expansion inside of another are not understood",
            ));
        }
        let mut reader = Self::new(raw, self.documents);
        reader.quoted(Quotes::Document, depth + 1)?;
        self.take(reader.found);
        Ok(())
    }

    fn take(&mut self, found: Expanded) {
        self.found.substitutions.extend(found.substitutions);
        self.found.sets.extend(found.sets);
        self.found.evaluates |= found.evaluates;
    }

    /// An arithmetic expression. The value of a variable is worked out too, and an index in it may
    /// run a command; so may the result of a substitution.
    fn arithmetic(&mut self, raw: &str) -> Read<()> {
        if raw.contains(['`', '\'', '"', '\\']) || raw.contains("$(") || raw.contains("${") {
            return Err(Unparsable::new(format!(
                "the arithmetic `{raw}` may run commands"
            )));
        }
        let mut number = false;
        for c in raw.chars() {
            if (c == '_' || c == '$' || c.is_alphabetic()) && !number {
                self.found.evaluates = true;
            }
            number = c.is_ascii_digit() || (number && c.is_ascii_alphanumeric());
        }
        Ok(())
    }

    /// Where a `$(..)` that begins here ends: at the index of its parenthesis. Without a grammar, so
    /// a `case` in it ends it too early, and what is left then does not parse.
    fn command_end(&self, start: usize, depth: usize) -> Read<usize> {
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
                    } else if !self.documents {
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

    /// Where a double-quoted text that begins here ends.
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

    /// Where a `${..}` that begins here ends.
    fn parameter_end(&self, start: usize, quotes: Quotes, depth: usize) -> Read<usize> {
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

fn bounded(depth: usize) -> Read<()> {
    if depth > DEPTH {
        return Err(Unparsable::new("quotes and expansions nest too deep"));
    }
    Ok(())
}
