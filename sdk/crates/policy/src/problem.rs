//! The mistakes in a policy.

use std::fmt;
use std::io;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::rule::{Rule, RuleVerdict, Tree};
use toolwright::text::{debug_as_text, one_line};

/// The most characters of one message: what somebody wrote as a pattern may be of any length.
const MESSAGE: usize = 1_000;

/// The reason why there is no policy: all mistakes in its rules, or in its file.
///
/// Displayed, each problem has a line of its own. Of a file that cannot be read the
/// [source](std::error::Error::source) is the [`std::io::Error`].
#[derive(Clone)]
pub struct PolicyError {
    problems: Vec<PolicyProblem>,
    source: Option<Arc<io::Error>>,
}

debug_as_text!(PolicyError);

/// A mistake in a policy. Displayed as `policy.toml line 16, deny rule 2: ..`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PolicyProblem {
    rule: Option<RulePlace>,
    line: Option<usize>,
    file: Option<Arc<str>>,
    message: String,
}

/// The place where a rule stands: how many of its verdict come before it, and its line in the policy's file if
/// there is one. Displayed as `deny rule 2 (policy.toml line 14)`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RulePlace {
    verdict: RuleVerdict,
    number: usize,
    tree: Option<Tree>,
    line: Option<usize>,
    file: Option<Arc<str>>,
}

impl PolicyError {
    pub(super) fn new(mut problems: Vec<PolicyProblem>) -> Self {
        // From the top of the file to its end, as its author goes through it.
        problems.sort_by_key(PolicyProblem::line);
        Self {
            problems,
            source: None,
        }
    }

    /// The error for a file that cannot be read.
    pub(super) fn unreadable(file: &Arc<str>, error: io::Error) -> Self {
        let problem = PolicyProblem::of_policy(None, format!("the file cannot be read: {error}"));
        Self {
            problems: vec![problem.in_file(Some(file))],
            source: Some(Arc::new(error)),
        }
    }

    /// The problems, in the order of their lines, or else of the rules.
    pub fn problems(&self) -> &[PolicyProblem] {
        &self.problems
    }
}

impl PolicyProblem {
    /// A problem of a rule. The message is a clause that says what is wrong, and what would be right.
    pub(super) fn of_rule(rule: &RulePlace, message: impl Into<String>) -> Self {
        Self {
            line: rule.line,
            file: rule.file.clone(),
            rule: Some(rule.clone()),
            message: one_line(&message.into(), MESSAGE),
        }
    }

    /// A problem of the policy as a whole, or of a line of its file.
    pub(super) fn of_policy(line: Option<usize>, message: impl Into<String>) -> Self {
        Self {
            rule: None,
            line,
            file: None,
            message: one_line(&message.into(), MESSAGE),
        }
    }

    /// Says in which file.
    pub(super) fn in_file(mut self, file: Option<&Arc<str>>) -> Self {
        self.file = file.cloned();
        self
    }

    /// Says where in its rule it is.
    pub(super) fn at_line(mut self, line: Option<usize>) -> Self {
        self.line = line;
        self
    }

    /// The rule, if it is the problem of one.
    pub fn rule(&self) -> Option<&RulePlace> {
        self.rule.as_ref()
    }

    /// The line in the policy's file, counted from 1.
    pub fn line(&self) -> Option<usize> {
        self.line
    }

    /// Returns what is wrong, and what would be right.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl RulePlace {
    /// The place of a rule that was written out.
    pub(super) fn new(
        verdict: RuleVerdict,
        number: usize,
        line: Option<usize>,
        file: Option<Arc<str>>,
    ) -> Self {
        Self {
            verdict,
            number,
            tree: None,
            line,
            file,
        }
    }

    /// The places of rules, in their order.
    pub(super) fn of_all(rules: &[Rule], file: Option<&Arc<str>>) -> Vec<Self> {
        let mut counted = [0; 3];
        let place = |rule: &Rule| {
            let count = match rule.verdict {
                RuleVerdict::Allow => &mut counted[0],
                RuleVerdict::Ask => &mut counted[1],
                RuleVerdict::Deny => &mut counted[2],
            };
            // Trees are listed elsewhere, and do not count among the rules.
            *count += usize::from(rule.tree.is_none());
            Self {
                verdict: rule.verdict,
                number: *count,
                tree: rule.tree,
                line: rule.line,
                file: file.cloned(),
            }
        };
        rules.iter().map(place).collect()
    }

    /// Returns what the rule says.
    pub fn verdict(&self) -> RuleVerdict {
        self.verdict
    }

    /// The rule's number among those of its verdict, counted from 1. A rule that was made of a tree
    /// has none.
    pub fn number(&self) -> Option<usize> {
        self.tree.is_none().then_some(self.number)
    }

    /// The line in the policy's file, counted from 1.
    pub fn line(&self) -> Option<usize> {
        self.line
    }

    /// The name of the policy's file.
    pub fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }
}

impl RulePlace {
    /// Without the file's name, for where that is known.
    pub(super) fn short(&self) -> Short<'_> {
        Short(self)
    }

    /// Returns true if the rule was made of a tree.
    pub(super) fn is_tree(&self) -> bool {
        self.tree.is_some()
    }

    fn name(&self) -> String {
        match self.tree {
            None => format!("{} rule {}", self.verdict.as_str(), self.number),
            Some(Tree::Allowed) => "the allowed trees".to_owned(),
            Some(Tree::ReadOnly) => "the read-only trees".to_owned(),
            Some(Tree::Forbidden) => "the forbidden trees".to_owned(),
        }
    }

    fn write(&self, file: Option<&str>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match location(file, self.line) {
            Some(place) => write!(f, "{} ({place})", self.name()),
            None => f.write_str(&self.name()),
        }
    }
}

/// A rule's place within its file.
pub(super) struct Short<'p>(&'p RulePlace);

impl fmt::Display for Short<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write(None, f)
    }
}

impl fmt::Display for RulePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(self.file(), f)
    }
}

/// Returns a line of a file in words.
fn location(file: Option<&str>, line: Option<usize>) -> Option<String> {
    let line = line.map(|line| format!("line {line}"));
    match (file, line) {
        (Some(file), Some(line)) => Some(format!("{file} {line}")),
        (file, line) => line.or(file.map(str::to_owned)),
    }
}

impl fmt::Display for PolicyProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (location(self.file.as_deref(), self.line), &self.rule) {
            (Some(place), Some(rule)) => write!(f, "{place}, {}: ", rule.name())?,
            (Some(place), None) => write!(f, "{place}: ")?,
            (None, Some(rule)) => write!(f, "{rule}: ")?,
            (None, None) => {}
        }
        f.write_str(&self.message)
    }
}

impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the policy cannot be used:")?;
        for problem in &self.problems {
            write!(f, "\n- {problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for PolicyError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        let source = self.source.as_deref()?;
        Some(source)
    }
}

/// Two are equal that tell of the same problems.
impl PartialEq for PolicyError {
    fn eq(&self, other: &Self) -> bool {
        self.problems == other.problems
    }
}

impl Eq for PolicyError {}

impl Serialize for RulePlace {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
