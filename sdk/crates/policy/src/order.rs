//! The order of rules: the rule that decides.

use std::cmp::Ordering;

use super::argument;
use super::compiled::CompiledRule;
use super::matching::Closeness;
use super::rule::RuleVerdict;
use toolwright::spec::CapabilityGrant;

/// A rule that speaks of a thing.
#[derive(Debug, Clone, Copy)]
pub(super) struct RuleMatch<'p> {
    pub(super) rule: &'p CompiledRule,
    /// The closeness of each condition; `None` if the rule only may speak of the thing.
    pub(super) specificity: Option<Specificity>,
    /// The pattern that matched, of those of the condition on the request.
    pub(super) pattern: Option<&'p str>,
    /// True if it matched by the list of commands that only read.
    pub(super) by_list: bool,
}

/// The closeness with which each condition of a rule names what it matched. An absent one is less than any.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Specificity {
    pub(super) tool: Option<Closeness>,
    pub(super) kind: Option<Closeness>,
    /// The path, command, host or target; and of two patterns of paths that are as close, one for
    /// reading or for writing is closer than one for both.
    pub(super) thing: Option<(Closeness, bool)>,
}

/// The verdict of the rules on one thing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Said<'p> {
    /// The verdict of the rules that surely speak of it.
    pub(super) surely: Option<(RuleVerdict, RuleMatch<'p>)>,
    /// A rule that may deny it, which nobody can tell before it runs.
    pub(super) may_deny: Option<RuleMatch<'p>>,
}

/// Decides between the rules that speak of one thing: any that denies does; else the closest, and
/// where these do not agree or cannot be compared, a person.
pub(super) fn decide<'p>(hits: impl Iterator<Item = RuleMatch<'p>>) -> Said<'p> {
    let mut denying = Closest::default();
    let mut asking = Closest::default();
    let mut allowing = Closest::default();
    let (mut may_deny, mut may_ask) = (None, None);
    for hit in hits {
        match (hit.rule.verdict, hit.specificity) {
            (RuleVerdict::Deny, Some(_)) => denying.add(hit),
            (RuleVerdict::Ask, Some(_)) => asking.add(hit),
            (RuleVerdict::Allow, Some(_)) => allowing.add(hit),
            (RuleVerdict::Deny, None) => may_deny = may_deny.or(Some(hit)),
            // Nobody knows how closely it would match, so nothing is closer.
            (RuleVerdict::Ask, None) => may_ask = may_ask.or(Some(hit)),
            (RuleVerdict::Allow, None) => {}
        }
    }
    let asks = || {
        // An ask gives way only to an allowance that is closer. It is enough to look at the closest
        // asks: whatever gives way to another ask gives way to what that one does.
        let stays = |ask: &&RuleMatch<'p>| !allowing.all().any(|allow| closer(allow, ask));
        let surely = asking.all().find(stays).copied();
        // If one rule only may ask, and one may deny too, no more is known than without the one that
        // asks: what holds without either is not to get milder by it.
        surely.or(may_ask.filter(|_| may_deny.is_none() || allowing.first.is_some()))
    };
    let surely = if let Some(deny) = denying.first {
        Some((RuleVerdict::Deny, deny))
    } else if let Some(ask) = asks() {
        Some((RuleVerdict::Ask, ask))
    } else {
        allowing.speaker().map(|allow| (RuleVerdict::Allow, allow))
    };
    Said { surely, may_deny }
}

/// Those rules of one verdict than which none is closer. Hardly ever is there more than one, which
/// takes no allocation.
#[derive(Default)]
struct Closest<'p> {
    first: Option<RuleMatch<'p>>,
    others: Vec<RuleMatch<'p>>,
}

impl<'p> Closest<'p> {
    fn add(&mut self, hit: RuleMatch<'p>) {
        let Some(first) = &mut self.first else {
            self.first = Some(hit);
            return;
        };
        if closer(&hit, first) {
            *first = hit;
            self.others.retain(|other| !closer(&hit, other));
            return;
        }
        if closer(first, &hit) || self.others.iter().any(|other| closer(other, &hit)) {
            return;
        }
        self.others.retain(|other| !closer(&hit, other));
        self.others.push(hit);
    }

    fn all(&self) -> impl Iterator<Item = &RuleMatch<'p>> {
        self.first.iter().chain(&self.others)
    }

    /// The one that is named: one that allows for good, before one that goes on to look at files.
    fn speaker(&self) -> Option<RuleMatch<'p>> {
        self.all()
            .find(|hit| !hit.by_list)
            .or(self.first.as_ref())
            .copied()
    }
}

/// Returns true if the first rule is closer than the second to what both speak of: in no kind of condition
/// less, and in one more.
pub(super) fn closer(a: &RuleMatch<'_>, b: &RuleMatch<'_>) -> bool {
    compare(a, b) == Some(Ordering::Greater)
}

/// The order of two rules by how closely they name the subject of both; `None` if they cannot be compared.
pub(super) fn compare(a: &RuleMatch<'_>, b: &RuleMatch<'_>) -> Option<Ordering> {
    let (near, far) = (a.specificity?, b.specificity?);
    let (a, b) = (a.rule, b.rule);
    let orders = [
        Some(near.tool.cmp(&far.tool)),
        Some(near.kind.cmp(&far.kind)),
        Some(near.thing.cmp(&far.thing)),
        fewer(&a.effects, &b.effects, PartialEq::eq),
        fewer(&a.hints, &b.hints, PartialEq::eq),
        // A tool may need several capabilities, so how closely one is named does not compare.
        fewer(&a.capabilities, &b.capabilities, CapabilityGrant::covers),
        by_cover(
            argument::covers(&b.arguments, &a.arguments),
            argument::covers(&a.arguments, &b.arguments),
        ),
    ];
    let mut whole = Ordering::Equal;
    for order in orders {
        whole = match (whole, order?) {
            (before, Ordering::Equal) => before,
            (Ordering::Equal, after) => after,
            (before, after) if before == after => before,
            _ => return None,
        };
    }
    Some(whole)
}

/// A list of which any may hold says more if it lists less.
fn fewer<T>(a: &[T], b: &[T], covers: impl Fn(&T, &T) -> bool) -> Option<Ordering> {
    by_cover(any_covers(b, a, &covers), any_covers(a, b, &covers))
}

/// Returns true if the narrow list surely holds only where the wide one does. Any item of a list has to hold, and an
/// empty list says nothing.
pub(super) fn any_covers<T>(wide: &[T], narrow: &[T], covers: impl Fn(&T, &T) -> bool) -> bool {
    let in_wide = |narrow: &T| wide.iter().any(|wide| covers(wide, narrow));
    wide.is_empty() || (!narrow.is_empty() && narrow.iter().all(in_wide))
}

fn by_cover(first_is_narrower: bool, second_is_narrower: bool) -> Option<Ordering> {
    match (first_is_narrower, second_is_narrower) {
        (true, true) => Some(Ordering::Equal),
        (true, false) => Some(Ordering::Greater),
        (false, true) => Some(Ordering::Less),
        (false, false) => None,
    }
}
