//! The record of the judgement on a call, for explanations.

use super::PermissionPolicy;
use super::advice::advice;
use super::compiled::CompiledRule;
use super::explanation::{Explained, OverriddenRule};
use super::finding::{CallFacts, Subject, hit};
use super::judged::{Judged, Why};
use super::order::{RuleMatch, Said, closer, decide};
use super::rule::RuleVerdict;
use super::words;

/// A record of what is judged, if there is anybody to read it.
pub(super) struct Trace<'p>(Option<Record<'p>>);

#[derive(Default)]
struct Record<'p> {
    /// The rules that speak of what is judged next.
    hits: Vec<RuleMatch<'p>>,
    request: Option<usize>,
    subjects: Vec<Explained>,
}

impl<'p> Trace<'p> {
    pub(super) fn off() -> Self {
        Self(None)
    }

    pub(super) fn on() -> Self {
        Self(Some(Record::default()))
    }

    pub(super) fn enter(&mut self, request: usize) {
        if let Some(record) = &mut self.0 {
            record.request = Some(request);
        }
    }

    pub(super) fn does_not_count(&mut self) {
        if let Some(Record { subjects, .. }) = &mut self.0
            && let Some(last) = subjects.last_mut()
        {
            last.counts = false;
        }
    }

    pub(super) fn subjects(self) -> Vec<Explained> {
        self.0.map(|record| record.subjects).unwrap_or_default()
    }

    /// Decides between rules, and keeps which spoke.
    pub(super) fn decide(
        &mut self,
        rules: impl Iterator<Item = &'p CompiledRule>,
        called: &CallFacts<'_>,
        thing: &Subject<'_>,
    ) -> Said<'p> {
        let hits = rules.filter_map(|rule| hit(rule, called, thing));
        let Some(record) = &mut self.0 else {
            return decide(hits);
        };
        record.hits = hits.collect();
        decide(record.hits.iter().copied())
    }

    /// Leaves out which rules spoke of the last thing: what is noted next is another one.
    pub(super) fn forget(&mut self) {
        if let Some(record) = &mut self.0 {
            record.hits.clear();
        }
    }

    /// Notes what was decided.
    pub(super) fn note(
        &mut self,
        policy: &'p PermissionPolicy,
        called: &CallFacts<'_>,
        thing: &Subject<'_>,
        judged: &Judged<'p>,
    ) {
        let Some(record) = &mut self.0 else {
            return;
        };
        let hits = std::mem::take(&mut record.hits);
        let deciding = match judged.why {
            Why::Rule(hit) | Why::MayDeny(hit) | Why::Below(hit) => Some(hit),
            _ => None,
        };
        let others = hits.iter().filter_map(|hit| {
            let decided = deciding.is_some_and(|deciding| std::ptr::eq(deciding.rule, hit.rule));
            (!decided).then(|| OverriddenRule {
                rule: hit.rule.place.clone(),
                why: lost(hit, deciding.as_ref(), judged),
            })
        });
        let explained = Explained {
            request: record.request,
            subject: words::subject(called, thing),
            verdict: judged.class,
            counts: true,
            reason: words::reason(policy, called, thing, judged),
            rule: deciding.map(|hit| hit.rule.place.clone()),
            inherited: judged.of_the_call,
            others: others.collect(),
            advice: advice(policy, called, thing, judged, &hits),
        };
        // A file may be judged for more than one reason, with the same outcome.
        if !record.subjects.contains(&explained) {
            record.subjects.push(explained);
        }
    }
}

/// The reason why a rule about a subject did not decide.
fn lost(
    hit: &RuleMatch<'_>,
    deciding: Option<&RuleMatch<'_>>,
    judged: &Judged<'_>,
) -> &'static str {
    let Some(deciding) = deciding else {
        return "what cannot be told before the run asks all the same";
    };
    match (judged.class, hit.rule.verdict) {
        (RuleVerdict::Deny, RuleVerdict::Deny) => "another rule denies this already",
        (RuleVerdict::Deny, _) => "a denial outweighs that",
        (_, RuleVerdict::Deny) => "whether that speaks of this is not known before the run",
        _ if matches!(judged.why, Why::MayDeny(_)) => "a rule that may deny this goes first",
        _ if closer(deciding, hit) => "less specific",
        (RuleVerdict::Ask, RuleVerdict::Allow) => "not more specific than the rule that asks",
        _ => "says the same",
    }
}
