//! The judgement on one thing, and the sum of several.

use super::order::{RuleMatch, Said};
use super::rule::RuleVerdict;
use toolwright::permission::Verdict;

/// The judgement on one thing, and its reason.
#[derive(Debug, Clone, Copy)]
pub(super) struct Judged<'p> {
    pub(super) class: RuleVerdict,
    pub(super) why: Why<'p>,
    /// True if no rule speaks of the thing itself, so that what is said of the call applies.
    pub(super) of_the_call: bool,
}

impl<'p> Judged<'p> {
    pub(super) fn new(class: RuleVerdict, why: Why<'p>) -> Self {
        Self {
            class,
            why,
            of_the_call: false,
        }
    }
}

/// The reason for a verdict on a subject.
#[derive(Debug, Clone, Copy)]
pub(super) enum Why<'p> {
    Rule(RuleMatch<'p>),
    /// A rule that denies may speak of it.
    MayDeny(RuleMatch<'p>),
    /// No rule speaks of it.
    Default,
    /// It lies outside of what the tool is confined to.
    Outside,
    /// A line that cannot be read.
    Unread,
    /// A command of the list of those that only read, which reads where no rule lets it.
    ReadsElsewhere,
    /// A read outside of the trees that the policy names.
    OutsideTrees,
    /// A tree allows it, and the author of the tool wants a person to approve each call.
    NeedsApproval,
    /// The definition of the tool has changed since it was approved, and no rule speaks of that.
    ToolChanged,
    /// A rule speaks of something below a directory that a command goes through.
    Below(RuleMatch<'p>),
    /// A command goes through more entries than are looked at.
    TooManyBelow,
    /// A command goes through a directory that cannot be read here.
    UnreadBelow,
    /// A command goes through a directory in which the line may change something before.
    MayChange,
    /// `git` works on a repository that is not the root's.
    OtherRepository,
    /// `git diff` compares files that are not of the repository.
    ComparesFiles,
}

/// The most reasons that are told of several things: a line may have thousands of commands.
const TOLD: usize = 3;

/// The strictest judgement on several things, and its reasons.
#[derive(Debug)]
pub(super) struct Combined {
    pub(super) class: RuleVerdict,
    /// The first few, each once.
    reasons: Vec<String>,
    /// True if there are others.
    more: bool,
}

impl Combined {
    pub(super) fn new() -> Self {
        Self {
            class: RuleVerdict::Allow,
            reasons: Vec::new(),
            more: false,
        }
    }

    pub(super) fn add(&mut self, class: RuleVerdict, reason: impl FnOnce() -> String) {
        if class > self.class {
            *self = Self {
                class,
                ..Self::new()
            };
        }
        // Beyond the first few, only "and more" is told.
        if class < self.class || class == RuleVerdict::Allow || self.more {
            return;
        }
        let reason = reason();
        if self.reasons.contains(&reason) {
            return;
        }
        if self.reasons.len() < TOLD {
            self.reasons.push(reason);
        } else {
            self.more = true;
        }
    }

    /// Adds what is said of other things.
    pub(super) fn merge(&mut self, other: Self) {
        for reason in other.reasons {
            self.add(other.class, || reason);
        }
        self.more |= other.more && other.class == self.class;
    }

    /// The reason, in one clause.
    fn why(&self) -> String {
        let why = self.reasons.join(" and ");
        if self.more { why + " and more" } else { why }
    }

    pub(super) fn verdict(&self) -> Verdict {
        match self.class {
            RuleVerdict::Allow => Verdict::Allow,
            RuleVerdict::Ask => Verdict::ask(self.why()),
            RuleVerdict::Deny => Verdict::deny(self.why()),
        }
    }
}

/// Returns what the rules say, or else what is said of the call; and where a rule may deny, at least an ask.
pub(super) fn conclude<'p>(said: Said<'p>, otherwise: impl FnOnce() -> Judged<'p>) -> Judged<'p> {
    let judged = match said.surely {
        Some((class, hit)) => Judged::new(class, Why::Rule(hit)),
        None => otherwise(),
    };
    match said.may_deny {
        // A default does not count beside what rules say of requests, and this must.
        Some(hit) if judged.class < RuleVerdict::Ask || matches!(judged.why, Why::Default) => {
            Judged::new(judged.class.max(RuleVerdict::Ask), Why::MayDeny(hit))
        }
        _ => judged,
    }
}
