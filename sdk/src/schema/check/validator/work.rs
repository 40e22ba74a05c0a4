//! The work that it takes to hold one value to a schema, counted before it begins.
//!
//! Alternatives in alternatives multiply with the parts of a value, and a pattern with the length of
//! a text. A thread of its own would only hide that, so what takes too much is refused.

use std::collections::BTreeMap;
use std::slice;

use serde_json::{Map, Value, map};

use super::places::Places;
use super::prepare::is_slow;
use crate::schema::check::pattern::{WORK, of_backtracking, of_matching, states};
use crate::schema::walk::subschemas_at;
use crate::util::pointer::push_key;

/// The most states that the patterns of a schema may have together: each takes memory.
const STATES: usize = 200_000;
crate::util::documented::documented_default!("states of the patterns of a schema", STATES);
crate::util::documented::documented_default!("steps of a check of a value", WORK);

/// A schema as far as its work goes.
#[derive(Default)]
struct WorkNode {
    /// The steps that it takes itself.
    steps: usize,
    /// The schemas for the value itself.
    in_place: Vec<usize>,
    properties: BTreeMap<String, usize>,
    /// The schemas for each member of an object.
    members: Vec<usize>,
    first: Vec<usize>,
    /// The schemas for each item of a list.
    items: Vec<usize>,
    pattern: Option<WorkPattern>,
    /// The patterns of names.
    names: Vec<WorkPattern>,
}

#[derive(Clone, Copy)]
struct WorkPattern {
    states: usize,
    is_slow: bool,
}

impl WorkPattern {
    fn of(source: &str) -> Self {
        Self {
            states: states(source),
            is_slow: is_slow(source),
        }
    }

    fn work(self, bytes: usize) -> usize {
        if self.is_slow {
            of_backtracking(self.states, bytes)
        } else {
            of_matching(self.states, bytes)
        }
    }
}

/// The data that the work for a value is counted with.
pub(super) struct Work {
    nodes: Vec<WorkNode>,
    /// The most schemas that judge one value.
    ways: usize,
    /// The number of states of all patterns.
    states: usize,
    is_slow: bool,
}

impl Work {
    /// Makes the data of a schema. `None` if its patterns have too many states.
    pub(super) fn of(places: &Places<'_>, ways: usize) -> Option<Self> {
        let nodes: Vec<WorkNode> = (0..places.all.len()).map(|n| node(places, n)).collect();
        let patterns = nodes
            .iter()
            .flat_map(|node| node.pattern.iter().chain(&node.names));
        let states = patterns
            .clone()
            .fold(0, |all: usize, p| all.saturating_add(p.states));
        let is_slow = patterns.clone().any(|pattern| pattern.is_slow);
        (states <= STATES).then_some(Self {
            nodes,
            ways,
            states,
            is_slow,
        })
    }

    /// The place of the value that takes more work than there may be, as a JSON pointer: of a text
    /// with its pattern, or else of the argument that it runs out in.
    pub(super) fn excess(&self, value: &Value) -> Option<String> {
        if self.is_little(value) {
            return None;
        }
        self.count(value, WORK).err().map(|excess| match excess {
            WorkExcess::Text(text) => place_of(text, value),
            WorkExcess::In(part) => {
                let place = place_of(part, value);
                let argument = place.split('/').nth(1);
                argument.map_or_else(String::new, |argument| format!("/{argument}"))
            }
        })
    }

    /// Returns true if the size of a value shows that its check stays within the limit. Most do.
    fn is_little(&self, value: &Value) -> bool {
        let (mut parts, mut bytes) = (0_usize, 0_usize);
        let mut left = vec![value];
        while let Some(value) = left.pop() {
            parts += 1;
            match value {
                Value::String(text) => bytes += text.len(),
                Value::Array(items) => left.extend(items),
                Value::Object(members) => {
                    bytes += members.keys().map(String::len).sum::<usize>();
                    left.extend(members.values());
                }
                _ => {}
            }
        }
        let heaviest = self.nodes.iter().map(|node| node.steps).max().unwrap_or(1);
        let of_parts = parts.saturating_mul(heaviest);
        let of_texts = match self.states {
            0 => 0,
            _ if self.is_slow => return false,
            states => of_matching(states, bytes).saturating_add(parts.saturating_mul(states)),
        };
        of_parts.saturating_add(of_texts).saturating_mul(self.ways) <= WORK
    }

    /// The steps that a value takes, if they are no more than these.
    fn count<'v>(&self, value: &'v Value, most: usize) -> Result<usize, WorkExcess<'v>> {
        let mut left = most;
        let mut open = vec![(Values::One(Some(value)), 0)];
        while let Some((values, number)) = open.last_mut() {
            let number = *number;
            let Some(value) = values.next() else {
                open.pop();
                continue;
            };
            let Some(node) = self.nodes.get(number) else {
                continue;
            };
            left = left.checked_sub(node.steps).ok_or(WorkExcess::In(value))?;
            open.extend(
                node.in_place
                    .iter()
                    .map(|inner| (Values::One(Some(value)), *inner)),
            );
            match value {
                Value::String(text) => {
                    let work = node.pattern.map_or(0, |pattern| pattern.work(text.len()));
                    left = left.checked_sub(work).ok_or(WorkExcess::Text(value))?;
                }
                Value::Array(items) => {
                    let rest = items.get(node.first.len()..).unwrap_or_default();
                    let first = node.first.iter().zip(items);
                    open.extend(first.map(|(inner, item)| (Values::One(Some(item)), *inner)));
                    open.extend(
                        node.items
                            .iter()
                            .map(|inner| (Values::Items(rest.iter()), *inner)),
                    );
                }
                Value::Object(members) => {
                    for pattern in &node.names {
                        for name in members.keys() {
                            let work = pattern.work(name.len()).max(1);
                            left = left.checked_sub(work).ok_or(WorkExcess::In(value))?;
                        }
                    }
                    let named = node.properties.iter();
                    let named =
                        named.filter_map(|(name, inner)| Some((members.get(name)?, *inner)));
                    open.extend(named.map(|(value, inner)| (Values::One(Some(value)), inner)));
                    let each = node.members.iter();
                    open.extend(each.map(|inner| (Values::Members(members.values()), *inner)));
                }
                _ => {}
            }
        }
        Ok(most - left)
    }
}

#[cfg(test)]
impl super::Validator {
    /// The steps that a value takes.
    pub(super) fn work_of(&self, value: &Value) -> usize {
        self.work.count(value, usize::MAX).unwrap_or(usize::MAX)
    }
}

/// The part of a value that took the last steps.
enum WorkExcess<'v> {
    /// A text and its pattern.
    Text(&'v Value),
    /// All that was looked at, up to this.
    In(&'v Value),
}

/// Values that one schema is for.
enum Values<'v> {
    One(Option<&'v Value>),
    Items(slice::Iter<'v, Value>),
    Members(map::Values<'v>),
}

impl<'v> Iterator for Values<'v> {
    type Item = &'v Value;

    fn next(&mut self) -> Option<&'v Value> {
        match self {
            Self::One(value) => value.take(),
            Self::Items(items) => items.next(),
            Self::Members(members) => members.next(),
        }
    }
}

fn node(places: &Places<'_>, number: usize) -> WorkNode {
    let mut node = WorkNode {
        steps: 1,
        ..WorkNode::default()
    };
    let Value::Object(keywords) = places.all[number].1 else {
        return node;
    };
    places.inside(number, &mut |path, inner| match path {
        [keyword, ..] if super::cost::is_in_place(keyword) => node.in_place.push(inner),
        ["properties", name] => {
            node.properties.insert((*name).to_owned(), inner);
        }
        ["patternProperties", pattern] => {
            node.names.push(WorkPattern::of(pattern));
            node.members.push(inner);
        }
        ["additionalProperties" | "unevaluatedProperties"] => node.members.push(inner),
        ["prefixItems" | "items", _] => node.first.push(inner),
        ["items" | "additionalItems" | "unevaluatedItems" | "contains"] => node.items.push(inner),
        _ => {}
    });
    node.in_place.extend(places.target(keywords));
    let text = |keyword: &str| keywords.get(keyword)?.as_str();
    node.pattern = text("pattern").map(WorkPattern::of);
    let of_names = keywords.get("propertyNames").and_then(Value::as_object);
    let mut left: Vec<&Map<String, Value>> = of_names.into_iter().collect();
    while let Some(schema) = left.pop() {
        let pattern = schema.get("pattern").and_then(Value::as_str);
        node.names.push(WorkPattern::of(pattern.unwrap_or("")));
        subschemas_at(schema, &mut |_, inner| left.extend(inner.as_object()));
    }
    let length = |keyword: &str| {
        keywords
            .get(keyword)
            .and_then(Value::as_array)
            .map_or(0, Vec::len)
    };
    // Each of these is looked at, or looked up, for each value.
    node.steps += node.properties.len() + length("required") + length("enum");
    node
}

/// The place of a part of a value.
fn place_of(part: &Value, value: &Value) -> String {
    let mut open = vec![(String::new(), value)];
    while let Some((place, value)) = open.pop() {
        if std::ptr::eq(value, part) {
            return place;
        }
        let below = |key: &str| {
            let mut below = place.clone();
            push_key(&mut below, key);
            below
        };
        match value {
            Value::Array(items) => {
                let items = items.iter().enumerate();
                open.extend(items.map(|(index, item)| (below(&index.to_string()), item)));
            }
            Value::Object(members) => {
                open.extend(members.iter().map(|(key, value)| (below(key), value)));
            }
            _ => {}
        }
    }
    String::new()
}
