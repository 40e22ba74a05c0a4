//! The declarations of a tool that it cannot keep, found when its schema is drawn. An executor that is built draws
//! that of each tool which may have some: no call has to find it.

use serde_json::{Map, Value};

use super::constraint::{Checks, outside};
use super::entry::{Entry, is_secret};
use super::reader::{ArgumentTypes, Given};
use super::refusal::{TypeRefusal, read_traced};
use crate::arguments::strict::Trace;
use crate::schema::places::map_samples;
use crate::schema::{Marked, Unkept, resolved};
use crate::spec::Mistake;
use crate::util::pointer::{below, is_within, push_key, unescaped};

/// Returns the mistakes that the types of arguments tell of themselves.
pub(crate) fn of_types(entries: &[Entry], flat: bool, unkept: &Unkept) -> Vec<Mistake> {
    let told = |(place, marked): &(String, Marked)| {
        let argument = entries
            .iter()
            .find(|entry| !flat && is_within(place, &below("", entry.0)));
        told(place, marked, argument.is_some_and(is_secret))
    };
    unkept.marked.iter().map(told).collect()
}

/// Finds the mistakes of defaults, types and constraints that do not go together.
pub(crate) fn of_arguments(
    types: &ArgumentTypes<'_>,
    shown: &[(usize, Option<Value>)],
    schema: &Value,
    unkept: &Unkept,
    found: &mut Vec<Mistake>,
) {
    let ArgumentTypes { entries, flat, .. } = *types;
    if types.has_defaults && types.has_constraints {
        let mut checks = Checks::explaining();
        types.check(&mut checks, Given::Defaults);
        refused(entries, shown, checks.into_broken(), found);
    }
    if flat && !takes_objects(schema, schema, DEPTH) {
        found.push(no_object(entries));
    }
    if !shown.is_empty() || unkept.has_maps {
        let read = |index: usize, value: &Value| {
            let trace = Trace::default();
            let read = read_traced(value, &trace, &mut |tree, flags| {
                types.read(index, tree, flags)
            });
            read.map_err(|refusal| (trace.place(), refusal))
        };
        unreadable(entries, shown, &read, found);
        if unkept.has_maps {
            keys(entries, flat, schema, &read, found);
        }
    }
}

/// Reads an argument; the error has the place that was refused.
type Read<'r> = &'r dyn Fn(usize, &Value) -> Result<(), (String, TypeRefusal)>;

fn told(place: &str, marked: &Marked, is_secret: bool) -> Mistake {
    let Marked {
        field,
        what,
        value,
        why,
    } = marked;
    let mut place = place.to_owned();
    if let Some(field) = field {
        push_key(&mut place, field);
    }
    let value = value.as_ref().filter(|_| !is_secret);
    let value = value.map(|value| format!("`{value}`"));
    let words = [Some(what.clone()), value, Some(why.clone())];
    let words: Vec<String> = words
        .into_iter()
        .flatten()
        .filter(|word| !word.is_empty())
        .collect();
    Mistake::new(place, words.join(" "))
}

/// Defaults that the constraints of their arguments refuse.
fn refused(
    entries: &[Entry],
    shown: &[(usize, Option<Value>)],
    broken: Vec<(usize, Map<String, Value>)>,
    found: &mut Vec<Mistake>,
) {
    for (index, demands) in broken {
        if let Some(entry) = entries.get(index) {
            let marked = outside(value_of(shown, index), &demands);
            found.push(told(&below("", entry.0), &marked, is_secret(entry)));
        }
    }
}

fn value_of(shown: &[(usize, Option<Value>)], index: usize) -> Option<&Value> {
    let (_, value) = shown.iter().find(|(of, _)| *of == index)?;
    value.as_ref()
}

/// Defaults that the types of their arguments do not read: as soon as a call waits for somebody, its arguments are read
/// again, with the defaults in them.
fn unreadable(
    entries: &[Entry],
    shown: &[(usize, Option<Value>)],
    read: Read<'_>,
    found: &mut Vec<Mistake>,
) {
    for (index, value) in shown {
        let (Some(entry), Some(value)) = (entries.get(*index), value) else {
            continue;
        };
        let Err((at, refusal)) = read(*index, value) else {
            continue;
        };
        let place = below("", entry.0);
        if value.is_null()
            || found
                .iter()
                .any(|mistake| is_within(&mistake.pointer, &place))
        {
            continue;
        }
        let why = match (refusal, &*path(&at)) {
            (TypeRefusal::NotAllowed, path) => {
                format!("has a value at `{path}` that the constraints of its type refuse")
            }
            (_, "") => "cannot be read by the type of the argument".to_owned(),
            (_, path) => format!("cannot be read by the type of the argument, at `{path}`"),
        };
        let marked = Marked {
            field: None,
            what: "its default".to_owned(),
            value: Some(value.clone()),
            why: format!("{why}: change the default, or what the type reads and writes"),
        };
        found.push(told(&place, &marked, is_secret(entry)));
    }
}

/// Returns a place as a path in Rust.
fn path(pointer: &str) -> String {
    let mut path = String::new();
    for key in pointer.split('/').skip(1).map(unescaped) {
        let is_index = key.bytes().all(|byte| byte.is_ascii_digit());
        match (is_index, path.is_empty()) {
            (true, _) => path.extend(["[", &key, "]"]),
            (false, true) => path.push_str(&key),
            (false, false) => path.extend([".", &key]),
        }
    }
    path
}

/// Maps whose keys are of a type that no name in an object can be read into.
fn keys(entries: &[Entry], flat: bool, schema: &Value, read: Read<'_>, found: &mut Vec<Mistake>) {
    for (place, sample) in map_samples(schema) {
        let error = if flat {
            read(0, &sample).err()
        } else {
            let of_one = |(index, entry): (usize, &Entry)| read(index, sample.get(entry.0)?).err();
            entries.iter().enumerate().find_map(of_one)
        };
        if let Some((_, TypeRefusal::Key(kind))) = error {
            let message = format!(
                "the keys of a map are texts in JSON, and those of this map are read into {kind}: take a map with keys \
                 of text or integers, or a list of key and value"
            );
            let mistake = Mistake::new(place, message);
            if !found.contains(&mistake) {
                found.push(mistake);
            }
        }
    }
}

/// The most schemas in each other that are looked through for one of objects.
const DEPTH: usize = 64;

/// Returns true if some object is of the schema.
fn takes_objects(schema: &Value, root: &Value, depth: usize) -> bool {
    let (Some(depth), Some(schema)) = (depth.checked_sub(1), resolved(root, schema)) else {
        return true;
    };
    let is_object = match &schema["type"] {
        Value::String(only) => only == "object",
        Value::Array(list) => list.iter().any(|one| one == "object"),
        _ => true,
    };
    let of_branch = |keyword: &str| {
        let branches = schema.get(keyword).and_then(Value::as_array);
        branches.is_none_or(|list| list.iter().any(|one| takes_objects(one, root, depth)))
    };
    let is_listed = match schema.get("enum").and_then(Value::as_array) {
        Some(list) => list.iter().any(Value::is_object),
        None => true,
    };
    *schema != Value::Bool(false)
        && is_object
        && is_listed
        && of_branch("anyOf")
        && of_branch("oneOf")
}

fn no_object(entries: &[Entry]) -> Mistake {
    let message = match entries.first() {
        Some((name, ..)) => format!(
            "`{name}` is all the arguments by `flatten`, and they are an object, which its type does not read: remove \
             `flatten`, or take a struct or a map"
        ),
        None => "the arguments of a call are an object, which the type that the closure takes does not read: take a \
             struct or a map"
            .to_owned(),
    };
    Mistake::new("", message)
}
