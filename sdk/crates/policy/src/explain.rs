//! The explanation of a call: the policy judges it and keeps a record.

use super::PermissionPolicy;
use super::explanation::Explanation;
use super::finding::{CallFacts, Subject};
use super::judged::Combined;
use super::trace::Trace;
use super::words;
use toolwright::permission::{CallView, PermissionChecker, PermissionRequest, Verdict};

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
    /// let explained = &explanation.subjects[0];
    /// assert_eq!(explained.rule.as_ref().unwrap().to_string(), "ask rule 1");
    /// assert_eq!(
    ///     explained.advice,
    ///     "a rule that allows `tools = [\"mail.send\"]` and is more specific than ask rule 1 would let it run"
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
            verdict: sum.verdict(),
            subjects: trace.subjects(),
        }
    }
}
