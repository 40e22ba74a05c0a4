//! The reasons why a text is no pattern.

use std::fmt;

/// Texts that are no patterns of a [`Selector`](crate::registry::Selector): all of a list.
#[derive(Clone, PartialEq, Eq)]
pub struct InvalidSelector {
    patterns: Vec<InvalidPattern>,
}

crate::util::error_text::debug_as_text!(InvalidSelector);

/// A text that is no pattern of a [`Selector`](crate::registry::Selector).
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("{pattern:?} {fault}")]
pub struct InvalidPattern {
    pattern: String,
    fault: PatternFault,
}

crate::util::error_text::debug_as_text!(InvalidPattern);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum PatternFault {
    #[error("selects no tool: write a name, or `*` for all of them")]
    Empty,
    #[error("names no server: write `@server` or `@server/name`")]
    NoServer,
    #[error(
        "has {0:?}: a pattern has letters, digits, `_`, `-`, `.` and `*`, with `!` or `@server/` before it"
    )]
    Character(char),
    #[error("has {0:?} in the name of a server, which has letters, digits, `_` and `-`")]
    ServerCharacter(char),
}

impl InvalidSelector {
    pub(super) fn new(patterns: Vec<InvalidPattern>) -> Self {
        Self { patterns }
    }

    /// The texts.
    pub fn patterns(&self) -> &[InvalidPattern] {
        &self.patterns
    }
}

impl InvalidPattern {
    pub(super) fn new(pattern: &str, fault: PatternFault) -> Self {
        let pattern = pattern.to_owned();
        Self { pattern, fault }
    }

    /// The text.
    pub fn pattern(&self) -> &str {
        &self.pattern
    }
}

impl fmt::Display for InvalidSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a selector of tools:")?;
        for pattern in &self.patterns {
            write!(f, "\n- {pattern}")?;
        }
        Ok(())
    }
}

impl std::error::Error for InvalidSelector {}
