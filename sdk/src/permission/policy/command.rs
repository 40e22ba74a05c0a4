//! Patterns of commands.

use super::matching::{Match, PatternError, Side};
use super::shell::Part;

/// The words that a command begins with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CommandPattern {
    text: String,
    words: Vec<Option<String>>,
    exact: bool,
}

impl CommandPattern {
    /// A pattern: words as in a shell, without operators and expansions. `*` alone is any command,
    /// and as a word in the middle any one word.
    pub(super) fn new(text: &str, exact: bool) -> Result<Self, PatternError> {
        let _ = exact;
        Err(PatternError::new(text))
    }

    /// Whether it speaks of a command.
    pub(super) fn matches(&self, side: Side, part: &Part, environment: &[String]) -> Match {
        let _ = (side, part, environment);
        Match::Maybe
    }

    /// Whether it matches whatever the other matches.
    pub(super) fn covers(&self, other: &Self) -> bool {
        self == other
    }

    /// As it was written.
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }
}
