//! The common parts of all patterns of rules: how surely one matches, and how closely it names what
//! it matched.

/// The match of a pattern with a thing. The greater of two is the surer one, and of two sure ones the closer one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Match {
    /// The pattern does not speak of it.
    No,
    /// The pattern may speak of it, and nobody can tell before the call runs: part of the thing is not known yet. A rule
    /// that allows does not apply, one that asks applies, and one that denies asks.
    Maybe,
    /// The pattern speaks of it.
    Yes(Closeness),
}

/// The closeness with which a pattern names what it matched. Two are compared only where both patterns are of one
/// kind and match the same thing; so one's literal prefix is the beginning of the other's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Closeness {
    /// True if the pattern is the thing's whole name. Goes before length.
    pub(super) exact: bool,
    /// The length of the literal part, in units of the kind: characters of a name, components of a
    /// path, words of a command, labels of a host.
    pub(super) literal: usize,
}

impl Closeness {
    /// The closeness of a pattern that names all things of its kind.
    pub(super) const LEAST: Self = Self {
        exact: false,
        literal: 0,
    };
}

/// The rules that a match is for: a rule that restricts has to match more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// For a rule that allows: only what is surely meant.
    Allow,
    /// For a rule that asks or denies: every spelling of what is meant.
    Restrict,
}

/// The reason why a text is no pattern: a sentence for the author of the rule, which gives the mistake and what would
/// be right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PatternError {
    pub(super) message: String,
}

impl PatternError {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
        }
    }
}
