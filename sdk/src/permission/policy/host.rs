//! Patterns of hosts.

use super::matching::{Match, PatternError, Side};

/// Which hosts a rule speaks of.
#[derive(Debug, Clone)]
pub(super) struct HostPattern {
    text: String,
}

impl HostPattern {
    /// A pattern of a rule.
    pub(super) fn new(text: &str) -> Result<Self, PatternError> {
        Ok(Self {
            text: text.to_owned(),
        })
    }

    /// Whether it speaks of the target of a request: a host, or a host and a port.
    pub(super) fn matches(&self, _side: Side, _target: &str) -> Match {
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
