//! Everything that is wrong with the arguments of a call. Only a call that was refused gets here.

use std::fmt;

use serde::Deserializer as _;
use serde::de::{MapAccess, Visitor};
use serde_json::Value;

use super::{Take, find};
use crate::message::{ArgumentProblem, Arguments, InvalidArguments, ProblemKind, View, push_key};
use crate::spec::schema::{self, PathPart};
use crate::suggest::nearest;
use crate::tool::argument::{Slots, TrackedError};
use crate::tool::constraint::Checks;
use crate::tool::definition::{Definition, Entry, is_secret};

#[cold]
pub(super) fn report<A: Slots>(
    arguments: &Arguments<'_>,
    definition: &'static Definition<A>,
    root: &Value,
) -> InvalidArguments {
    let entries = definition.arguments;
    let flat = definition.shape.flat;
    let valid = || {
        if flat {
            properties(root)
        } else {
            valid(root, entries)
        }
    };
    let pairs = match pairs(arguments) {
        Ok(pairs) => pairs,
        Err(invalid) => return invalid.with_valid(valid()),
    };
    let mut problems = if flat {
        whole(pairs, definition, root)
    } else {
        one_by_one(&pairs, definition, root)
    };
    if problems.is_empty() {
        let mut values = None;
        (definition.shape.prepare)(arguments.view(), definition, Take::Values(&mut values));
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
    if let Err(error) = (definition.shape.read_tracked)(&mut A::empty(), 0, &object) {
        explain(&mut problems, None, &object, &error, root);
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
        if let Err(error) = (definition.shape.read_tracked)(&mut slots, index, value) {
            let mut found = Vec::new();
            if is_secret(&entries[index]) {
                let path = [PathPart::Key(name)];
                let message = expected_secret(&path, value, root);
                found.push(at(name, ProblemKind::Type, message));
            } else {
                explain(&mut found, Some(name), value, &error, root);
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

fn at(name: &str, kind: ProblemKind, message: impl Into<String>) -> ArgumentProblem {
    let mut pointer = String::new();
    push_key(&mut pointer, name);
    ArgumentProblem::new(kind, pointer, message)
}

fn unknown<'n>(key: &str, parent: &str, names: impl Iterator<Item = &'n str>) -> ArgumentProblem {
    let mut pointer = parent.to_owned();
    push_key(&mut pointer, &shortened(key));
    let problem = ArgumentProblem::new(ProblemKind::Unknown, pointer, "there is no such argument");
    match nearest(key, names) {
        Some(name) => problem.with_suggestion(name),
        None => problem,
    }
}

/// What is wrong with a value that could not be read: of an argument, or without a name the whole
/// object. The schema says it in words; serde's own words name private types.
fn explain(
    problems: &mut Vec<ArgumentProblem>,
    name: Option<&str>,
    value: &Value,
    error: &TrackedError,
    root: &Value,
) {
    let mut path: Vec<PathPart<'_>> = name.map(PathPart::Key).into_iter().collect();
    let top = path.len();
    path.extend(parts(error.path()));
    // A path may lead through the name of a variant, which is no place in the value, or to where
    // the schema says nothing clear; what is around it is told then.
    let (place, found) = loop {
        let (place, found) = follow(name, value, &path[top..]);
        if let Some(found) = found
            && schema::at(root, &path).is_some()
        {
            break (place, found);
        }
        if path.len() == top {
            break (place, value);
        }
        path.pop();
    };
    let before = problems.len();
    if let (Some(node), Value::Object(fields)) = (schema::at(root, &path), found) {
        let known = || {
            node["properties"]
                .as_object()
                .into_iter()
                .flat_map(|p| p.keys())
        };
        if node["additionalProperties"] == Value::Bool(false) {
            for key in fields.keys().filter(|key| known().all(|k| k != *key)) {
                problems.push(unknown(key, &place, known().map(String::as_str)));
            }
        }
        let required = node["required"].as_array().into_iter().flatten();
        for key in required
            .filter_map(Value::as_str)
            .filter(|k| !fields.contains_key(*k))
        {
            let mut pointer = place.clone();
            push_key(&mut pointer, key);
            let inner: Vec<PathPart<'_>> =
                path.iter().copied().chain([PathPart::Key(key)]).collect();
            let message = format!(
                "is required and missing: expected {}",
                expected(&inner, root)
            );
            problems.push(ArgumentProblem::new(ProblemKind::Missing, pointer, message));
        }
    }
    if problems.len() == before {
        let message = expected_found(&path, found, root);
        let problem = ArgumentProblem::new(ProblemKind::Type, place, message);
        problems.push(with_near_choice(problem, &path, found, root));
    }
}

/// The JSON pointer of a place in a value that is named or the whole, and what is there.
fn follow<'v>(
    name: Option<&str>,
    value: &'v Value,
    path: &[PathPart<'_>],
) -> (String, Option<&'v Value>) {
    let mut pointer = String::new();
    if let Some(name) = name {
        push_key(&mut pointer, name);
    }
    let mut found = Some(value);
    for part in path {
        found = match part {
            PathPart::Key(key) => {
                push_key(&mut pointer, key);
                found.and_then(|value| value.get(key))
            }
            PathPart::Index(index) => {
                push_key(&mut pointer, &index.to_string());
                found.and_then(|value| value.get(index))
            }
        };
    }
    (pointer, found)
}

/// Adds the choice that is probably meant, where a text is none of those that there are.
fn with_near_choice(
    problem: ArgumentProblem,
    path: &[PathPart<'_>],
    found: &Value,
    root: &Value,
) -> ArgumentProblem {
    match near_choice(path, found, root) {
        Some(choice) => problem.with_suggestion(choice),
        None => problem,
    }
}

fn near_choice<'r>(path: &[PathPart<'_>], found: &Value, root: &'r Value) -> Option<&'r str> {
    let choices = schema::at(root, path)?["enum"].as_array()?;
    nearest(found.as_str()?, choices.iter().filter_map(Value::as_str))
}

fn parts(path: &serde_path_to_error::Path) -> Vec<PathPart<'_>> {
    use serde_path_to_error::Segment;
    path.iter()
        .filter_map(|segment| match segment {
            Segment::Seq { index } => Some(PathPart::Index(*index)),
            Segment::Map { key } => Some(PathPart::Key(key)),
            Segment::Enum { variant } => Some(PathPart::Key(variant)),
            Segment::Unknown => None,
        })
        .collect()
}

fn expected(path: &[PathPart<'_>], root: &Value) -> String {
    match schema::at(root, path) {
        Some(node) => schema::describe(node, root),
        None => "another value".to_owned(),
    }
}

fn expected_found(path: &[PathPart<'_>], value: &Value, root: &Value) -> String {
    format!("expected {}, found {}", expected(path, root), found(value))
}

/// The same without anything of the value.
fn expected_secret(path: &[PathPart<'_>], value: &Value, root: &Value) -> String {
    let found = match value {
        Value::Null => "null",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    };
    format!(
        "expected {}, found {found}, which is secret and not shown",
        expected(path, root)
    )
}

/// The longest value that is quoted back, in characters.
const QUOTED: usize = 40;

fn found(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) if text.chars().count() <= QUOTED => format!("the text {text:?}"),
        Value::String(text) => format!("a text of {} characters", text.chars().count()),
        Value::Array(items) if items.is_empty() => "an empty list".to_owned(),
        Value::Array(items) => format!("a list of {}", items.len()),
        Value::Object(_) => "an object".to_owned(),
    }
}

fn shortened(key: &str) -> String {
    match key.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &key[..end]),
        None => key.to_owned(),
    }
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
fn properties(root: &Value) -> Vec<String> {
    let properties = root["properties"].as_object().into_iter().flatten();
    let shown = |name: &String| match is_required(root, name) {
        true => format!("`{name}` (required)"),
        false => format!("`{name}`"),
    };
    properties.map(|(name, _)| shown(name)).collect()
}

/// The members of the arguments in the order they came, what is given twice included.
fn pairs(arguments: &Arguments<'_>) -> Result<Vec<(String, Value)>, InvalidArguments> {
    let not_an_object = |what: &Value| {
        let message = format!("expected an object of arguments, found {}", found(what));
        InvalidArguments::new(vec![ArgumentProblem::new(ProblemKind::Type, "", message)])
    };
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
