//! Rules as they are declared, in code or in TOML.

use serde_json::{Number, Value};

use crate::spec::Effect;

/// One rule of a [`PermissionPolicy`](super::PermissionPolicy): a verdict, and what it speaks of.
///
/// A rule says *what about* by conditions. Of one kind of condition any has to hold; of several
/// kinds all have to. A rule that says nothing speaks of every tool.
///
/// Conditions on the tool ([`tools`](Self::tools), [`effects`](Self::effects),
/// [`hints`](Self::hints), [`capabilities`](Self::capabilities)) and on the call
/// ([`argument`](Self::argument)) go with every rule. Conditions on a request are of four sorts, of
/// which a rule has one: paths, commands, hosts, or kinds. A rule with such a condition speaks of
/// requests, and one without speaks of tools and calls.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    pub(super) verdict: RuleVerdict,
    pub(super) reason: Option<String>,
    /// The line in the policy file, counted from 1.
    pub(super) line: Option<usize>,
    pub(super) tools: Vec<String>,
    pub(super) effects: Vec<Effect>,
    pub(super) hints: Vec<Hint>,
    pub(super) capabilities: Vec<String>,
    pub(super) arguments: Vec<(String, ArgumentTest)>,
    /// To read or write.
    pub(super) paths: Vec<String>,
    pub(super) reads: Vec<String>,
    pub(super) writes: Vec<String>,
    pub(super) commands: Vec<String>,
    pub(super) exact_commands: Vec<String>,
    /// The commands that the SDK knows to read only.
    pub(super) read_only_commands: bool,
    /// Variables that may be set before a command; for rules that allow.
    pub(super) environment: Vec<String>,
    pub(super) hosts: Vec<String>,
    /// Kinds of requests, the app's own too.
    pub(super) kinds: Vec<String>,
    /// Targets of requests of those kinds, exactly or up to a `*` at the end.
    pub(super) targets: Vec<String>,
}

/// What a rule says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RuleVerdict {
    /// It may run.
    Allow,
    /// A person decides.
    Ask,
    /// It may not run.
    Deny,
}

/// A hint that a tool gives or does not give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Hint {
    pub(super) name: HintName,
    /// Whether the tool has to give it.
    pub(super) given: bool,
}

/// The hints by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HintName {
    /// It may destroy something.
    Destructive,
    /// It reaches out to an open world.
    OpenWorld,
    /// Its author wants a person to approve it.
    NeedsApproval,
    /// It streams its output.
    Streaming,
}

/// What an argument has to be.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ArgumentTest {
    /// This value.
    Equals(Value),
    /// One of these values.
    OneOf(Vec<Value>),
    /// A number from here to there, both included.
    Range {
        /// The least.
        min: Option<Number>,
        /// The greatest.
        max: Option<Number>,
    },
    /// There, or not there. A `null` is there.
    Present(bool),
}
