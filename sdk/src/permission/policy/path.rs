//! Patterns of paths.

use std::path::Path;

use super::matching::{Match, PatternError, Side};
use crate::permission::file::Place;

/// Which files and directories a rule speaks of.
#[derive(Debug, Clone)]
pub(super) struct PathPattern {
    text: String,
}

impl PathPattern {
    /// A pattern of a rule. Relative ones start at `root`, which is absolute.
    pub(super) fn new(text: &str, _root: &Path) -> Result<Self, PatternError> {
        Ok(Self {
            text: text.to_owned(),
        })
    }

    /// Whether it speaks of a place.
    pub(super) fn matches(&self, _side: Side, _place: &Place<'_>) -> Match {
        Match::Maybe
    }

    /// Whether it surely speaks of all that the other speaks of.
    pub(super) fn covers(&self, other: &Self) -> bool {
        self.text == other.text
    }

    /// As it was written.
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }
}
