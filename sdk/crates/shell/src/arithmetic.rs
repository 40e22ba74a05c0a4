//! Arithmetic, as far as it surely runs nothing.
//!
//! Bash works out the value of a variable as arithmetic too, and that of a variable in it, and so on; an
//! index in any of them may run a command. So an expression is integers, names and operators, and nothing
//! else: no index, no quote, no substitution. The names that it reads have to be those of variables that the line
//! itself sets to integers, and nothing but integers; [`Integers`] knows.

use std::collections::{BTreeMap, BTreeSet};

use super::lists::lists;
use super::quote::in_quotes;
use super::unparsable::{Parsed, refused};

/// The most digits of an integer: more do not fit in 64 bits.
const DIGITS: usize = 18;

/// The variables that an expression works out and changes.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Arithmetic {
    /// The variables whose values it works out.
    pub(super) reads: BTreeSet<String>,
    /// The variables that it may give another integer.
    pub(super) sets: BTreeSet<String>,
    /// The variables among `sets` that it gives an integer whatever they were, as `i=0` does.
    pub(super) starts: BTreeSet<String>,
}

/// Variables that bash itself keeps as integers.
const OWN: &str = "BASHPID EPOCHSECONDS EUID HISTCMD LINENO OPTIND PPID RANDOM SECONDS SRANDOM UID";

/// Returns true if bash keeps a variable as an integer, and works out each value that it is set to.
pub(super) fn is_own(name: &str) -> bool {
    lists(OWN, name)
}

/// Returns true if a text is an integer in decimal digits, with a sign or without.
pub(super) fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    (1..=DIGITS).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns true if a text can be the name of a variable.
pub(super) fn is_name(text: &str) -> bool {
    !text.is_empty() && !text.starts_with(|c: char| c.is_ascii_digit()) && text.chars().all(is_word)
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_ascii_alphanumeric()
}

/// The variable whose value a word is, and nothing else: `$x`, `${x}`, with quotes or without.
/// `""` for a parameter that is always an integer, such as `$?`.
pub(super) fn only_variable(raw: &str) -> Option<&str> {
    let bare = in_quotes(raw).unwrap_or(raw);
    let name = bare.strip_prefix('$')?;
    let name = name
        .strip_prefix('{')
        .map_or(Some(name), |name| name.strip_suffix('}'))?;
    match name {
        "?" | "#" | "$" | "!" => Some(""),
        _ => is_name(name).then_some(name),
    }
}

/// Reads an expression.
pub(super) fn read(raw: &str) -> Parsed<Arithmetic> {
    let mut reader = ExpressionReader {
        chars: raw.chars().collect(),
        at: 0,
        read: Arithmetic::default(),
        names: BTreeSet::new(),
        changes: false,
    };
    if reader.expression() {
        let ExpressionReader {
            mut read,
            names,
            changes,
            ..
        } = reader;
        // An operator may change any of the names: the reader does not follow which.
        if changes {
            read.sets = names;
        }
        return Ok(read);
    }
    refused(format!(
        "the arithmetic `{raw}` is more than integers, names and operators"
    ))
}

struct ExpressionReader {
    chars: Vec<char>,
    at: usize,
    read: Arithmetic,
    /// The names that are not behind a `$`.
    names: BTreeSet<String>,
    changes: bool,
}

impl ExpressionReader {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn expression(&mut self) -> bool {
        let mut open = 0_usize;
        while let Some(c) = self.peek(0) {
            match c {
                '0'..='9' => {
                    if !self.number() {
                        return false;
                    }
                    continue;
                }
                '$' => {
                    if !self.parameter() {
                        return false;
                    }
                    continue;
                }
                _ if is_word(c) => {
                    self.name();
                    continue;
                }
                '(' => open += 1,
                ')' if open == 0 => return false,
                ')' => open -= 1,
                '+' | '-' if self.peek(1) == Some(c) => {
                    self.changes = true;
                    self.at += 1;
                }
                '=' if self.peek(1) == Some('=') => self.at += 1,
                '=' => self.changes |= !self.compares(),
                ' ' | '\t' | '\n' | '+' | '-' | '*' | '/' | '%' | '<' | '>' | '!' | '&' | '|'
                | '^' | '~' | '?' | ':' | ',' => {}
                _ => return false,
            }
            self.at += 1;
        }
        open == 0
    }

    /// Returns true if the `=` here ends a `<=`, `>=` or `!=`; a `<<=` sets a variable.
    fn compares(&self) -> bool {
        let before = |back: usize| {
            let at = self.at.checked_sub(back);
            at.and_then(|at| self.chars.get(at)).copied()
        };
        match before(1) {
            Some('!') => true,
            Some(c @ ('<' | '>')) => before(2) != Some(c),
            _ => false,
        }
    }

    fn taken(&mut self) -> String {
        let rest = self.chars.get(self.at..).unwrap_or_default();
        let taken: String = rest.iter().take_while(|c| is_word(**c)).collect();
        self.at += taken.len();
        taken
    }

    fn number(&mut self) -> bool {
        let text = self.taken();
        // The value of a `$x` behind the number would be more of its digits.
        let hexadecimal = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let whole = is_integer(&text)
            || text.strip_prefix("0x").is_some_and(|digits| {
                !digits.is_empty() && digits.len() <= DIGITS && hexadecimal(digits)
            });
        whole && self.peek(0) != Some('$')
    }

    fn name(&mut self) {
        let name = self.taken();
        let rest = self.chars.get(self.at..).unwrap_or_default();
        let mut rest = rest.iter().skip_while(|c| matches!(c, ' ' | '\t' | '\n'));
        let starts = rest.next() == Some(&'=') && rest.next() != Some(&'=');
        if starts {
            self.read.starts.insert(name.clone());
        }
        self.read.reads.insert(name.clone());
        self.names.insert(name);
    }

    /// Reads the parameter that begins with a `$` here. Returns true if it is `$x`, `${x}`, `${#x}`, `$?`,
    /// `$#`, `$!` or `$$`, and stands apart from other names and digits: bash puts its value in as text.
    fn parameter(&mut self) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.chars.get(at));
        if before.is_some_and(|c| is_word(*c)) {
            return false;
        }
        self.at += 1;
        match self.peek(0) {
            Some('?' | '#' | '!' | '$') => self.at += 1,
            Some('{') => {
                self.at += 1;
                let length = self.peek(0) == Some('#');
                self.at += usize::from(length);
                let name = self.taken();
                if !is_name(&name) || self.peek(0) != Some('}') {
                    return false;
                }
                self.at += 1;
                if !length {
                    self.read.reads.insert(name);
                }
            }
            _ => {
                let name = self.taken();
                if !is_name(&name) {
                    return false;
                }
                self.read.reads.insert(name);
            }
        }
        !self
            .peek(0)
            .is_some_and(|c| is_word(c) || c == '$' || c == '{')
    }
}

/// The variables that a line sets, and those that have to be integers whatever way the line takes.
#[derive(Debug, Default)]
pub(super) struct Integers {
    /// The variables that are set; true if all values of a variable are integers.
    given: BTreeMap<String, bool>,
    needed: BTreeSet<String>,
    /// True if variables may get values that are not seen.
    unseen: bool,
}

impl Integers {
    /// A variable gets a value.
    pub(super) fn give(&mut self, name: &str, integer: bool) {
        let all = self.given.entry(name.to_owned()).or_insert(true);
        *all &= integer;
    }

    /// Any variable may get any value.
    pub(super) fn give_any(&mut self) {
        self.unseen = true;
    }

    /// A variable is worked out, and has to be an integer.
    pub(super) fn need(&mut self, name: &str) {
        self.needed.insert(name.to_owned());
    }

    /// A variable that is worked out and may be something else than an integer.
    pub(super) fn doubted(&self) -> Option<&str> {
        let fine = |name: &&String| match self.given.get(*name) {
            Some(integer) => *integer && !self.unseen,
            // Bash gives these their values.
            None => is_own(name) && !self.unseen,
        };
        self.needed
            .iter()
            .find(|name| !fine(name))
            .map(String::as_str)
    }
}

#[cfg(test)]
#[allow(
    clippy::unwrap_used,
    reason = "clippy does not see that these are tests"
)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_is_integers_names_and_operators() {
        let names = |raw: &str| -> String {
            let read = read(raw).unwrap();
            let list = |names: &BTreeSet<String>| {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                names.join(" ")
            };
            [list(&read.reads), list(&read.sets), list(&read.starts)].join("|")
        };
        for (raw, expected) in [
            ("", "||"),
            ("1+2", "||"),
            ("0x1F << 2", "||"),
            ("x * (y + 3)", "x y||"),
            ("$x + ${y} - ${#z}", "x y||"),
            ("$? + $# + $$", "||"),
            ("i++", "i|i|"),
            ("i = 0", "i|i|i"),
            ("i += x", "i x|i x|"),
            ("i <<= 2", "i|i|"),
            ("i <= 2 && i >= 1 || i != x", "i x||"),
            ("x == 1", "x||"),
            ("x ? 1 : 2, 3", "x||"),
        ] {
            assert_eq!(names(raw), expected, "{raw}");
        }
        for raw in [
            "a[0]",
            "$(x)",
            "`x`",
            "${a[0]}",
            "${x:-1}",
            "\"x\"",
            "'x'",
            "x\\",
            "10#08",
            "1x",
            "$1",
            "$@",
            "$_x$y",
            "x$y",
            "1$x",
            "$x1y$",
            "$x{",
            "(1",
            "1)",
            ")(",
            "${x",
            "$",
            "@",
            "1;2",
            "99999999999999999999",
            "é",
        ] {
            assert!(read(raw).is_err(), "{raw}");
        }
    }

    #[test]
    fn a_variable_is_an_integer_if_all_its_values_are() {
        let doubted = |values: &[(&str, bool)], needed: &[&str]| -> Option<String> {
            let mut integers = Integers::default();
            for (name, integer) in values {
                integers.give(name, *integer);
            }
            for name in needed {
                integers.need(name);
            }
            integers.doubted().map(str::to_owned)
        };
        assert_eq!(doubted(&[("x", true)], &["x"]), None);
        assert_eq!(doubted(&[], &["RANDOM"]), None);
        assert_eq!(doubted(&[], &["x"]).as_deref(), Some("x"));
        let both = [("x", true), ("x", false), ("x", true)];
        assert_eq!(doubted(&both, &["x"]).as_deref(), Some("x"));
        assert_eq!(doubted(&both, &[]), None);
        let own = [("RANDOM", false)];
        assert_eq!(doubted(&own, &["RANDOM"]).as_deref(), Some("RANDOM"));
    }
}
