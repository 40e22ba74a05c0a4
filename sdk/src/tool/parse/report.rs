//! Everything that is wrong with the arguments of a call. Only a call that was refused gets here.

use std::fmt;

use serde::Deserializer as _;
use serde::de::{MapAccess, Visitor};
use serde_json::Value;

use super::explain::{explain, with_near_choice};
use super::faults::names;
use super::strict::Flags;
use super::words::{at, expected, expected_found, expected_secret, not_an_object, unknown};
use super::{Take, find, judged, unseen};
use crate::message::{ArgumentProblem, Arguments, InvalidArguments, ProblemKind, View};
use crate::spec::ToolSpec;
use crate::spec::schema::PathPart;
use crate::tool::argument::Slots;
use crate::tool::constraint::Checks;
use crate::tool::definition::{Definition, Entry, is_secret};

#[cold]
pub(super) fn report<A: Slots>(
    arguments: &Arguments<'_>,
    definition: &'static Definition<A>,
    spec: &ToolSpec,
) -> InvalidArguments {
    let root = spec.input_schema();
    let entries = definition.arguments;
    let flat = definition.shape.flat;
    let valid = || {
        if flat {
            valid_of_whole(root)
        } else {
            valid(root, entries)
        }
    };
    let pairs = match pairs(arguments) {
        Ok(pairs) => pairs,
        Err(invalid) => return invalid.with_valid(valid()),
    };
    let unseen = unseen::problems(arguments.view(), definition, root);
    let mut problems = if flat {
        whole(pairs, definition, root)
    } else {
        one_by_one(&pairs, definition, root)
    };
    let judged = judged::problems(arguments.view(), definition, spec, &problems);
    for problem in unseen.into_iter().chain(judged) {
        if problems
            .iter()
            .all(|told| told.pointer() != problem.pointer())
        {
            problems.push(problem);
        }
    }
    if problems.is_empty() {
        let mut values = None;
        let take = Take::Values(&mut values);
        (definition.shape.prepare)(arguments.view(), definition, &|| spec, take);
        if let Some(Err(invalid)) = values {
            return invalid;
        }
        // The two passes disagree; refuse all the same.
        let message = "the arguments do not fit the tool's schema";
        problems.push(ArgumentProblem::new(ProblemKind::Type, "", message));
    }
    InvalidArguments::new(problems).with_valid(valid())
}

/// Where one argument is the whole object.
fn whole<A: Slots>(
    pairs: Vec<(String, Value)>,
    definition: &'static Definition<A>,
    root: &Value,
) -> Vec<ArgumentProblem> {
    let mut problems = Vec::new();
    let mut object = serde_json::Map::new();
    for (key, value) in pairs {
        if object.contains_key(&key) {
            let repeated = at(&key, ProblemKind::Repeated, "is given more than once");
            problems.push(repeated);
        } else {
            object.insert(key, value);
        }
    }
    let object = Value::Object(object);
    let flags = Flags::default();
    if let Err(error) = (definition.shape.read_tracked)(&mut A::empty(), 0, &object, &flags) {
        explain(&mut problems, None, &object, &error, &flags, root);
    }
    problems
}

fn one_by_one<A: Slots>(
    pairs: &[(String, Value)],
    definition: &'static Definition<A>,
    root: &Value,
) -> Vec<ArgumentProblem> {
    let entries = definition.arguments;
    let mut slots = A::empty();
    let mut given: Vec<Option<&Value>> = vec![None; entries.len()];
    // Problems with the place of what they are about among the arguments.
    let mut placed: Vec<(usize, ArgumentProblem)> = Vec::new();
    let mut given_at = vec![0; entries.len()];
    for (place, (key, value)) in pairs.iter().enumerate() {
        let Some(index) = find(entries, key) else {
            let names = entries.iter().map(|entry| entry.0);
            placed.push((place, unknown(key, "", names)));
            continue;
        };
        let name = entries[index].0;
        if given[index].is_some() {
            let repeated = at(name, ProblemKind::Repeated, "is given more than once");
            placed.push((place, repeated));
            continue;
        }
        given[index] = Some(value);
        given_at[index] = place;
        let flags = Flags::default();
        if let Err(error) = (definition.shape.read_tracked)(&mut slots, index, value, &flags) {
            let mut found = Vec::new();
            if is_secret(&entries[index]) {
                let path = [PathPart::Key(name)];
                let message = expected_secret(&path, value, root);
                found.push(at(name, ProblemKind::Type, message));
            } else {
                explain(&mut found, Some(name), value, &error, &flags, root);
            }
            placed.extend(found.into_iter().map(|problem| (place, problem)));
        }
    }
    if let Some(check) = definition.check {
        let mut checks = Checks::checking();
        check(&mut checks, &slots);
        for index in checks.failed().iter() {
            let (Some(entry), Some(Some(value))) = (entries.get(index), given.get(index)) else {
                continue;
            };
            let path = [PathPart::Key(entry.0)];
            let problem = if is_secret(entry) {
                let message = expected_secret(&path, value, root);
                at(entry.0, ProblemKind::Constraint, message)
            } else {
                let message = expected_found(&path, value, root);
                let problem = at(entry.0, ProblemKind::Constraint, message);
                with_near_choice(problem, &path, value, root)
            };
            placed.push((given_at[index], problem));
        }
    }
    placed.sort_by_key(|(place, _)| *place);
    let mut problems: Vec<ArgumentProblem> =
        placed.into_iter().map(|(_, problem)| problem).collect();
    for (entry, value) in entries.iter().zip(&given) {
        if value.is_none() && is_required(root, entry.0) {
            let expected = expected(&[PathPart::Key(entry.0)], root);
            let message = format!("is required and missing: expected {expected}");
            problems.push(at(entry.0, ProblemKind::Missing, message));
        }
    }
    problems
}

fn is_required(root: &Value, name: &str) -> bool {
    let required = root["required"].as_array().into_iter().flatten();
    required.filter_map(Value::as_str).any(|key| key == name)
}

/// The arguments that there are, as the model should read them.
fn valid(root: &Value, entries: &[Entry]) -> Vec<String> {
    let shown = |entry: &Entry| {
        let required = if is_required(root, entry.0) {
            " (required)"
        } else {
            ""
        };
        format!("`{}`{required}", entry.0)
    };
    entries.iter().map(shown).collect()
}

/// The same where one argument is the whole object.
pub(super) fn valid_of_whole(root: &Value) -> Vec<String> {
    let branches = root["anyOf"].as_array().into_iter().flatten();
    let objects: Vec<&Value> = std::iter::once(root).chain(branches).collect();
    let mut all: Vec<&str> = Vec::new();
    for name in objects.iter().flat_map(|object| names(object)) {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    let of_all = |name: &str| {
        let mut objects = objects
            .iter()
            .filter(|object| names(object).next().is_some());
        objects.all(|object| is_required(object, name))
    };
    let shown = |name: &str| {
        let required = if of_all(name) { " (required)" } else { "" };
        format!("`{name}`{required}")
    };
    all.into_iter().map(shown).collect()
}

/// The members of the arguments in the order they came, what is given twice included.
fn pairs(arguments: &Arguments<'_>) -> Result<Vec<(String, Value)>, InvalidArguments> {
    match arguments.view() {
        View::Empty => Ok(Vec::new()),
        View::Tree(Value::Object(members)) => Ok(members
            .iter()
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect()),
        View::Tree(other) => Err(not_an_object(other)),
        View::Text(text) => {
            let mut deserializer = serde_json::Deserializer::from_str(text);
            let pairs = deserializer
                .deserialize_map(PairsVisitor)
                .and_then(|pairs| deserializer.end().map(|()| pairs));
            match pairs {
                Ok(pairs) => Ok(pairs),
                Err(error) => Err(match serde_json::from_str::<Value>(text) {
                    Ok(other) => not_an_object(&other),
                    Err(_) => InvalidArguments::syntax(text, &error),
                }),
            }
        }
    }
}

struct PairsVisitor;

impl<'de> Visitor<'de> for PairsVisitor {
    type Value = Vec<(String, Value)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
        let mut pairs = Vec::new();
        while let Some(pair) = map.next_entry()? {
            pairs.push(pair);
        }
        Ok(pairs)
    }
}
