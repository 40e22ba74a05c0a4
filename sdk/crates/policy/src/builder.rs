//! The builder of policies.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::PermissionPolicy;
use super::check;
use super::compile::compile;
use super::compiled::RequestCondition;
use super::problem::{PolicyError, PolicyProblem, RulePlace};
use super::rule::{DefaultDecision, Rule, RuleVerdict, Tree};

/// Makes a [`PermissionPolicy`] of rules; see [`PermissionPolicy::builder`].
#[derive(Debug, Clone)]
#[must_use = "nothing is checked before `build`"]
pub struct PolicyBuilder {
    root: PathBuf,
    unmatched: DefaultDecision,
    shared: bool,
    rules: Vec<Rule>,
    file: Option<Arc<str>>,
    /// The mistakes in the file.
    problems: Vec<PolicyProblem>,
}

impl PermissionPolicy {
    /// A policy without rules. Relative paths in rules start at the root; a root that is itself
    /// relative starts at the working directory of the process.
    pub fn builder(root: impl AsRef<Path>) -> PolicyBuilder {
        PolicyBuilder {
            root: root.as_ref().to_owned(),
            unmatched: DefaultDecision::default(),
            shared: false,
            rules: Vec::new(),
            file: None,
            problems: Vec::new(),
        }
    }
}

impl PolicyBuilder {
    /// Says what applies to what no rule speaks of. Default: [`DefaultDecision::ReadOnly`].
    pub fn default_verdict(mut self, verdict: DefaultDecision) -> Self {
        self.unmatched = verdict;
        self
    }

    /// Adds a rule. Their order means nothing.
    pub fn rule(mut self, rule: Rule) -> Self {
        self.rules.push(rule);
        self
    }

    /// Adds rules.
    pub fn rules(mut self, rules: impl IntoIterator<Item = Rule>) -> Self {
        self.rules.extend(rules);
        self
    }

    /// Says that several apps go by the policy, so that rules may speak of tools which one of them
    /// has not. Default: each has to be there, for a rule about a tool that there is not does
    /// nothing.
    pub fn shared(mut self, shared: bool) -> Self {
        self.shared = shared;
        self
    }

    /// Adds the rule that what is at and below a path may be read and written.
    pub fn allowed_tree(self, path: impl Into<String>) -> Self {
        self.rules(Tree::Allowed.rules(vec![path.into()]))
    }

    /// Adds the rules that what is at and below a path may be read, and not written.
    pub fn read_only_tree(self, path: impl Into<String>) -> Self {
        self.rules(Tree::ReadOnly.rules(vec![path.into()]))
    }

    /// Adds the rule that what is at and below a path is neither read nor written.
    pub fn forbidden_tree(self, path: impl Into<String>) -> Self {
        self.rules(Tree::Forbidden.rules(vec![path.into()]))
    }

    /// Sets the name of the file that the rules are from, and the mistakes in its text.
    pub(super) fn with_text(
        mut self,
        file: Option<Arc<str>>,
        problems: Vec<PolicyProblem>,
    ) -> Self {
        self.file = file;
        self.problems = problems;
        self
    }

    /// Makes the policy.
    ///
    /// # Errors
    ///
    /// Fails if a rule cannot be understood, or can never match. The error lists all problems.
    pub fn build(self) -> Result<PermissionPolicy, PolicyError> {
        let policy = self.readable()?;
        // Only now: what is wrong with one rule may be what makes another one idle.
        let problems = check::problems(&policy.rules);
        if problems.is_empty() {
            Ok(policy)
        } else {
            Err(PolicyError::new(problems))
        }
    }

    /// The policy, if each rule can be understood by itself.
    pub(super) fn readable(mut self) -> Result<PermissionPolicy, PolicyError> {
        let mut problems = std::mem::take(&mut self.problems);
        let places = RulePlace::of_all(&self.rules, self.file.as_ref());
        let root = std::path::absolute(&self.root).unwrap_or_else(|error| {
            let message = format!("where relative paths start is not known: {error}");
            problems.push(PolicyProblem::of_policy(None, message));
            self.root.clone()
        });
        let rules = compile(self.rules, &places, &root, &mut problems);
        if !problems.is_empty() {
            return Err(PolicyError::new(problems));
        }
        let looks_at_lists = rules.iter().any(|rule| match &rule.request {
            RequestCondition::Commands(commands) => commands.read_only,
            _ => false,
        });
        let restricts_files = rules.iter().any(|rule| {
            rule.verdict != RuleVerdict::Allow && matches!(rule.request, RequestCondition::Files(_))
        });
        Ok(PermissionPolicy {
            rules: rules.into(),
            unmatched: self.unmatched,
            shared: self.shared,
            root,
            looks_at_lists,
            restricts_files,
            grants: Arc::default(),
        })
    }
}
