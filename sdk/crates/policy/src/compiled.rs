//! Rules ready to judge, whose patterns were read.

use super::command::CommandPattern;
use super::host::HostPattern;
use super::matching::Side;
use super::path::PathPattern;
use super::problem::RulePlace;
use super::rule::{AnnotationTest, ArgumentTest, RuleVerdict};
use super::tools::{NamePattern, ToolPatterns};
use toolwright::spec::{CapabilityGrant, Effect, ToolSpec};

/// A rule whose patterns were read.
#[derive(Debug)]
pub(super) struct CompiledRule {
    pub(super) verdict: RuleVerdict,
    pub(super) place: RulePlace,
    pub(super) reason: Option<String>,
    pub(super) tools: ToolPatterns,
    pub(super) effects: Vec<Effect>,
    pub(super) hints: Vec<AnnotationTest>,
    pub(super) capabilities: Vec<CapabilityGrant>,
    pub(super) arguments: Vec<(String, ArgumentTest)>,
    pub(super) request: RequestCondition,
    /// A text that rules with the same conditions share.
    pub(super) conditions: String,
}

/// The condition of a rule on requests.
#[derive(Debug)]
pub(super) enum RequestCondition {
    /// Nothing: the rule speaks of tools and calls.
    Nothing,
    Files(FilePatterns),
    Commands(CommandPatterns),
    Hosts(Vec<HostPattern>),
    Kinds {
        kinds: Vec<NamePattern>,
        /// `None`: any.
        targets: Vec<NamePattern>,
    },
}

/// Patterns of files, of which any has to match.
#[derive(Debug)]
pub(super) struct FilePatterns {
    pub(super) either: Vec<PathPattern>,
    pub(super) reads: Vec<PathPattern>,
    pub(super) writes: Vec<PathPattern>,
}

/// Patterns of commands, of which any has to match.
#[derive(Debug)]
pub(super) struct CommandPatterns {
    pub(super) patterns: Vec<CommandPattern>,
    /// True if the commands that the SDK knows to read only are meant.
    pub(super) read_only: bool,
    /// Variables that may be set.
    pub(super) environment: Vec<String>,
}

impl CommandPatterns {
    /// The pattern that is any command, if there is one.
    pub(super) fn any_command(&self) -> Option<&str> {
        let mut texts = self.patterns.iter().map(CommandPattern::as_str);
        texts.find(|text| text.trim() == "*")
    }
}

impl CompiledRule {
    /// The side of the rule, which decides the matches that count.
    pub(super) fn side(&self) -> Side {
        match self.verdict {
            RuleVerdict::Allow => Side::Allow,
            RuleVerdict::Ask | RuleVerdict::Deny => Side::Restrict,
        }
    }

    /// Returns true if the rule speaks of requests.
    pub(super) fn is_of_requests(&self) -> bool {
        !matches!(self.request, RequestCondition::Nothing)
    }

    /// Returns true if the conditions on tools other than names hold.
    pub(super) fn holds_of(&self, tool: &ToolSpec) -> bool {
        (self.effects.is_empty() || self.effects.contains(&tool.effect()))
            && (self.hints.is_empty() || {
                let hints = tool.annotations();
                self.hints.iter().any(|hint| hint.holds(hints))
            })
            && (self.capabilities.is_empty()
                || self.capabilities.iter().any(|grant| needs(tool, grant)))
    }

    /// Returns true if the rule may speak of the tool, its calls or their requests.
    pub(super) fn may_speak_of(&self, tool: &ToolSpec) -> bool {
        self.tools_match(tool) && self.holds_of(tool)
    }

    fn tools_match(&self, tool: &ToolSpec) -> bool {
        self.tools.is_empty() || self.tools.matches(tool.name().as_str()).is_some()
    }
}

/// Returns true if a tool needs a capability that the pattern stands for.
pub(super) fn needs(tool: &ToolSpec, pattern: &CapabilityGrant) -> bool {
    let mut needed = tool.capabilities().iter();
    needed.any(|capability| pattern.grants(capability))
}
