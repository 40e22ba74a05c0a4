//! What the strict pass cannot see. serde reads flattened, untagged and internally tagged types
//! from a copy of its own, in which names that nobody knows are passed over and a list may stand
//! for an object; and a map takes the last of several values of one name. So arguments in which
//! something of the kind was read are looked at once more, along the schema.

use serde_json::{Map, Value};

use super::faults::faults;
use super::find;
use super::strict::Flags;
use super::words::{at, expected_secret};
use crate::message::{ArgumentProblem, ProblemKind, View, push_key};
use crate::spec::schema::{self, PathPart};
use crate::tool::argument::Slots;
use crate::tool::by_hand::names_given_twice;
use crate::tool::definition::{Definition, is_secret};

/// How many names are looked into: for each the arguments are read a few times more.
const MOST: usize = 10;

/// What is wrong with arguments that were read.
#[cold]
pub(super) fn problems<A: Slots>(
    arguments: View<'_>,
    definition: &'static Definition<A>,
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
            problems = names_given_twice(text);
            read = tree;
            &read
        }
    };
    if definition.shape.flat {
        problems.extend(passed_over(None, 0, tree, definition, root));
        return problems;
    }
    for (key, value) in tree.as_object().into_iter().flatten() {
        let Some(index) = find(definition.arguments, key) else {
            continue;
        };
        let entry = &definition.arguments[index];
        let name = entry.0;
        let found = passed_over(Some(name), index, value, definition, root);
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
            let message = expected_secret(&[PathPart::Key(name)], value, root);
            problems.push(at(name, ProblemKind::Type, message));
        }
    }
    problems
}

/// What was passed over in the value of one argument, or without a name in the whole object.
fn passed_over<A: Slots>(
    name: Option<&str>,
    index: usize,
    value: &Value,
    definition: &'static Definition<A>,
    root: &Value,
) -> Vec<ArgumentProblem> {
    let flags = Flags::default();
    let reads = |value: &Value| {
        (definition.shape.read_tracked)(&mut A::empty(), index, value, &flags).is_ok()
    };
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
        .filter(|fault| fault.unknown_key().is_some() || fault.is_list());
    suspects
        .take(MOST)
        .filter(|fault| match fault.unknown_key() {
            Some(key) => {
                let mut place = fault.pointer.clone();
                push_key(&mut place, key);
                makes_no_difference(value, &place, reads)
            }
            None => true,
        })
        .map(|fault| fault.problem(&top, root))
        .collect()
}

/// Whether whatever stands at `place` is passed over. The value of an alias, which the schema does
/// not show, is not.
fn makes_no_difference(value: &Value, place: &str, reads: impl Fn(&Value) -> bool) -> bool {
    let mut changed = value.clone();
    let others = [
        Value::Null,
        Value::Bool(false),
        Value::from(0),
        Value::from(""),
        Value::Array(Vec::new()),
        Value::Object(Map::new()),
    ];
    others.into_iter().all(|other| {
        let Some(there) = changed.pointer_mut(place) else {
            return false;
        };
        *there = other;
        reads(&changed)
    })
}
