//! Words of a command.

use super::glob::Pattern;
use crate::quote::quote_in;

/// A word of a command, after quotes and escapes are removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Word {
    /// The text that the command gets.
    Known(String),
    /// A word whose text is not known before the command runs.
    Unknown(Unknown),
}

/// A word of which only a part is known.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unknown {
    /// The word as it is written.
    pub shown: String,
    /// The text that it begins with; of several words, the first.
    pub prefix: String,
    /// The text that it ends with; of several words, the last.
    pub suffix: String,
    /// True if it may become no word, or several.
    pub(crate) splits: bool,
    /// True if every word that it may become begins and ends so: names of files that a pattern finds do, and the
    /// value of a variable, split into words, does not.
    pub each: bool,
    /// The pattern that it is, if it is a plain one with nothing else in it that is not known.
    pub(crate) pattern: Option<Pattern>,
    /// The words that it becomes, if it has plain braces in it and nothing else than patterns, or is
    /// the variable of a loop over such words; else none.
    pub(crate) braced: Vec<Word>,
}

impl Unknown {
    /// Makes one word of which nothing is known.
    pub(crate) fn new(shown: impl Into<String>) -> Self {
        Self {
            shown: shown.into(),
            prefix: String::new(),
            suffix: String::new(),
            splits: false,
            each: true,
            pattern: None,
            braced: Vec::new(),
        }
    }
}

impl Word {
    /// Words of which nothing is known.
    pub(super) fn anything(shown: impl Into<String>) -> Self {
        Self::Unknown(Unknown {
            splits: true,
            each: false,
            ..Unknown::new(shown)
        })
    }

    /// The text, if it is known.
    pub fn known(&self) -> Option<&str> {
        match self {
            Self::Known(text) => Some(text),
            Self::Unknown(_) => None,
        }
    }

    /// Returns true if it is a pattern of files that can be looked up.
    pub fn is_pattern(&self) -> bool {
        matches!(self, Self::Unknown(unknown) if unknown.pattern.is_some())
    }

    /// Returns true if names that patterns find are among the words that it becomes.
    pub fn has_pattern(&self) -> bool {
        match self {
            Self::Known(_) => false,
            Self::Unknown(unknown) => {
                unknown.pattern.is_some() || unknown.braced.iter().any(Self::has_pattern)
            }
        }
    }

    /// Adds the patterns among the words that it becomes.
    pub(super) fn patterns<'w>(&'w mut self, found: &mut Vec<&'w mut Pattern>) {
        if let Self::Unknown(unknown) = self {
            found.extend(&mut unknown.pattern);
            for word in &mut unknown.braced {
                word.patterns(found);
            }
        }
    }

    /// Returns true if it stands for a `<(..)`: a pipe to a command that is judged on its own.
    pub fn is_pipe(&self) -> bool {
        matches!(self, Self::Unknown(unknown)
            if unknown.shown == "<(..)" && unknown.prefix == "/dev/fd/" && unknown.each)
    }

    /// Returns true if it may become no word, or several.
    pub fn splits(&self) -> bool {
        matches!(self, Self::Unknown(unknown) if unknown.splits)
    }

    /// Returns true if one of the words that it becomes is, or may be, this text.
    pub fn may_be(&self, text: &str) -> bool {
        match self {
            Self::Known(known) => known == text,
            Self::Unknown(unknown) if !unknown.braced.is_empty() => {
                unknown.braced.iter().any(|word| word.may_be(text))
            }
            // If it becomes several words, the first begins with the prefix, the last ends with the suffix, and
            // those between are anything.
            Self::Unknown(unknown) => {
                (unknown.splits && !unknown.each)
                    || (text.len() >= unknown.prefix.len() + unknown.suffix.len()
                        && text.starts_with(unknown.prefix.as_str())
                        && text.ends_with(unknown.suffix.as_str()))
            }
        }
    }

    /// Returns true if one of the words that it becomes begins, or may begin, with this text.
    pub fn may_start_with(&self, text: &str) -> bool {
        match self {
            Self::Known(known) => known.starts_with(text),
            Self::Unknown(unknown) if !unknown.braced.is_empty() => {
                unknown.braced.iter().any(|word| word.may_start_with(text))
            }
            Self::Unknown(unknown) => {
                (unknown.splits && !unknown.each)
                    || unknown.prefix.starts_with(text)
                    || text.starts_with(unknown.prefix.as_str())
            }
        }
    }

    /// Returns the memory that it takes, in words of usual length.
    pub(super) fn weight(&self) -> usize {
        let of = |text: &str| 1 + text.len() / 16;
        match self {
            Self::Known(text) => of(text),
            Self::Unknown(unknown) => {
                let braced = unknown.braced.iter().map(Self::weight);
                of(&unknown.shown) + braced.sum::<usize>()
            }
        }
    }

    /// As it is written, or as it may be written.
    pub fn shown(&self) -> String {
        let mut text = String::new();
        self.show_in(&mut text);
        text
    }

    /// Adds the word to a text as it is [`shown`](Self::shown).
    pub(super) fn show_in(&self, text: &mut String) {
        match self {
            Self::Known(known) => quote_in(text, known),
            Self::Unknown(unknown) => text.push_str(&unknown.shown),
        }
    }
}
