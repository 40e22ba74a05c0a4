//! The judgement of the rules on calls and requests. Checks and explanations both come from here.

use super::finding::{CallFacts, Subject};
use super::judged::{Combined, Judged, Why, conclude};
use super::order::Said;
use super::path::Names;
use super::rule::{DefaultDecision, RuleVerdict};
use super::trace::Trace;
use super::{PermissionPolicy, words};
use crate::kinds::{COMMAND_RUN, FILE_READ, FILE_WRITE, NETWORK_CONNECT};
use toolwright::permission::{DefaultPolicy, PathScope, TOOL_CHANGED, Verdict};
use toolwright::{FileAccess, PermissionRequest};
use toolwright_shell::Access;

impl PermissionPolicy {
    /// Returns what is said of a tool, or of a call where there is one.
    pub(super) fn judge_call<'p>(
        &'p self,
        called: &CallFacts<'_>,
        trace: &mut Trace<'p>,
    ) -> Judged<'p> {
        let rules = self.rules.iter();
        let rules = rules.filter(|rule| {
            !rule.is_of_requests() && (called.is_call() || rule.arguments.is_empty())
        });
        let thing = Subject::Call;
        let said = trace.decide(rules, called, &thing);
        let judged = conclude(said, || {
            let class = match self.unmatched {
                DefaultDecision::ReadOnly if DefaultPolicy::objection(called.spec).is_none() => {
                    RuleVerdict::Allow
                }
                DefaultDecision::ReadOnly | DefaultDecision::Ask => RuleVerdict::Ask,
                DefaultDecision::Deny => RuleVerdict::Deny,
            };
            Judged::new(class, Why::Default)
        });
        trace.note(self, called, &thing, &judged);
        judged
    }

    /// The verdict on a tool or a call.
    pub(super) fn call_verdict(&self, called: &CallFacts<'_>, judged: &Judged<'_>) -> Verdict {
        let mut sum = Combined::new();
        sum.add(judged.class, || {
            words::reason(self, called, &Subject::Call, judged)
        });
        match judged.why {
            Why::Default => sum.verdict().as_fallback(),
            _ => sum.verdict(),
        }
    }

    /// Returns the judgement on a request.
    pub(super) fn judge_request<'p>(
        &'p self,
        called: &CallFacts<'_>,
        request: &PermissionRequest,
        trace: &mut Trace<'p>,
    ) -> Combined {
        let mut judging = Judging {
            policy: self,
            called,
            sum: Combined::new(),
            trace,
        };
        judging.request(request);
        judging.sum
    }

    /// Returns true if the default lets a call read files in the root that it names. A policy that
    /// names trees has said where files are read.
    fn covers_reads(&self, called: &CallFacts<'_>, judged: &Judged<'_>) -> bool {
        self.unmatched == DefaultDecision::ReadOnly
            && matches!(judged.why, Why::Default)
            && DefaultPolicy::objection(called.spec).is_none()
            && !self.names_trees()
    }

    /// Returns true if the policy says by trees where files may be read.
    fn names_trees(&self) -> bool {
        let mut rules = self.rules.iter();
        rules.any(|rule| rule.verdict == RuleVerdict::Allow && rule.place.is_tree())
    }

    /// Returns what the rules that speak of requests say of a thing.
    pub(super) fn said_of<'p>(
        &'p self,
        called: &CallFacts<'_>,
        thing: &Subject<'_>,
        trace: &mut Trace<'p>,
    ) -> Said<'p> {
        let rules = self.rules.iter().filter(|rule| rule.is_of_requests());
        trace.decide(rules, called, thing)
    }

    /// Returns the judgement on the call, for a request that no rule speaks of. The default lets a call
    /// run that requests nothing, and allows no request.
    pub(super) fn as_the_call(&self, called: &CallFacts<'_>) -> Judged<'_> {
        let judged = self.judge_call(called, &mut Trace::off());
        let class = match judged.why {
            Why::Default => judged.class.max(RuleVerdict::Ask),
            _ => judged.class,
        };
        Judged {
            // A request that asks although the call would run is judged for itself.
            of_the_call: class == judged.class,
            class,
            ..judged
        }
    }
}

/// The judgement on a request while it is made.
pub(super) struct Judging<'p, 'c> {
    pub(super) policy: &'p PermissionPolicy,
    pub(super) called: &'c CallFacts<'c>,
    sum: Combined,
    pub(super) trace: &'c mut Trace<'p>,
}

impl<'p> Judging<'p, '_> {
    fn request(&mut self, request: &PermissionRequest) {
        let target = request.target();
        let kind = request.kind();
        if request.containment() == PathScope::Outside {
            let judged = Judged::new(RuleVerdict::Deny, Why::Outside);
            return self.tell(&Subject::Other { kind, target }, &judged);
        }
        match kind {
            FILE_READ => self.file(request, Access::Read),
            FILE_WRITE => self.file(request, Access::Write),
            COMMAND_RUN => self.line(request),
            NETWORK_CONNECT => self.thing(&Subject::Host(target)),
            TOOL_CHANGED => self.changed(&Subject::Other { kind, target }),
            kind => self.thing(&Subject::Other { kind, target }),
        }
    }

    /// Judges a thing by the rules that speak of it, or else as the call.
    pub(super) fn thing(&mut self, thing: &Subject<'_>) {
        let judged = conclude(self.said_of(thing), || self.as_the_call());
        self.tell(thing, &judged);
    }

    /// Judges the use of a tool whose definition has changed: a rule that allows its calls was written for the definition
    /// before.
    fn changed(&mut self, thing: &Subject<'_>) {
        let judged = conclude(self.said_of(thing), || {
            let judged = self.as_the_call();
            match judged.class {
                RuleVerdict::Allow => Judged::new(RuleVerdict::Ask, Why::ToolChanged),
                _ => judged,
            }
        });
        self.tell(thing, &judged);
    }

    /// Adds the judgement on one thing to that on the request.
    pub(super) fn tell(&mut self, thing: &Subject<'_>, judged: &Judged<'p>) {
        let (policy, called) = (self.policy, self.called);
        self.trace.note(policy, called, thing, judged);
        let reason = || words::reason(policy, called, thing, judged);
        self.sum.add(judged.class, reason);
    }

    pub(super) fn said_of(&mut self, thing: &Subject<'_>) -> Said<'p> {
        self.policy.said_of(self.called, thing, self.trace)
    }

    pub(super) fn as_the_call(&self) -> Judged<'p> {
        self.policy.as_the_call(self.called)
    }

    fn file(&mut self, request: &PermissionRequest, access: Access) {
        let (policy, called) = (self.policy, self.called);
        let place = FileAccess::place_of(request);
        // Whoever made the request has resolved the path, unless it was made by hand.
        let place = place.as_ref().map(Names::of).filter(Names::is_settled);
        let thing = Subject::File {
            access: Some(access),
            place: place.as_ref(),
            shown: request.target(),
            is_written: false,
        };
        let mut judged = conclude(self.said_of(&thing), || {
            let judged = policy.as_the_call(called);
            // Rules with a pattern are for paths that are known, and so is the default.
            if place.is_some() && reads_in_its_root(request) && policy.covers_reads(called, &judged)
            {
                return Judged {
                    class: RuleVerdict::Allow,
                    ..judged
                };
            }
            judged
        });
        if place.is_some()
            && judged.class == RuleVerdict::Ask
            && matches!(judged.why, Why::Default)
            && policy.names_trees()
        {
            judged.why = Why::OutsideTrees;
        }
        // A tree says where tools may work. Only a rule lets a call run that its author wants approved.
        if judged.class == RuleVerdict::Allow
            && let Why::Rule(hit) = judged.why
            && hit.rule.place.is_tree()
            && called.spec.annotations().wants_approval()
            && !matches!(policy.as_the_call(called).why, Why::Rule(_))
        {
            judged = Judged::new(RuleVerdict::Ask, Why::NeedsApproval);
        }
        self.tell(&thing, &judged);
    }
}

/// Returns true for what the default lets a tool that only reads request: to read files inside of the root that the
/// request names.
fn reads_in_its_root(request: &PermissionRequest) -> bool {
    request.kind() == FILE_READ && request.containment() == PathScope::Inside
}
