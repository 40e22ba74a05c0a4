//! Patterns of commands.
//!
//! A pattern is words, and matches a command that begins with them. For a rule that allows, that is all:
//! a command that says the same in other words is not allowed. For a rule that asks or denies, other
//! spellings count too: see [`spelling`].

mod programs;
mod spelling;
#[cfg(test)]
mod tests;

use super::matching::{Closeness, Match, PatternError, Side};
use toolwright::text::is_deceptive;
use toolwright_shell::{Assignment, LineCommand, NotPlain, Word, plain_command};

/// The words that a command begins with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CommandPattern {
    text: String,
    /// `None` is any one word. Without words it is any command.
    words: Vec<Option<String>>,
    exact: bool,
}

impl CommandPattern {
    /// A pattern: words as in a shell, without operators and expansions. `*` alone is any command,
    /// as a word in the middle any one word, and at the end what follows anyway. An exact pattern
    /// is the whole command.
    pub(super) fn new(text: &str, exact: bool) -> Result<Self, PatternError> {
        let mut words = words(text)?;
        let any = words == [None];
        if exact && words.contains(&None) {
            return Err(PatternError::new(format!(
                "`{text}` is to be a whole command, and `*` stands for words that nobody knows; \
                 name all words, or put it under `commands`"
            )));
        }
        while words.last() == Some(&None) {
            words.pop();
        }
        if words.is_empty() && !any {
            return Err(PatternError::new(format!(
                "`{text}` names no command; `*` alone is any command"
            )));
        }
        Ok(Self {
            text: text.to_owned(),
            words,
            exact,
        })
    }

    /// Compares it with a command. `environment` has the variables that may be set before one;
    /// only for rules that allow.
    pub(super) fn matches(&self, side: Side, part: &LineCommand, environment: &[String]) -> Match {
        let closeness = Closeness {
            exact: self.exact,
            literal: self.words.iter().flatten().count(),
        };
        match side {
            Side::Allow => {
                if !sets_nothing_else(part.assignments(), environment) {
                    return Match::No;
                }
                self.begins(part, closeness)
            }
            Side::Restrict => {
                let commands =
                    std::iter::once(part.words()).chain(part.outer().iter().map(Vec::as_slice));
                let found = commands.map(|words| spelling::matches(&self.words, self.exact, words));
                found.fold(Surely::No, Surely::or).into_match(closeness)
            }
        }
    }

    /// Returns how surely a command begins with exactly these words.
    fn begins(&self, part: &LineCommand, closeness: Closeness) -> Match {
        let inner = part.words();
        let mut found = literally(&self.words, self.exact, inner);
        for outer in part.outer() {
            // `nohup ./server` names what `nohup` runs, and `nohup` alone does not.
            let reaches = outer.ends_with(inner) && self.words.len() > outer.len() - inner.len();
            if reaches || self.exact {
                found = found.or(literally(&self.words, self.exact, outer));
            }
        }
        found.into_match(closeness)
    }

    /// Returns true if it surely matches whatever the other matches.
    pub(super) fn covers(&self, other: &Self) -> bool {
        if self.exact {
            return other.exact && self.words == other.words;
        }
        self.words.len() <= other.words.len()
            && self
                .words
                .iter()
                .zip(&other.words)
                .all(|(own, theirs)| own.is_none() || own == theirs)
    }

    /// As it was written.
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }
}

/// The certainty of a statement about a command, before it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Surely {
    No,
    Maybe,
    Yes,
}

impl Surely {
    fn or(self, other: Self) -> Self {
        self.max(other)
    }

    fn and(self, other: Self) -> Self {
        self.min(other)
    }

    fn into_match(self, closeness: Closeness) -> Match {
        match self {
            Self::Yes => Match::Yes(closeness),
            Self::Maybe => Match::Maybe,
            Self::No => Match::No,
        }
    }
}

fn literally(pattern: &[Option<String>], exact: bool, words: &[Word]) -> Surely {
    let mut found = Surely::Yes;
    for (at, expected) in pattern.iter().enumerate() {
        let Some(word) = words.get(at) else {
            return Surely::No;
        };
        // Words that may become none or several move all that follow.
        if word.splits() {
            return found.and(Surely::Maybe);
        }
        let one = match (expected, word.known()) {
            (None, _) => Surely::Yes,
            (Some(expected), Some(known)) if expected == known => Surely::Yes,
            (Some(expected), None) if word.may_be(expected) => Surely::Maybe,
            _ => return Surely::No,
        };
        found = found.and(one);
    }
    if exact && words.len() != pattern.len() {
        let rest = words.get(pattern.len()..).unwrap_or_default();
        return if rest.iter().all(Word::splits) {
            found.and(Surely::Maybe)
        } else {
            Surely::No
        };
    }
    found
}

/// Returns true if a program's first word says what it does, as far as is known.
pub(super) fn has_sub_commands(program: &str) -> bool {
    !programs::valued(program).is_empty()
}

/// Returns true if all variables set before a command may be.
fn sets_nothing_else(assignments: &[Assignment], environment: &[String]) -> bool {
    let mut assignments = assignments.iter();
    assignments.all(|set| environment.contains(&set.name) || set.is_harmless())
}

/// The words of a pattern.
fn words(text: &str) -> Result<Vec<Option<String>>, PatternError> {
    let odd = |what: &str| {
        PatternError::new(format!(
            "`{text}` is no pattern of a command: {what}; a pattern is the words that a command begins \
             with, such as `git log`"
        ))
    };
    let invisible = |c: char| {
        !matches!(c, ' ' | '\t' | '\n')
            && (c.is_whitespace()
                || is_deceptive(c)
                || matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}'))
    };
    if text.contains(invisible) {
        return Err(odd(
            "it has a character that looks like a space or like nothing, and is neither",
        ));
    }
    let written = plain_command(text).map_err(|wrong| {
        odd(&match wrong {
            NotPlain::Unparsable(unparsable) => unparsable.what,
            NotPlain::Operators => {
                "it has operators of the shell; quote them if they are meant as they are".to_owned()
            }
            NotPlain::Prefix => "it sets variables or opens files; variables go to `environment` of a rule that allows"
                .to_owned(),
            NotPlain::OpensFiles => {
                "it opens files; files are for `paths`, `reads` and `writes`".to_owned()
            }
            other => other.to_string(),
        })
    })?;
    let mut words = Vec::new();
    for word in written {
        let raw = word.written;
        if raw == "*" {
            words.push(None);
            continue;
        }
        match word.meant {
            Some(word) => words.push(Some(word)),
            None if raw.contains('*') => {
                let head = raw.trim_end_matches('*').trim_end_matches(':');
                return Err(PatternError::new(format!(
                    "`{text}` is no pattern of a command: `*` stands for whole words, and `{raw}` is part of \
                     one; a pattern matches whatever words follow it, so write `{}`, or put a `*` that is meant \
                     as it is in single quotes",
                    text.replace(raw.as_str(), head)
                )));
            }
            None => return Err(odd(&format!("`{raw}` is not known before a command runs"))),
        }
    }
    Ok(words)
}
