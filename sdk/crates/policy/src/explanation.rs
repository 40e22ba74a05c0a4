//! The reasons why a call may run, or not, as data and as text.

use std::fmt;

use serde::{Serialize, Serializer};

use super::problem::RulePlace;
use super::rule::RuleVerdict;
use toolwright::permission::Verdict;

/// The reasons why a [policy](crate::PermissionPolicy) lets a call run, or not: its verdicts on the call and on each of its
/// requests, the rules that decided, and the changes that would change the verdict.
///
/// Displayed, it is for the person who wrote the policy. It may show what the call asks for, and
/// never a value of its arguments: what a rule tests is shown as the rule has it.
///
/// As data it is an object, which may get more members:
///
/// ```
/// # use serde_json::json;
/// # use toolwright::{ToolName, ToolSpec};
/// # use toolwright::arguments::Arguments;
/// # use toolwright::permission::CallView;
/// # use toolwright_policy::{PermissionPolicy, Rule};
/// # let policy = PermissionPolicy::builder("/srv/app").rule(Rule::ask().tools(["mail.*"]));
/// # let policy = policy.rule(Rule::allow().tools(["*"])).build()?;
/// # let spec = ToolSpec::new(ToolName::new("mail.send")?, "Send a mail.");
/// # let arguments = Arguments::from("{}");
/// # let explanation = policy.explain(&CallView::new(&spec, &arguments), &[]);
/// assert_eq!(
///     serde_json::to_value(&explanation)?,
///     json!({
///         "tool": "mail.send",
///         // `allow`, `ask` or `deny`.
///         "verdict": "ask",
///         "subjects": [{
///             // The index of the request that it is a part of; null for the call itself.
///             "request": null,
///             "subject": "the tool `mail.send`",
///             "verdict": "ask",
///             "counts": true,
///             "reason": "the policy asks before the tool `mail.send`",
///             // Null where no rule speaks of it.
///             "rule": "ask rule 1",
///             // True if the verdict on the call applies to it.
///             "inherited": false,
///             "others": [{"rule": "allow rule 1", "why": "less specific"}],
///             "advice": "a rule that allows `tools = [\"mail.send\"]` and is more specific than ask \
///                        rule 1 would let it run",
///         }],
///     })
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Explanation {
    /// The verdict over all: a denial goes before an ask, and an ask before an allowance.
    #[serde(serialize_with = "class")]
    pub verdict: Verdict,
    /// The tool's name.
    pub tool: String,
    /// The judgements: first on the call, then on its requests in their order, of a shell line on each command and
    /// each file that it uses.
    pub subjects: Vec<Explained>,
}

/// The judgement of a policy on one thing: a tool, a call, a request, a command of a shell line, or a file
/// that it uses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Explained {
    /// The index of the request that it is, or is a part of; `None` for the call itself.
    pub request: Option<usize>,
    /// The thing, in words.
    pub subject: String,
    /// The verdict on it.
    pub verdict: RuleVerdict,
    /// True if the verdict counts. The default verdict on a tool does not count for a call that makes requests, which
    /// are judged instead.
    pub counts: bool,
    /// The reason of the verdict: a clause that may follow "because".
    pub reason: String,
    /// The rule that decided; `None` if no rule speaks of it.
    pub rule: Option<RulePlace>,
    /// True if no rule speaks of the thing itself, so that the verdict on the call applies to it.
    pub inherited: bool,
    /// The other rules that speak of it.
    pub others: Vec<OverriddenRule>,
    /// The change that would lead to another verdict, for the author of the policy: of a rule, or of the call.
    pub advice: String,
}

/// A rule that speaks of a thing too, and did not decide.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct OverriddenRule {
    /// The rule.
    pub rule: RulePlace,
    /// The reason why it did not decide, in a few words.
    pub why: &'static str,
}

fn class<S: Serializer>(verdict: &Verdict, serializer: S) -> Result<S::Ok, S::Error> {
    RuleVerdict::of(verdict).serialize(serializer)
}

impl RuleVerdict {
    fn of(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::Allow => Self::Allow,
            Verdict::Ask(_) => Self::Ask,
            _ => Self::Deny,
        }
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let said = match RuleVerdict::of(&self.verdict) {
            RuleVerdict::Allow => "runs",
            RuleVerdict::Ask => "asks a person",
            RuleVerdict::Deny => "is denied",
        };
        write!(f, "`{}` {said}", self.tool)?;
        match &self.verdict {
            Verdict::Ask(ask) => write!(f, ": {}", ask.why())?,
            Verdict::Deny(denial) => write!(f, ": {}", denial.reason())?,
            // An allowance needs no reason.
            _ => {}
        }
        for explained in &self.subjects {
            write!(f, "\n{explained}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Explained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "- {}: {}", self.subject, self.verdict.as_str())?;
        match (&self.rule, self.inherited) {
            (Some(rule), false) => write!(f, ", by {}", rule.short())?,
            (Some(rule), true) => write!(f, ", as the call, by {}", rule.short())?,
            (None, _) => write!(f, ", by no rule")?,
        }
        if !self.counts {
            // Advice on it would change nothing of the call.
            return write!(f, ", which does not count: what it requests is judged");
        }
        write!(f, "\n    because {}", self.reason)?;
        // Those that did not decide for the same reason are told together.
        for others in self.others.chunk_by(|one, other| one.why == other.why) {
            let why = others.first().map_or("", |other| other.why);
            let rules: Vec<String> = others
                .iter()
                .map(|other| other.rule.short().to_string())
                .collect();
            write!(f, "\n    not by {}: {why}", rules.join(", "))?;
        }
        // Nobody needs the advice that a rule could deny it.
        if self.verdict == RuleVerdict::Allow {
            return Ok(());
        }
        write!(f, "\n    {}", self.advice)
    }
}
