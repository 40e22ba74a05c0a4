//! Arguments read into a type of which nothing but the type is known, and what is wrong with them
//! in words that a model can use: serde's own name private types.

use std::fmt;

use serde::de::{self, DeserializeOwned, DeserializeSeed, Expected, Unexpected};
use serde_json::Value;
use serde_path_to_error::{Path, Segment, Track};

use super::found::{found, shortened};
use super::invalid::InvalidArguments;
use super::once::given_once;
use super::raw::{Arguments, View};
use super::rounded::rounded;
use super::strict::{
    Flags, Note, Notes, OneOf, Strict, Tree, TreeError, Unreadable, numbers_are_text,
};
use crate::arguments::{ArgumentProblem, ProblemKind};
use crate::schema::Hidden;
use crate::util::pointer::push_key;
use crate::util::suggestion::nearest;

/// Reads arguments strictly, in the manner of `flags`.
pub(super) fn read<T: DeserializeOwned>(
    arguments: &Arguments<'_>,
    flags: fn() -> Flags,
) -> Result<T, InvalidArguments> {
    if let Some(invalid) = InvalidArguments::too_deep(arguments.view()) {
        return Err(invalid);
    }
    let mut flags = flags();
    loop {
        if let Some(value) = fast(arguments.view(), &flags) {
            if flags.rounds() {
                let rounded = rounded(arguments.view(), None);
                if !rounded.is_empty() {
                    return Err(InvalidArguments::new(rounded).unchecked());
                }
            }
            return match names_are_single(arguments, &flags) {
                Ok(()) => Ok(value),
                Err(invalid) => Err(invalid),
            };
        }
        match flags.again() {
            Some(again) => flags = again,
            None => return Err(explain::<T>(arguments, &flags)),
        }
    }
}

fn fast<T: DeserializeOwned>(arguments: View<'_>, flags: &Flags) -> Option<T> {
    let text = match arguments {
        View::Empty => "{}",
        View::Text(text) if numbers_are_text() => {
            let tree: Value = serde_json::from_str(text).ok()?;
            return fast(View::Tree(&tree), flags);
        }
        View::Text(text) => text,
        View::Tree(tree) => {
            let tree = Tree::<Unreadable>::new(tree);
            return Strict::new(flags).deserialize(tree).ok();
        }
    };
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = Strict::new(flags).deserialize(&mut deserializer).ok()?;
    deserializer.end().ok()?;
    Some(value)
}

/// Refuses names given twice that the type did not see.
fn names_are_single(arguments: &Arguments<'_>, flags: &Flags) -> Result<(), InvalidArguments> {
    match arguments.view() {
        View::Text(text) if flags.unseen() || numbers_are_text() => {
            given_once(text, Hidden::nothing)
        }
        _ => Ok(()),
    }
}

/// Why arguments could not be read.
#[cold]
fn explain<T: DeserializeOwned>(arguments: &Arguments<'_>, flags: &Flags) -> InvalidArguments {
    if let View::Text(text) = arguments.view()
        && let Err(invalid) = given_once(text, Hidden::nothing)
    {
        return invalid.unchecked();
    }
    let tree = match arguments.to_value() {
        Ok(tree) => tree,
        Err(invalid) => return invalid,
    };
    let (notes, mut track) = (Notes::default(), Track::new());
    let root = Tree::<Refusal>::noted(&tree, &notes);
    let deserializer = serde_path_to_error::Deserializer::new(root, &mut track);
    let problem = match Strict::<T>::new(flags).deserialize(deserializer) {
        Err(refusal) => problem(&tree, &track.path(), refusal, flags, &notes),
        // The two readers disagree; refused all the same.
        Ok(_) => ArgumentProblem::new(ProblemKind::Type, "", "the arguments do not fit the tool"),
    };
    InvalidArguments::new(vec![problem]).unchecked()
}

/// Why a value could not be read.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// It is another than this.
    Expected(String),
    /// It is a list of another length than it should be.
    Length,
    /// In words of whoever wrote the type, or serde's.
    Says(String),
    Missing(&'static str),
    Unknown {
        name: String,
        names: &'static [&'static str],
    },
    NoVariant {
        name: String,
        names: &'static [&'static str],
    },
    Repeated(&'static str),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the value cannot be read")
    }
}

impl std::error::Error for Refusal {}

impl TreeError for Refusal {}

impl de::Error for Refusal {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::Says(message.to_string())
    }

    fn invalid_type(_found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::Expected(expected.to_string())
    }

    fn invalid_value(_found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::Expected(expected.to_string())
    }

    fn invalid_length(_found: usize, _expected: &dyn Expected) -> Self {
        Self::Length
    }

    fn unknown_variant(name: &str, names: &'static [&'static str]) -> Self {
        let name = name.to_owned();
        Self::NoVariant { name, names }
    }

    fn unknown_field(name: &str, names: &'static [&'static str]) -> Self {
        let name = name.to_owned();
        Self::Unknown { name, names }
    }

    fn missing_field(name: &'static str) -> Self {
        Self::Missing(name)
    }

    fn duplicate_field(name: &'static str) -> Self {
        Self::Repeated(name)
    }
}

/// What is wrong, at a place in a tree that a path leads to.
fn problem(
    tree: &Value,
    path: &Path,
    refusal: Refusal,
    flags: &Flags,
    notes: &Notes,
) -> ArgumentProblem {
    let place = Place::of(tree, path);
    let note = notes.of(place.value);
    let expected = |what: &str| {
        let found = found(place.value);
        ArgumentProblem::other(ProblemKind::Type, place.pointer.clone(), what, found)
    };
    let none_of_its_forms = || {
        let message = format!(
            "fits none of the forms that it can have, found {}",
            found(place.value)
        );
        ArgumentProblem::new(ProblemKind::Type, place.pointer.clone(), message)
    };
    match (refusal, note) {
        (_, _) if flags.unknown() => {
            let fields = place.parent.and_then(|parent| notes.of(parent));
            let names = match fields {
                Some(Note::Fields(names)) => names,
                _ => &[],
            };
            unknown(place.above, &place.name, names, place.parent)
        }
        // What is wrong with a name is told at the name, and that leads to the value.
        (Refusal::Unknown { name, names }, _) if name == place.name => {
            unknown(place.above, &name, names, place.parent)
        }
        (Refusal::Unknown { name, names }, _) => {
            unknown(place.pointer, &name, names, Some(place.value))
        }
        (Refusal::Missing(name), _) => {
            let message = "is required and missing";
            ArgumentProblem::new(ProblemKind::Missing, place.below(name), message)
        }
        (Refusal::Repeated(name), _) => ArgumentProblem::given_twice(place.below(name)),
        (Refusal::NoVariant { name, names }, _) => {
            let above = name == place.name && place.value.as_str() != Some(&name);
            let pointer = if above { place.above } else { place.pointer };
            let found = found(&Value::String(name.clone()));
            let message = format!("expected {}, found {found}", OneOf(names));
            let problem = ArgumentProblem::new(ProblemKind::Type, pointer, message);
            match nearest(&name, names.iter().copied()) {
                Some(near) => problem.with_suggestion(near),
                None => problem,
            }
        }
        // Of what was made of a copy, the words are about a part of it, and of private types.
        (_, Some(Note::Anything)) => none_of_its_forms(),
        (Refusal::Expected(what), _) => expected(&what),
        (Refusal::Length, Some(Note::Length(length))) => expected(&format!("a list of {length}")),
        (Refusal::Length, _) => expected("a list of another length"),
        (Refusal::Says(words), _) => {
            let words: String = words.chars().take(SAID).collect();
            let message = format!("{words}, found {}", found(place.value));
            ArgumentProblem::new(ProblemKind::Type, place.pointer, message)
        }
    }
}

/// The longest words of a type that are passed on, in characters.
const SAID: usize = 200;

fn unknown(
    mut pointer: String,
    name: &str,
    names: &[&str],
    object: Option<&Value>,
) -> ArgumentProblem {
    push_key(&mut pointer, &shortened(name));
    let problem = ArgumentProblem::new(ProblemKind::Unknown, pointer, "there is no such argument");
    let is_given = |name: &str| object.is_some_and(|object| object.get(name).is_some());
    let left = names.iter().copied().filter(|name| !is_given(name));
    match nearest(name, left) {
        Some(near) => problem.with_suggestion(near),
        None => problem,
    }
}

/// A place in a tree.
pub(crate) struct Place<'t> {
    pub(crate) pointer: String,
    pub(crate) value: &'t Value,
    /// What it is a part of, where that is, and by what name.
    parent: Option<&'t Value>,
    pub(crate) above: String,
    pub(crate) name: String,
}

impl<'t> Place<'t> {
    /// As far as the path leads through the tree.
    pub(crate) fn of(tree: &'t Value, path: &Path) -> Self {
        let mut place = Self {
            pointer: String::new(),
            value: tree,
            parent: None,
            above: String::new(),
            name: String::new(),
        };
        for segment in path {
            let (name, value) = match segment {
                Segment::Seq { index } => (index.to_string(), place.value.get(index)),
                Segment::Map { key } => (key.clone(), place.value.get(key)),
                Segment::Enum { .. } | Segment::Unknown => continue,
            };
            let Some(value) = value else {
                break;
            };
            place.above.clone_from(&place.pointer);
            push_key(&mut place.pointer, &name);
            place.parent = Some(place.value);
            place.value = value;
            place.name = name;
        }
        place
    }

    pub(crate) fn below(&self, name: &str) -> String {
        let mut pointer = self.pointer.clone();
        push_key(&mut pointer, name);
        pointer
    }
}
