//! The most that it can take to judge a value, as can be told from the schema alone.
//!
//! Each schema inside of another, for one value, takes stack; and where several alternatives look
//! at the same part of a value, each again with alternatives, their ways multiply.

use std::collections::BTreeMap;

use serde_json::Value;

use super::places::Places;
use crate::schema::refs::resolved;
use crate::schema::walk::subschemas_at;

/// The most schemas that a list of errors may look at.
const EFFORT: usize = 20_000;
/// The most references that lead back to where they are: each order of them is another way.
const RETURNS: usize = 8;
/// The most schemas that there may be.
const SCHEMAS: usize = 50_000;
/// The most that is noted of them, in parts of values that they look at.
const NOTED: usize = 1_000_000;

/// The most that it takes to judge one value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cost {
    /// The schemas that judge it, one inside of the other.
    pub(super) levels: usize,
    /// The schemas that judge it, each as often as there are ways to it.
    pub(super) ways: usize,
}

/// A schema for a part of the value, by the name of the part if it has one, and its number.
type PartCost<'s> = (Option<&'s str>, usize);

/// The facts that are known of one schema.
#[derive(Default)]
struct Known<'s> {
    levels: usize,
    /// The number of schemas that judge the value itself.
    here: usize,
    /// The number of looks at each part of the value.
    parts: BTreeMap<PartCost<'s>, usize>,
    ways: usize,
}

/// The cost of a schema; none where that is too much to find out.
pub(super) fn cost(places: &Places<'_>) -> Option<Cost> {
    if places.all.len() > SCHEMAS {
        return None;
    }
    // A schema comes after those that it leads to; to one that comes later, it leads back.
    let mut known: BTreeMap<usize, Known<'_>> = BTreeMap::new();
    let (mut returns, mut noted) = (0, 0);
    for number in order(places) {
        let found = look(places, number, &known, &mut returns);
        noted += found.parts.len();
        if noted > NOTED {
            return None;
        }
        known.insert(number, found);
    }
    let most = |of: fn(&Known<'_>) -> usize| known.values().map(of).max().unwrap_or(1);
    // References that lead back are followed once each.
    (returns <= RETURNS).then(|| Cost {
        levels: most(|known| known.levels).saturating_mul(returns + 1),
        ways: most(|known| known.ways),
    })
}

fn look<'s>(
    places: &Places<'s>,
    number: usize,
    known: &BTreeMap<usize, Known<'s>>,
    returns: &mut usize,
) -> Known<'s> {
    let schema = places.all[number].1;
    let properties = schema.get("properties").and_then(Value::as_object);
    let mut found = Known {
        levels: 1,
        here: 1,
        ..Known::default()
    };
    let mut in_place: Vec<usize> = Vec::new();
    places.inside(number, &mut |path, inner| match path {
        [keyword, ..] if is_in_place(keyword) => in_place.push(inner),
        ["properties", name] => {
            let name = properties.and_then(|properties| properties.get_key_value(*name));
            let name = name.map(|(name, _)| name.as_str());
            found.parts.insert((name, inner), 1);
        }
        [
            "$defs" | "definitions" | "contentSchema" | "propertyNames",
            ..,
        ] => {}
        _ => {
            found.parts.insert((None, inner), 1);
        }
    });
    if let Value::Object(node) = schema {
        in_place.extend(places.target(node));
    }
    for inner in in_place {
        let Some(inner) = known.get(&inner) else {
            *returns += 1;
            continue;
        };
        found.levels = found.levels.max(inner.levels.saturating_add(1));
        found.here = found.here.saturating_add(inner.here);
        for (part, times) in &inner.parts {
            let all = found.parts.entry(*part).or_default();
            *all = all.saturating_add(*times);
        }
    }
    let mut by_name: BTreeMap<Option<&str>, usize> = BTreeMap::new();
    for ((name, inner), times) in &found.parts {
        // References that lead back are remembered for each value.
        let each = known.get(inner).map_or(1, |inner| inner.ways);
        let all = by_name.entry(*name).or_default();
        *all = all.saturating_add(times.saturating_mul(each));
    }
    let any = by_name.remove(&None).unwrap_or_default();
    let most = by_name.into_values().max().unwrap_or_default();
    found.ways = found.here.max(any.saturating_add(most));
    found
}

/// The numbers of all places, each after those that it leads to, as far as these do not lead back.
fn order(places: &Places<'_>) -> Vec<usize> {
    let next = |number: usize| {
        let mut next = Vec::new();
        places.inside(number, &mut |_, inner| next.push(inner));
        if let Value::Object(node) = places.all[number].1 {
            next.extend(places.target(node));
        }
        next
    };
    let mut order = Vec::with_capacity(places.all.len());
    let mut seen = vec![false; places.all.len()];
    for start in 0..places.all.len() {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        let mut open = vec![(start, next(start))];
        while let Some((number, left)) = open.last_mut() {
            if let Some(inner) = left.pop() {
                if !std::mem::replace(&mut seen[inner], true) {
                    open.push((inner, next(inner)));
                }
            } else {
                order.push(*number);
                open.pop();
            }
        }
    }
    order
}

/// The keywords whose schemas judge the value itself.
pub(super) fn is_in_place(keyword: &str) -> bool {
    matches!(
        keyword,
        "allOf"
            | "anyOf"
            | "oneOf"
            | "not"
            | "if"
            | "then"
            | "else"
            | "dependentSchemas"
            | "dependencies"
    )
}

/// Returns true if the errors of a value can be listed at a bounded cost.
pub(super) fn can_list<'v>(value: &'v Value, root: &'v Value) -> bool {
    let mut effort = EFFORT;
    let mut left = vec![(value, root, 0)];
    while let Some((value, schema, depth)) = left.pop() {
        let Some(rest) = effort.checked_sub(1) else {
            return false;
        };
        effort = rest;
        let Value::Object(node) = schema else {
            continue;
        };
        // A way that comes back to where it was never ends.
        if depth > EFFORT / 10
            || node.contains_key("$dynamicRef")
            || node.contains_key("$recursiveRef")
        {
            return false;
        }
        let depth = depth + 1;
        if node.contains_key("$ref") {
            match resolved(root, schema) {
                Some(target) => left.push((value, target, depth)),
                None => return false,
            }
        }
        subschemas_at(node, &mut |path, inner| {
            let mut add = |values: &mut dyn ExactSizeIterator<Item = &'v Value>| {
                effort = effort.saturating_sub(values.len());
                if effort > 0 {
                    left.extend(values.map(|value| (value, inner, depth)));
                }
            };
            match (path, value) {
                ([keyword, ..], _) if is_in_place(keyword) => add(&mut std::iter::once(value)),
                (["properties", name], Value::Object(members)) => {
                    add(&mut members.get(*name).into_iter());
                }
                (
                    ["patternProperties", _] | ["additionalProperties" | "unevaluatedProperties"],
                    Value::Object(members),
                ) => add(&mut members.values()),
                (["prefixItems" | "items", index], Value::Array(items)) => {
                    let item = index.parse().ok().and_then(|index: usize| items.get(index));
                    add(&mut item.into_iter());
                }
                (
                    ["items" | "additionalItems" | "unevaluatedItems" | "contains"],
                    Value::Array(items),
                ) => add(&mut items.iter()),
                (["propertyNames"], Value::Object(members)) => {
                    effort = effort.saturating_sub(members.len());
                }
                _ => {}
            }
        });
    }
    true
}
