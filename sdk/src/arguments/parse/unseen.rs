//! What the strict pass cannot see. serde reads flattened, untagged and internally tagged types
//! from a copy of its own, in which names that nobody knows are passed over, a list may stand for
//! an object and `{"name": null}` for the name; and a map takes the last of several values of one
//! name. So arguments in which something of the kind was read are looked at once more, along the
//! schema.

use serde_json::Value;

use super::faults::faults;
use super::find;
use super::skeleton::of_each_type;
use super::words::{secret, top};
use crate::arguments::argument::Slots;
use crate::arguments::entry::is_secret;
use crate::arguments::reader::ArgumentReader;
use crate::arguments::strict::Flags;
use crate::arguments::{ArgumentProblem, ProblemKind, View, names_given_twice};
use crate::schema::{self, Hidden, PathPart};
use crate::util::pointer::push_key;

/// How many problems are told of one argument.
const TOLD: usize = 10;
/// How much is read to look into names, in about the bytes of the values: for each name a value is
/// read a few times more, and a call of many names must not cost many times as much.
const EFFORT: usize = 8 << 20;

/// What is wrong with arguments that were read.
#[cold]
pub(super) fn problems<A: Slots>(
    arguments: View<'_>,
    reader: &'static ArgumentReader<A>,
    root: &Value,
) -> Vec<ArgumentProblem> {
    let mut problems = Vec::new();
    let read;
    let tree = match arguments {
        View::Empty => return problems,
        View::Tree(tree) => tree,
        View::Text(text) => {
            let Ok(tree) = serde_json::from_str::<Value>(text) else {
                return problems;
            };
            // Which arguments are secret is seen below.
            let hidden = || Hidden::new(root, &[]);
            problems = names_given_twice(text, hidden).unwrap_or_default();
            read = tree;
            &read
        }
    };
    let mut effort = EFFORT;
    if reader.flat {
        problems.extend(passed_over(None, 0, tree, reader, root, &mut effort));
        return problems;
    }
    for (key, value) in tree.as_object().into_iter().flatten() {
        let Some(index) = find(reader.arguments, key) else {
            continue;
        };
        let entry = &reader.arguments[index];
        let name = entry.0;
        let found = passed_over(Some(name), index, value, reader, root, &mut effort);
        if !is_secret(entry) {
            problems.extend(found);
            continue;
        }
        // The names in a secret are a part of it.
        let mut inside = String::new();
        push_key(&mut inside, key);
        inside.push('/');
        let before = problems.len();
        problems.retain(|problem| !problem.pointer().starts_with(&inside));
        if !found.is_empty() || problems.len() < before {
            let path = [PathPart::Key(name)];
            problems.push(secret(ProblemKind::Type, top(name), &path, value, root));
        }
    }
    problems
}

/// What was passed over in the value of one argument, or without a name in the whole object.
fn passed_over<A: Slots>(
    name: Option<&str>,
    index: usize,
    value: &Value,
    reader: &'static ArgumentReader<A>,
    root: &Value,
    effort: &mut usize,
) -> Vec<ArgumentProblem> {
    let flags = Flags::default();
    let reads =
        |value: &Value| (reader.read_tracked)(&mut A::empty(), index, value, &flags).is_ok();
    if !reads(value) || !flags.unseen() {
        return Vec::new();
    }
    let (mut top, mut path) = (String::new(), Vec::new());
    if let Some(name) = name {
        push_key(&mut top, name);
        path.push(PathPart::Key(name));
    }
    let Some(node) = schema::at(root, &path) else {
        return Vec::new();
    };
    let faults = faults(value, node, root, true);
    let suspects = faults
        .iter()
        .filter(|fault| fault.unknown_key().is_some() || fault.has_parts());
    let mut trial = Trial {
        value,
        cost: cost(value),
        effort,
        known: Vec::new(),
        reads,
    };
    suspects
        .filter(|fault| match fault.unknown_key() {
            Some((key, object)) => trial.is_passed_over(key, object, &fault.pointer),
            None => true,
        })
        .take(TOLD)
        .map(|fault| fault.problem(&top, root))
        .collect()
}

/// About the bytes of a value, which say what it costs to read it.
pub(super) fn cost(value: &Value) -> usize {
    let inside: usize = match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(cost).sum(),
        Value::Object(members) => members.iter().map(|(key, v)| key.len() + cost(v)).sum(),
        _ => 0,
    };
    inside + 8
}

/// Tries what becomes of a value when something else stands in it.
struct Trial<'t, R> {
    value: &'t Value,
    cost: usize,
    effort: &'t mut usize,
    /// Names of objects by what describes them, and whether they are passed over.
    known: Vec<(&'t str, &'t Value, bool)>,
    reads: R,
}

impl<'t, R: Fn(&Value) -> bool> Trial<'t, R> {
    /// Whether the value of a name that the schema does not show is passed over. That of an alias
    /// is not. Where it would take too long to find out, the name is as it was in another object
    /// of the kind, or else refused.
    fn is_passed_over(&mut self, key: &'t str, object: &'t Value, place: &str) -> bool {
        let mut place = place.to_owned();
        push_key(&mut place, key);
        let known = self
            .known
            .iter()
            .position(|(name, of, _)| std::ptr::eq(*of, object) && *name == key);
        match (self.makes_no_difference(&place), known) {
            (Some(answer), None) => {
                self.known.push((key, object, answer));
                answer
            }
            (Some(answer), Some(_)) => answer,
            (None, Some(known)) => self.known[known].2,
            (None, None) => true,
        }
    }

    /// Whether whatever stands at `place` is passed over; `None` where that is too much to find
    /// out.
    fn makes_no_difference(&mut self, place: &str) -> Option<bool> {
        *self.effort = self.effort.checked_sub(self.cost)?;
        let mut changed = self.value.clone();
        for other in of_each_type() {
            *self.effort = self.effort.checked_sub(self.cost)?;
            let Some(there) = changed.pointer_mut(place) else {
                return Some(false);
            };
            *there = other;
            if !(self.reads)(&changed) {
                return Some(false);
            }
        }
        Some(true)
    }
}
