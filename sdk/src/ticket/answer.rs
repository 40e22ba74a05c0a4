//! The answers to a ticket.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::GrantScope;
use crate::util::character::one_line;

/// The most characters of a reason.
const REASON: usize = 2_000;

/// A reason as it is kept and shown, to models, people and in logs.
pub(super) fn reason_line(reason: &str) -> String {
    one_line(reason, REASON)
}

/// The answer to a request of a ticket.
///
/// ```
/// use toolwright::ticket::Answer;
///
/// let answer = Answer::no().because("not on a Friday");
/// assert_eq!(answer.reason(), Some("not on a Friday"));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    decision: Decision,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// The decision of an answer.
///
/// `Debug` does not show a value or arguments: either may hold what somebody typed for the tool alone.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Decision {
    /// It may, this once.
    Yes,
    /// It may, and so may whatever else is covered.
    Always(GrantScope),
    /// It may not, this once. A question is declined.
    No,
    /// It may not, and nor may whatever else is covered.
    Never(GrantScope),
    /// The call may run with these arguments in place of its own.
    Edited(Value),
    /// The answer to a question, an external result, or what a sign-in gave.
    Value(Value),
}

/// The kind of a [`Decision`], without its scope or value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum AnswerKind {
    /// It may, this once.
    Yes,
    /// It may, and so may whatever else is covered.
    Always,
    /// It may not, this once. A question is declined.
    No,
    /// It may not, and nor may whatever else is covered.
    Never,
    /// The call may run with other arguments.
    Edited,
    /// A value was given.
    Value,
}

impl AnswerKind {
    /// The name in serialised form: `yes`, `always` ..
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::Always => "always",
            Self::No => "no",
            Self::Never => "never",
            Self::Edited => "edited",
            Self::Value => "value",
        }
    }
}

impl fmt::Debug for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Yes => f.write_str("Yes"),
            Self::Always(covers) => f.debug_tuple("Always").field(covers).finish(),
            Self::No => f.write_str("No"),
            Self::Never(covers) => f.debug_tuple("Never").field(covers).finish(),
            Self::Edited(_) => f.write_str("Edited(..)"),
            Self::Value(_) => f.write_str("Value(..)"),
        }
    }
}

impl Answer {
    /// It may, this once.
    pub fn yes() -> Self {
        Self::new(Decision::Yes)
    }

    /// It may, and so may what is covered, until the session ends. A request
    /// [offers](super::PendingRequest::trust_options) what to cover.
    pub fn always(covers: GrantScope) -> Self {
        Self::new(Decision::Always(covers))
    }

    /// It may not, this once. To a question: declined.
    pub fn no() -> Self {
        Self::new(Decision::No)
    }

    /// It may not, and nor may what is covered, until the session ends.
    pub fn never(covers: GrantScope) -> Self {
        Self::new(Decision::Never(covers))
    }

    /// The call may run with these arguments in place of its own: they are parsed and judged like any,
    /// and what of them would ask is allowed. The object that stands for a secret stands for the
    /// secret that the call had there.
    pub fn edited(arguments: Value) -> Self {
        Self::new(Decision::Edited(arguments))
    }

    /// The answer to a question, an external result, or what a sign-in gave.
    pub fn value(value: impl Into<Value>) -> Self {
        Self::new(Decision::Value(value.into()))
    }

    fn new(decision: Decision) -> Self {
        Self {
            decision,
            reason: None,
        }
    }

    /// Sets the reason, for the model to read: one line of at most 2,000 characters. Default: none. When the answer is kept, a
    /// longer one is cut, and control characters are written out in it.
    pub fn because(mut self, reason: impl Into<String>) -> Self {
        self.reason = Some(reason.into());
        self
    }

    /// With the reason of another, if it has one.
    pub(crate) fn with_reason(mut self, reason: Option<&str>) -> Self {
        self.reason = reason.map(str::to_owned);
        self
    }

    /// The answer as it is kept.
    pub(super) fn with_reason_of_one_line(mut self) -> Self {
        self.reason = self.reason.as_deref().map(reason_line);
        self
    }

    /// The decision.
    pub fn decision(&self) -> &Decision {
        &self.decision
    }

    /// The kind of the decision.
    pub fn kind(&self) -> AnswerKind {
        match self.decision {
            Decision::Yes => AnswerKind::Yes,
            Decision::Always(_) => AnswerKind::Always,
            Decision::No => AnswerKind::No,
            Decision::Never(_) => AnswerKind::Never,
            Decision::Edited(_) => AnswerKind::Edited,
            Decision::Value(_) => AnswerKind::Value,
        }
    }

    /// The reason, in the words of the person who decided.
    pub fn reason(&self) -> Option<&str> {
        self.reason.as_deref()
    }

    /// Returns true if it is a refusal: a single one settles the ticket.
    pub fn is_refusal(&self) -> bool {
        matches!(self.decision, Decision::No | Decision::Never(_))
    }
}

/// Answers to the requests of a ticket: to each that is left, or to some by their number.
///
/// ```
/// use toolwright::ticket::{Answer, Answers};
///
/// let all: Answers = Answer::yes().into();
/// let some = Answers::none().with(1, Answer::no());
/// # drop((all, some));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Answers {
    pub(super) numbered: BTreeMap<usize, Answer>,
    pub(super) rest: Option<Answer>,
}

impl Answers {
    /// Nothing is said, for a ticket whose answers came another way.
    pub fn none() -> Self {
        Self::default()
    }

    /// The same answer to every request that has none yet.
    pub fn all(answer: Answer) -> Self {
        Self {
            rest: Some(answer),
            ..Self::default()
        }
    }

    /// Adds the answer to a request, by its number in the ticket, counted from 0.
    pub fn with(mut self, request: usize, answer: Answer) -> Self {
        self.numbered.insert(request, answer);
        self
    }
}

impl From<Answer> for Answers {
    fn from(answer: Answer) -> Self {
        Self::all(answer)
    }
}

/// To the first request, the second, and so on.
impl FromIterator<Answer> for Answers {
    fn from_iter<I: IntoIterator<Item = Answer>>(answers: I) -> Self {
        Self {
            numbered: answers.into_iter().enumerate().collect(),
            rest: None,
        }
    }
}
