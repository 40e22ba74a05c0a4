//! Everything that is wrong with the arguments of a call. Only a call that was refused gets here.

use std::fmt;

use serde::Deserializer as _;
use serde::de::{MapAccess, Visitor};
use serde_json::Value;

use super::complaint::TOO_MUCH;
use super::explain::explain;
use super::hints::hinted;
use super::proof::{EFFORT, Told};
use super::words::{expected, missing, names, not_an_object, other, secret, top, unknown_argument};
use super::{find, judged, unseen};
use crate::arguments::argument::Slots;
use crate::arguments::constraint::Checks;
use crate::arguments::entry::{Entry, is_secret};
use crate::arguments::reader::ArgumentReader;
use crate::arguments::strict::Flags;
use crate::arguments::{
    ArgumentProblem, Arguments, InvalidArguments, ProblemKind, TOLD, View, rounded,
};
use crate::schema::PathPart;
use crate::spec::ToolSpec;

/// `refusal` gives the error of the author's own validation, if that is what refuses the arguments.
#[cold]
pub(crate) fn report<A: Slots>(
    arguments: &Arguments<'_>,
    reader: &'static ArgumentReader<A>,
    spec: &ToolSpec,
    refusal: &dyn Fn() -> Option<InvalidArguments>,
) -> InvalidArguments {
    let root = spec.input_schema();
    let entries = reader.arguments;
    let flat = reader.flat;
    if let Some(invalid) = InvalidArguments::too_deep(arguments.view()) {
        return invalid;
    }
    let valid = || {
        if flat {
            valid_of_whole(root)
        } else {
            valid(root, entries)
        }
    };
    let pairs = match pairs(arguments, spec) {
        Ok(pairs) => pairs,
        Err(invalid) => return invalid.with_valid(valid()),
    };
    let unseen = unseen::problems(arguments.view(), reader, root);
    let Told {
        mut problems,
        omitted,
        ..
    } = if flat {
        whole(pairs, reader, root)
    } else {
        one_by_one(&pairs, reader, root)
    };
    let judged = judged::problems(arguments.view(), reader, spec, &problems);
    let rounded = rounded(arguments.view(), Some(spec));
    for problem in unseen.into_iter().chain(judged).chain(rounded) {
        if problems
            .iter()
            .all(|told| told.pointer() != problem.pointer())
        {
            problems.push(problem);
        }
    }
    if flat {
        problems = judged::without_secrets(problems, arguments.view(), reader, spec);
    }
    if problems.is_empty() {
        if let Some(invalid) = refusal() {
            return invalid;
        }
        // The two passes disagree; refuse all the same.
        let message = "the arguments do not fit the tool's schema";
        problems.push(ArgumentProblem::new(ProblemKind::Type, "", message));
    }
    InvalidArguments::new(names_once(problems))
        .with_omitted(omitted)
        .with_valid(valid())
}

/// Says once for each object which names it has.
pub(super) fn names_once(problems: Vec<ArgumentProblem>) -> Vec<ArgumentProblem> {
    let mut said: Vec<String> = Vec::new();
    let once = |problem: ArgumentProblem| {
        if problem.kind() != ProblemKind::Unknown || problem.expected().is_none() {
            return problem;
        }
        let object = problem.pointer().rsplit_once('/');
        let object = object.map_or("", |(object, _)| object).to_owned();
        if said.contains(&object) {
            return problem.without_expected();
        }
        said.push(object);
        problem
    };
    problems.into_iter().map(once).collect()
}

/// Where one argument is the whole object.
fn whole<A: Slots>(
    pairs: Vec<(String, Value)>,
    reader: &'static ArgumentReader<A>,
    root: &Value,
) -> Told {
    let mut told = Told::default();
    let mut object = serde_json::Map::new();
    for (key, value) in pairs {
        if !object.contains_key(&key) {
            object.insert(key, value);
        } else if told.problems.len() < TOLD {
            told.problems.push(ArgumentProblem::given_twice(top(&key)));
        } else {
            told.omitted += 1;
        }
    }
    let object = Value::Object(object);
    let reads =
        |value: &Value, flags: &Flags| (reader.read_tracked)(&mut A::empty(), 0, value, flags);
    let flags = Flags::default();
    if let Err(error) = reads(&object, &flags) {
        let why = (&error, &flags);
        let found = explain(None, &object, root, why, &reads, &mut { EFFORT });
        told.problems.extend(found.problems);
        told.omitted += found.omitted;
        told.problems = hinted(told.problems, root, &|name| object.get(name));
    }
    told
}

fn one_by_one<A: Slots>(
    pairs: &[(String, Value)],
    reader: &'static ArgumentReader<A>,
    root: &Value,
) -> Told {
    let entries = reader.arguments;
    let mut slots = A::empty();
    let mut given: Vec<Option<&Value>> = vec![None; entries.len()];
    let mut given_at = vec![0; entries.len()];
    let mut taken = vec![false; entries.len()];
    for index in pairs.iter().filter_map(|(key, _)| find(entries, key)) {
        taken[index] = true;
    }
    let mut placed = Placed::default();
    let mut effort = EFFORT;
    for (place, (key, value)) in pairs.iter().enumerate() {
        let Some(index) = find(entries, key) else {
            let left = entries.iter().zip(&taken).filter(|(_, taken)| !**taken);
            let names = left.map(|(entry, _)| entry.0);
            placed.push(place, || unknown_argument(key, names, root));
            continue;
        };
        let name = entries[index].0;
        if given[index].is_some() {
            placed.push(place, || ArgumentProblem::given_twice(top(name)));
            continue;
        }
        given[index] = Some(value);
        given_at[index] = place;
        let flags = Flags::default();
        if let Err(error) = (reader.read_tracked)(&mut slots, index, value, &flags) {
            if is_secret(&entries[index]) {
                let (kind, path) = (ProblemKind::Type, [PathPart::Key(name)]);
                placed.add(place, secret(kind, top(name), &path, value, root));
                continue;
            }
            let reads = |value: &Value, flags: &Flags| {
                (reader.read_tracked)(&mut A::empty(), index, value, flags)
            };
            let why = (&error, &flags);
            let found = explain(Some(name), value, root, why, &reads, &mut effort);
            for problem in found.problems {
                placed.add(place, problem);
            }
            placed.omitted += found.omitted;
        }
    }
    if let Some(check) = reader.check {
        let mut checks = Checks::checking();
        check(&mut checks, &slots);
        for index in checks.failed().iter() {
            let (Some(entry), Some(Some(value))) = (entries.get(index), given.get(index)) else {
                continue;
            };
            let (kind, path) = (ProblemKind::Constraint, [PathPart::Key(entry.0)]);
            let problem = if checks.too_much().has(index) {
                ArgumentProblem::new(ProblemKind::Limit, top(entry.0), TOO_MUCH)
            } else if is_secret(entry) {
                secret(kind, top(entry.0), &path, value, root)
            } else {
                other(kind, top(entry.0), &path, value, root)
            };
            placed.add(given_at[index], problem);
        }
    }
    let mut told = placed.in_order();
    let value = |key: &str| {
        let of_name = find(entries, key).and_then(|index| given[index]);
        of_name.or_else(|| pairs.iter().find(|(name, _)| name == key).map(|(_, v)| v))
    };
    told.problems = hinted(told.problems, root, &value);
    for (entry, value) in entries.iter().zip(&given) {
        if value.is_none() && is_required(root, entry.0) {
            let expected = expected(&[PathPart::Key(entry.0)], root);
            told.problems.push(missing(top(entry.0), expected));
        }
    }
    told
}

/// Problems with the place of what they are about among the arguments.
#[derive(Default)]
struct Placed {
    problems: Vec<(usize, ArgumentProblem)>,
    omitted: usize,
}

impl Placed {
    fn add(&mut self, place: usize, problem: ArgumentProblem) {
        self.problems.push((place, problem));
    }

    /// Adds a problem of which there can be any number.
    fn push(&mut self, place: usize, problem: impl FnOnce() -> ArgumentProblem) {
        if self.problems.len() < TOLD {
            self.add(place, problem());
        } else {
            self.omitted += 1;
        }
    }

    fn in_order(mut self) -> Told {
        self.problems.sort_by_key(|(place, _)| *place);
        Told {
            problems: self.problems.into_iter().map(|(_, p)| p).collect(),
            omitted: self.omitted,
            ..Told::default()
        }
    }
}

fn is_required(root: &Value, name: &str) -> bool {
    let required = root["required"].as_array().into_iter().flatten();
    required.filter_map(Value::as_str).any(|key| key == name)
}

/// The arguments that there are, as the model should read them: what is required first.
fn valid(root: &Value, entries: &[Entry]) -> Vec<String> {
    let names = entries.iter().map(|entry| entry.0);
    shown(names.map(|name| (name, is_required(root, name))).collect())
}

/// The same by the schema alone.
pub(crate) fn valid_of_whole(root: &Value) -> Vec<String> {
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
    shown(all.into_iter().map(|name| (name, of_all(name))).collect())
}

/// Names in words, each with whether it is required. By name, because a schema keeps no order.
fn shown(mut names: Vec<(&str, bool)>) -> Vec<String> {
    names.sort_unstable_by_key(|(name, required)| (!required, *name));
    let word = |(name, required): (&str, bool)| {
        let required = if required { " (required)" } else { "" };
        format!("`{name}`{required}")
    };
    names.into_iter().map(word).collect()
}

/// The members of the arguments in the order they came, what is given twice included.
fn pairs(
    arguments: &Arguments<'_>,
    spec: &ToolSpec,
) -> Result<Vec<(String, Value)>, InvalidArguments> {
    match arguments.view() {
        View::Empty => Ok(Vec::new()),
        View::Tree(Value::Object(members)) => Ok(members
            .iter()
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect()),
        View::Tree(other) => Err(not_an_object(other, spec)),
        View::Text(text) => {
            let mut deserializer = serde_json::Deserializer::from_str(text);
            let pairs = deserializer
                .deserialize_map(PairsVisitor)
                .and_then(|pairs| deserializer.end().map(|()| pairs));
            match pairs {
                Ok(pairs) => Ok(pairs),
                Err(error) => Err(match serde_json::from_str::<Value>(text) {
                    Ok(other) => not_an_object(&other, spec),
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
