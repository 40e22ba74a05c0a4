//! Variables that a line sets.

use super::Unparsable;
use super::arithmetic;
use super::lists::lists;
use super::part::Assignment;
use super::unparsable::{Parsed, refused};
use super::walk::Walk;

/// Variables by which bash reads the rest of a line in another way, or runs what they hold.
const READING: &str =
    "BASHOPTS BASH_COMPAT BASH_ENV BASH_XTRACEFD POSIXLY_CORRECT PROMPT_COMMAND PS0 PS4 SHELLOPTS";

/// The value that a variable gets, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Value<'v> {
    Text(&'v str),
    /// Some integer.
    Integer,
    Unknown,
}

impl Value<'_> {
    pub(super) fn text(&self) -> Option<String> {
        match self {
            Self::Text(text) => Some((*text).to_owned()),
            Self::Integer | Self::Unknown => None,
        }
    }

    fn is_integer(self) -> bool {
        match self {
            Self::Text(text) => arithmetic::is_integer(text),
            Self::Integer => true,
            Self::Unknown => false,
        }
    }
}

impl Walk {
    /// A variable is set for good. Names without a capital letter are the shell's own by convention
    /// (POSIX base definitions, 8.1), but for those of proxies; unless they are exported, no program
    /// gets them.
    pub(super) fn set(&mut self, name: &str, value: Value<'_>, exported: bool) -> Parsed {
        self.gets(name, value)?;
        self.keeps(name, value, exported)
    }

    /// Arithmetic gives a variable another integer.
    pub(super) fn changes(&mut self, name: &str) -> Parsed {
        self.integers.need(name);
        self.keeps(name, Value::Integer, false)
    }

    /// A variable keeps the value that it [got](Self::gets).
    pub(super) fn keeps(&mut self, name: &str, value: Value<'_>, exported: bool) -> Parsed {
        if is_locale(name) && !value.text().is_some_and(|text| is_plain_locale(&text)) {
            return Err(decides(name, "what the characters of the line are"));
        }
        if matches!(name, "HOME" | "CDPATH" | "PWD" | "OLDPWD") {
            self.lost = true;
        }
        // With it, patterns match names that begin with a dot.
        self.patterns_change |= name == "GLOBIGNORE";
        let own = !name.contains(|c: char| c.is_ascii_uppercase()) && !name.ends_with("_proxy");
        if !own || exported {
            self.variables.push(Assignment {
                name: name.to_owned(),
                value: value.text(),
            });
        }
        Ok(())
    }

    /// A variable gets a value, for good or for one command.
    pub(super) fn gets(&mut self, name: &str, value: Value<'_>) -> Parsed {
        self.integers.give(name, value.is_integer());
        // Bash works out a value right away if it keeps the variable as an integer.
        if arithmetic::is_own(name) && !value.is_integer() {
            return refused(format!(
                "`{name}` is a number, and what it is set to may run commands"
            ));
        }
        if lists(READING, name) || name.starts_with("BASH_FUNC_") {
            return Err(decides(name, "how bash reads and runs what follows"));
        }
        Ok(())
    }
}

fn decides(name: &str, what: &str) -> Unparsable {
    Unparsable::new(format!("the line sets `{name}`, which decides {what}"))
}

/// Returns true if a variable says which characters there are.
pub(super) fn is_locale(name: &str) -> bool {
    name == "LANG" || name.starts_with("LC_")
}

/// Returns true if a locale is known to keep ASCII as it is. In others, a backslash may be part of a
/// character.
pub(super) fn is_plain_locale(value: &str) -> bool {
    matches!(
        value,
        "" | "C" | "POSIX" | "C.UTF-8" | "C.utf8" | "en_US.UTF-8" | "en_US.utf8"
    )
}
