//! Conditions on arguments: tests at JSON pointers, judged on the canonical arguments.

use std::cmp::Ordering;

use serde_json::{Number, Value};

use super::matching::{Closeness, Match};
use super::rule::ArgumentTest;
use toolwright::arguments::{CanonicalArguments, compare_numbers, same_json};
use toolwright::text::one_line;

/// The most characters that are shown of a pointer.
const SHOWN: usize = 60;

/// The tests of one rule, each with its pointer.
type Tests = [(String, ArgumentTest)];

/// The match of tests: [`covers`] says which of two rules is closer.
const MATCHES: Match = Match::Yes(Closeness::LEAST);

/// Returns [`Match::Yes`] if all tests of a rule hold. It is [`Match::Maybe`] for a call whose arguments have no canonical
/// form, for a secret, which is masked, and for a value that the tool may read otherwise than it is
/// [shown](CanonicalArguments::unclear).
pub(super) fn matches(tests: &Tests, arguments: Option<&CanonicalArguments>) -> Match {
    let shown = arguments.map(CanonicalArguments::as_value);
    let unclear = arguments.map_or(&[][..], CanonicalArguments::unclear);
    matches_value(tests, shown, unclear)
}

fn matches_value(tests: &Tests, arguments: Option<&Value>, unclear: &[String]) -> Match {
    let mut all = MATCHES;
    for (pointer, test) in tests {
        let is_unclear = || {
            unclear.iter().any(|place| match test {
                // The place itself is clear.
                ArgumentTest::Present(_) => place != pointer && within(pointer, place),
                _ => within(pointer, place) || within(place, pointer),
            })
        };
        let holds = match arguments {
            Some(arguments) if !is_unclear() => holds(pointer, test, arguments),
            _ => Match::Maybe,
        };
        match holds {
            Match::No => return Match::No,
            Match::Maybe => all = Match::Maybe,
            Match::Yes(_) => {}
        }
    }
    all
}

/// Returns true if whatever the narrower tests let through passes the wider ones too.
pub(super) fn covers(wider: &Tests, narrower: &Tests) -> bool {
    wider.iter().all(|(pointer, wide)| {
        narrower
            .iter()
            .any(|(other, narrow)| other == pointer && implies(narrow, wide))
    })
}

/// Returns true if no arguments can pass both tests of one pointer. `false` where that is not certain.
pub(super) fn exclude(a: &ArgumentTest, b: &ArgumentTest) -> bool {
    use ArgumentTest::Present;
    match (a, b) {
        (Present(a), Present(b)) => a != b,
        // Every other test needs a value.
        (Present(there), _) | (_, Present(there)) => !there,
        (one, other) => match (values(one), values(other)) {
            (Some(values), _) => values.iter().all(|value| !passes(value, other)),
            (_, Some(values)) => values.iter().all(|value| !passes(value, one)),
            _ => match (bounds(one), bounds(other)) {
                (Some(one), Some(other)) => below(one, other) || below(other, one),
                _ => false,
            },
        },
    }
}

/// Returns what is wrong with a text that is no JSON pointer (RFC 6901 §3).
pub(super) fn wrong_pointer(pointer: &str) -> Option<String> {
    let quoted = one_line(pointer, SHOWN);
    if !pointer.is_empty() && !pointer.starts_with('/') {
        return Some(format!(
            "`{quoted}` is no JSON pointer, for these begin with `/`; did you mean \"/{quoted}\"?"
        ));
    }
    let mut after = pointer.split('~').skip(1);
    after.any(|rest| !rest.starts_with(['0', '1'])).then(|| {
        format!(
            "`{quoted}` is no JSON pointer: in these `~` is written `~0`, and `/` in a name `~1`"
        )
    })
}

/// Returns true if a test of a rule passes nothing at all.
pub(super) fn is_empty(test: &ArgumentTest) -> bool {
    match test {
        ArgumentTest::OneOf(values) => values.is_empty(),
        ArgumentTest::Range {
            min: Some(min),
            max: Some(max),
        } => compare_numbers(min, max) == Some(Ordering::Greater),
        _ => false,
    }
}

/// The contents of a place in the arguments.
enum FoundValue<'a> {
    Nothing,
    /// A secret, or a part of one.
    Within,
    Secret,
    Value(&'a Value),
}

/// Returns true if a pointer leads to what another does, or into it.
pub(super) fn within(inner: &str, outer: &str) -> bool {
    let rest = inner.strip_prefix(outer);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn holds(pointer: &str, test: &ArgumentTest, arguments: &Value) -> Match {
    let yes = |holds: bool| if holds { MATCHES } else { Match::No };
    match (find(pointer, arguments), test) {
        (FoundValue::Nothing, ArgumentTest::Present(there)) => yes(!there),
        (FoundValue::Secret | FoundValue::Value(_), ArgumentTest::Present(there)) => yes(*there),
        (FoundValue::Nothing, _) => Match::No,
        (FoundValue::Within | FoundValue::Secret, _) => Match::Maybe,
        (FoundValue::Value(value), ArgumentTest::Equals(wanted)) => same(wanted, value),
        (FoundValue::Value(value), ArgumentTest::OneOf(wanted)) => wanted
            .iter()
            .map(|wanted| same(wanted, value))
            .fold(Match::No, Match::max),
        (FoundValue::Value(value), range @ ArgumentTest::Range { .. }) => yes(passes(value, range)),
    }
}

/// Walks a pointer (RFC 6901 §4) step by step, for a secret on the way hides the rest of it.
fn find<'a>(pointer: &str, arguments: &'a Value) -> FoundValue<'a> {
    let mut place = arguments;
    let mut steps = pointer.split('/').skip(1);
    loop {
        if CanonicalArguments::is_secret(place) {
            return match steps.next() {
                None => FoundValue::Secret,
                Some(_) => FoundValue::Within,
            };
        }
        let Some(step) = steps.next() else {
            return FoundValue::Value(place);
        };
        let Some(next) = place.pointer(&format!("/{step}")) else {
            return FoundValue::Nothing;
        };
        place = next;
    }
}

/// Compares a value with the one that a rule names; a secret in it may be anything.
fn same(wanted: &Value, value: &Value) -> Match {
    if CanonicalArguments::is_secret(value) {
        return Match::Maybe;
    }
    match (wanted, value) {
        (Value::Array(wanted), Value::Array(items)) if wanted.len() == items.len() => wanted
            .iter()
            .zip(items)
            .map(|(wanted, item)| same(wanted, item))
            .fold(MATCHES, Match::min),
        (Value::Object(wanted), Value::Object(members)) if wanted.len() == members.len() => wanted
            .iter()
            .map(|(key, wanted)| {
                members
                    .get(key)
                    .map_or(Match::No, |value| same(wanted, value))
            })
            .fold(MATCHES, Match::min),
        _ if same_json(wanted, value) => MATCHES,
        _ => Match::No,
    }
}

/// Returns true if a value that is there, and no secret, passes a test.
fn passes(value: &Value, test: &ArgumentTest) -> bool {
    match test {
        ArgumentTest::Present(there) => *there,
        ArgumentTest::Equals(wanted) => same_json(wanted, value),
        ArgumentTest::OneOf(wanted) => wanted.iter().any(|wanted| same_json(wanted, value)),
        ArgumentTest::Range { min, max } => value.as_number().is_some_and(|number| {
            let least = min.as_ref().is_none_or(|min| at_most(min, number));
            least && max.as_ref().is_none_or(|max| at_most(number, max))
        }),
    }
}

/// The only values that pass a test, if it lists them.
pub(super) fn values(test: &ArgumentTest) -> Option<&[Value]> {
    match test {
        ArgumentTest::Equals(value) => Some(std::slice::from_ref(value)),
        ArgumentTest::OneOf(values) => Some(values),
        ArgumentTest::Range { .. } | ArgumentTest::Present(_) => None,
    }
}

fn implies(narrow: &ArgumentTest, wide: &ArgumentTest) -> bool {
    if let Some(values) = values(narrow) {
        return values.iter().all(|value| passes(value, wide));
    }
    match (narrow, wide) {
        (ArgumentTest::Present(narrow), ArgumentTest::Present(wide)) => narrow == wide,
        (ArgumentTest::Range { .. }, ArgumentTest::Present(there)) => *there,
        _ => match (bounds(narrow), bounds(wide)) {
            (Some((min, max)), Some((least, most))) => {
                let above = |least| min.is_some_and(|min| at_most(least, min));
                let under = |most| max.is_some_and(|max| at_most(max, most));
                least.is_none_or(above) && most.is_none_or(under)
            }
            _ => false,
        },
    }
}

type Bounds<'t> = (Option<&'t Number>, Option<&'t Number>);

/// Returns the least and the greatest number that pass a range.
fn bounds(test: &ArgumentTest) -> Option<Bounds<'_>> {
    match test {
        ArgumentTest::Range { min, max } => Some((min.as_ref(), max.as_ref())),
        _ => None,
    }
}

/// Returns true if one range ends before another begins.
fn below(a: Bounds<'_>, b: Bounds<'_>) -> bool {
    matches!((a.1, b.0), (Some(end), Some(begin)) if compare_numbers(end, begin) == Some(Ordering::Less))
}

fn at_most(a: &Number, b: &Number) -> bool {
    compare_numbers(a, b).is_some_and(Ordering::is_le)
}

#[cfg(test)]
#[allow(
    clippy::unwrap_used,
    reason = "clippy does not see that these are tests"
)]
mod tests;
