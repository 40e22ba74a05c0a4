//! Random policies. `TOOLWRIGHT_CASES` sets how many.

use std::path::Path;

use super::rule::RuleVerdict;
use super::source::Source;
use super::*;
use crate::check;
use crate::finding::{Subject, hit};
use crate::order::{RuleMatch, closer, decide};
use crate::path::Names;
use toolwright::permission::FilePlace;
use toolwright_shell::Access;

fn cases() -> usize {
    let cases = std::env::var("TOOLWRIGHT_CASES").ok();
    cases.and_then(|cases| cases.parse().ok()).unwrap_or(800)
}

fn made(rules: Vec<Rule>, default: DefaultDecision) -> Option<PermissionPolicy> {
    // Rules that can never decide are errors, and random ones often cannot.
    let policy = PermissionPolicy::builder("/srv/app");
    policy.rules(rules).default_verdict(default).readable().ok()
}

/// Adds each condition that an explanation names for what no rule speaks of: with it, that runs.
fn check_advice(
    explanation: &Explanation,
    rules: &[Rule],
    default: DefaultDecision,
    explain: &dyn Fn(&PermissionPolicy) -> Explanation,
) -> usize {
    let mut named = 0;
    for subject in &explanation.subjects {
        if subject.rule.is_some() || !subject.advice.starts_with("a rule that allows") {
            continue;
        }
        named += 1;
        let keys: Vec<&str> = subject.advice.split('`').skip(1).step_by(2).collect();
        let toml = format!("[[allow]]\n{}", keys.join("\n"));
        let loaded = load::read(&toml, &load::Section::default(), None).unwrap();
        assert!(loaded.problems.is_empty(), "{toml}");
        let more = rules.iter().cloned().chain(loaded.rules).collect();
        let after = explain(&made(more, default).unwrap());
        let same = |other: &&Explained| {
            (other.request, &other.subject) == (subject.request, &subject.subject)
        };
        for other in after.subjects.iter().filter(same) {
            assert_eq!(
                other.verdict,
                RuleVerdict::Allow,
                "{toml}{explanation}\n{after}"
            );
        }
    }
    named
}

#[test]
fn one_more_denial_never_widens_and_order_means_nothing() {
    let mut source = Source(7);
    let (mut made_it, mut stricter, mut named) = (0, 0, 0);
    let mut seen = [0; 3];
    for case in 0..cases() {
        let (rules, default) = source.policy();
        let Some(policy) = made(rules.clone(), default) else {
            continue;
        };
        let tool = source.tool();
        let arguments = source.arguments();
        let requests: Vec<_> = (0..source.below(3)).map(|_| source.request()).collect();
        let context =
            || format!("case {case}: {rules:#?} {default:?}, {tool:?} {arguments} {requests:#?}");
        let before = judged(&policy, &tool, &arguments, &requests);
        seen[before as usize] += 1;

        let explanation = explained(&policy, &tool, &arguments, &requests);
        assert_eq!(
            said(&explanation.verdict),
            before,
            "{explanation}\n{}",
            context()
        );

        named += check_advice(&explanation, &rules, default, &|policy| {
            explained(policy, &tool, &arguments, &requests)
        });

        let other = made(source.shuffled(&rules), default).unwrap();
        assert_eq!(
            judged(&other, &tool, &arguments, &requests),
            before,
            "{}",
            context()
        );

        let mut more = rules.clone();
        let denying = source.rule(RuleVerdict::Deny);
        more.insert(source.below(more.len() + 1), denying.clone());
        let Some(stricter_policy) = made(more, default) else {
            continue;
        };
        made_it += 1;
        let after = judged(&stricter_policy, &tool, &arguments, &requests);
        assert!(
            after >= before,
            "{after:?} < {before:?} by {denying:#?}\n{}",
            context()
        );
        stricter += usize::from(after > before);
    }
    // The cases are worth something.
    assert!(made_it > cases() / 3, "{made_it}");
    assert!(stricter > cases() / 50, "{stricter}");
    assert!(named > cases() / 20, "{named}");
    assert!(seen.iter().all(|seen| *seen > cases() / 50), "{seen:?}");
}

#[test]
fn a_rule_that_is_said_to_be_idle_changes_nothing() {
    let mut source = Source(11);
    let (mut idle, mut lively) = (0, 0);
    let kinds = [
        "leave out every tool",
        "nothing passes both",
        "nothing passes its tests",
        "is denied by",
        "says the same",
        "exactly the same",
    ];
    let mut seen = [0; 6];
    for case in 0..cases() {
        let (rules, default) = source.policy();
        let Some(policy) = made(rules.clone(), default) else {
            continue;
        };
        let problems = check::problems(&policy.rules);
        lively += usize::from(problems.is_empty());
        for problem in problems {
            idle += 1;
            let kind = |kind: &&str| problem.message().contains(kind);
            seen[kinds.iter().position(kind).unwrap()] += 1;
            let place = problem.rule().unwrap();
            let at = policy.rules().position(|rule| rule == place).unwrap();
            let mut fewer = rules.clone();
            drop(fewer.remove(at));
            let fewer = made(fewer, default).unwrap();
            for _ in 0..8 {
                let tool = source.tool();
                let arguments = source.arguments();
                let requests: Vec<_> = (0..source.below(3)).map(|_| source.request()).collect();
                assert_eq!(
                    judged(&policy, &tool, &arguments, &requests),
                    judged(&fewer, &tool, &arguments, &requests),
                    "case {case}: {problem}\n{rules:#?} {default:?}, {tool:?} {arguments} {requests:#?}"
                );
            }
        }
    }
    // The cases are worth something.
    assert!(idle > cases() / 20, "{idle}");
    assert!(lively > cases() / 3, "{lively}");
    assert!(seen.iter().all(|seen| *seen > 0), "{seen:?}");
}

/// Returns what decides, as the documentation has it: a denial, else the rules than which none is closer.
fn decided(hits: &[RuleMatch<'_>]) -> Option<RuleVerdict> {
    let of = |verdict| {
        let hits = hits.iter().filter(move |hit| hit.rule.verdict == verdict);
        hits.filter(|hit| hit.specificity.is_some())
    };
    if of(RuleVerdict::Deny).next().is_some() {
        return Some(RuleVerdict::Deny);
    }
    let others = || of(RuleVerdict::Ask).chain(of(RuleVerdict::Allow));
    let most = others().filter(|hit| !others().any(|other| closer(other, hit)));
    let verdicts: Vec<RuleVerdict> = most.map(|hit| hit.rule.verdict).collect();
    if verdicts.is_empty() {
        None
    } else if verdicts.contains(&RuleVerdict::Ask) {
        Some(RuleVerdict::Ask)
    } else {
        Some(RuleVerdict::Allow)
    }
}

#[test]
fn closer_is_an_order_and_the_closest_decide() {
    let mut source = Source(13);
    let (mut chains, mut several) = (0, 0);
    for case in 0..cases() {
        let rules: Vec<Rule> = (0..12)
            .map(|_| {
                let verdict = source.verdict();
                source.rule(verdict)
            })
            .collect();
        let Some(policy) = made(rules, DefaultDecision::Ask) else {
            continue;
        };
        let (tool, arguments) = (source.tool(), source.arguments());
        let arguments = Arguments::from(&arguments);
        let view = CallView::new(&tool, &arguments);
        let called = CallFacts::call(&view);
        let names = Names::of(&FilePlace::new(Path::new("/srv/app/src/a/b.rs")));
        let things = [
            Subject::Call,
            Subject::Host("a.example.org:443"),
            Subject::Other {
                kind: "deploy",
                target: "x",
            },
            Subject::File {
                access: Some(Access::Read),
                place: Some(&names),
                shown: "b.rs",
                is_written: true,
            },
        ];
        for thing in &things {
            let rules = policy.rules.iter();
            let hits: Vec<RuleMatch<'_>> =
                rules.filter_map(|rule| hit(rule, &called, thing)).collect();
            several += usize::from(hits.len() > 2);
            for a in &hits {
                assert!(!closer(a, a));
                for b in hits.iter().filter(|b| closer(a, b)) {
                    assert!(!closer(b, a), "case {case}: {a:#?} {b:#?}");
                    for c in hits.iter().filter(|c| closer(b, c)) {
                        chains += 1;
                        assert!(closer(a, c), "case {case}: {a:#?} {b:#?} {c:#?}");
                    }
                }
            }
            let said = decide(hits.iter().copied());
            // An ask that only may be meant is told apart elsewhere.
            if hits.iter().all(|hit| hit.specificity.is_some()) {
                let class = said.surely.map(|(class, _)| class);
                assert_eq!(class, decided(&hits), "case {case}: {hits:#?}");
            }
        }
    }
    // The cases are worth something.
    assert!(chains > cases() / 50, "{chains}");
    assert!(several > cases() / 5, "{several}");
}
