//! Why a call may run, or not.

use std::fmt;

use serde::Serialize;

use super::PermissionPolicy;
use super::finding::{CallFacts, Subject};
use super::judge::Combined;
use super::order::Class;
use super::problem::RulePlace;
use super::rule::RuleVerdict;
use super::suggestion::Suggestion;
use super::trace::Trace;
use super::words;
use toolwright::permission::{CallView, PermissionChecker, PermissionRequest, Verdict};

/// Why a [policy](PermissionPolicy) lets a call run, or not: what it says of the call and of all that
/// the call requests, which rule decided, and what would change it.
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
///             // Whether what is said of the call applies to it.
///             "inherited": false,
///             "others": [{"rule": "allow rule 1", "why": "less specific"}],
///             "suggestion": {
///                 "text": "this rule would let it run:",
///                 // Null where there is none.
///                 "rule": "[[allow]]\ntools = [\"mail.send\"]\n",
///             },
///         }],
///     })
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Explanation {
    #[serde(skip)]
    verdict: Verdict,
    tool: String,
    /// What is said over all.
    #[serde(rename = "verdict")]
    said: RuleVerdict,
    subjects: Vec<Explained>,
}

/// The judgement of a policy on one thing: a tool, a call, a request, a command of a shell line, or a file
/// that it uses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Explained {
    pub(super) request: Option<usize>,
    pub(super) subject: String,
    pub(super) verdict: RuleVerdict,
    pub(super) counts: bool,
    pub(super) reason: String,
    pub(super) rule: Option<RulePlace>,
    pub(super) inherited: bool,
    pub(super) others: Vec<OverriddenRule>,
    pub(super) suggestion: Suggestion,
}

/// A rule that speaks of a thing too, and did not decide.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct OverriddenRule {
    pub(super) rule: RulePlace,
    pub(super) why: &'static str,
}

impl PermissionPolicy {
    /// Says what the policy says of a call and its requests, why, and what would change it.
    ///
    /// ```
    /// use toolwright::{Tool, tool};
    /// use toolwright::arguments::Arguments;
    /// use toolwright::permission::CallView;
    /// use toolwright_policy::{PermissionPolicy, Rule};
    ///
    /// /// Send a mail.
    /// #[tool(name = "mail.send")]
    /// async fn send_mail(to: String) {
    /// #   drop(to);
    /// }
    ///
    /// let policy = PermissionPolicy::builder("/srv/app")
    ///     .rule(Rule::ask().tools(["mail.*"]))
    ///     .build()?;
    /// let arguments = Arguments::from(r#"{"to": "all"}"#);
    /// let explanation = policy.explain(&CallView::new(SendMail.spec(), &arguments), &[]);
    /// let explained = &explanation.subjects()[0];
    /// assert_eq!(explained.rule().unwrap().to_string(), "ask rule 1");
    /// assert_eq!(
    ///     explained.suggestion().rule(),
    ///     Some("[[allow]]\ntools = [\"mail.send\"]\n")
    /// );
    /// # Ok::<(), toolwright_policy::PolicyError>(())
    /// ```
    pub fn explain(&self, call: &CallView<'_>, requests: &[PermissionRequest]) -> Explanation {
        let mut trace = Trace::on();
        let looks = self.looks_at_arguments(call.spec());
        let called = CallFacts::call(call);
        // As an executor does it: the arguments of a call are looked at where that may matter.
        let of_the_tool = CallFacts::tool(call.spec());
        let of = if looks { &called } else { &of_the_tool };
        let judged = self.judge_call(of, &mut trace);
        let own = self.call_verdict(of, &judged);
        let mut sum = Combined::new();
        let denied = matches!(own, Verdict::Deny(_)) && !own.is_fallback();
        let counts = requests.is_empty() || !own.is_fallback() || own == Verdict::Allow;
        if counts {
            sum.add(judged.class, || {
                words::reason(self, of, &Subject::Call, &judged)
            });
        } else {
            trace.does_not_count();
        }
        if !denied {
            for (index, request) in requests.iter().enumerate() {
                trace.enter(index);
                sum.merge(self.judge_request(&called, request, &mut trace));
            }
        }
        Explanation {
            tool: call.spec().name().as_str().to_owned(),
            said: sum.class.into(),
            verdict: sum.verdict(),
            subjects: trace.subjects(),
        }
    }
}

impl Explanation {
    /// Returns what is said over all: a denial goes before an ask, and an ask before an allowance.
    pub fn verdict(&self) -> &Verdict {
        &self.verdict
    }

    /// The tool's name.
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// Returns what is said of each thing: first of the call, then of its requests in their order, of a
    /// shell line each command and each file that it uses.
    pub fn subjects(&self) -> &[Explained] {
        &self.subjects
    }
}

impl Explained {
    /// The index of the request that it is, or is a part of; none for the call itself.
    pub fn request(&self) -> Option<usize> {
        self.request
    }

    /// Returns what is judged, in words.
    pub fn subject(&self) -> &str {
        &self.subject
    }

    /// Returns what is said of it.
    pub fn verdict(&self) -> RuleVerdict {
        self.verdict
    }

    /// Returns true if that counts: what the policy says by default of a tool does not count for a call that
    /// makes requests, which are judged instead.
    pub fn counts(&self) -> bool {
        self.counts
    }

    /// Why.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// The rule that decided; none where no rule speaks of it.
    pub fn rule(&self) -> Option<&RulePlace> {
        self.rule.as_ref()
    }

    /// Returns true if no rule speaks of the thing itself, so that what is said of the call applies to it.
    pub fn is_of_the_call(&self) -> bool {
        self.inherited
    }

    /// The other rules that speak of it.
    pub fn others(&self) -> &[OverriddenRule] {
        &self.others
    }

    /// Returns what would change it.
    pub fn suggestion(&self) -> &Suggestion {
        &self.suggestion
    }
}

impl OverriddenRule {
    /// The rule.
    pub fn rule(&self) -> &RulePlace {
        &self.rule
    }

    /// Why it did not decide, in a few words.
    pub fn why(&self) -> &str {
        self.why
    }
}

impl From<Class> for RuleVerdict {
    fn from(class: Class) -> Self {
        match class {
            Class::Allow => Self::Allow,
            Class::Ask => Self::Ask,
            Class::Deny => Self::Deny,
        }
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let said = match self.said {
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
            // What would change it would change nothing of the call.
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
        // That a rule which denies would deny goes without saying.
        if self.verdict == RuleVerdict::Allow {
            return Ok(());
        }
        write!(f, "\n    {}", self.suggestion.text())?;
        for line in self.suggestion.rule().unwrap_or_default().lines() {
            write!(f, "\n        {line}")?;
        }
        Ok(())
    }
}
