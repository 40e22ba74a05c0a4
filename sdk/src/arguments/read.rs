//! Arguments read into a type of which nothing but the type is known, and what is wrong with them in
//! words that a model can use: serde's own name private types.

use serde::de::{DeserializeOwned, DeserializeSeed};
use serde_json::Value;

use super::invalid::InvalidArguments;
use super::once::given_once;
use super::raw::{Arguments, View};
use super::refusal::TypeRefusal;
use super::rounded::rounded;
use super::sentences::found;
use super::strict::{Flags, Note, OneOf, Strict, Trace, Tree, Unreadable, numbers_are_text};
use super::{ArgumentProblem, ProblemKind};
use crate::schema::Hidden;
use crate::util::pointer::below;
use crate::util::pointer::unescaped;
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
            return match arguments.view() {
                // Names that are given twice, which the type did not see.
                View::Text(text) if flags.unseen() || numbers_are_text() => {
                    given_once(text, Hidden::nothing).map(|()| value)
                }
                _ => Ok(value),
            };
        }
        let Some(again) = flags.again() else {
            let read =
                |tree: Tree<'_, TypeRefusal>| Strict::<T>::new(&flags).deserialize(tree).map(drop);
            return Err(explain(arguments, &read));
        };
        flags = again;
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

/// Returns the report of arguments that could not be read.
#[cold]
fn explain(
    arguments: &Arguments<'_>,
    read: &dyn Fn(Tree<'_, TypeRefusal>) -> Result<(), TypeRefusal>,
) -> InvalidArguments {
    if let View::Text(text) = arguments.view()
        && let Err(invalid) = given_once(text, Hidden::nothing)
    {
        return invalid.unchecked();
    }
    let tree = match arguments.to_value() {
        Ok(tree) => tree,
        Err(invalid) => return invalid,
    };
    let trace = Trace::default();
    let problem = match read(Tree::traced(&tree, &trace)) {
        Err(refusal) => problem(&tree, refusal, &trace),
        // The two readers disagree; refused all the same.
        Ok(()) => ArgumentProblem::new(ProblemKind::Type, "", "the arguments do not fit the tool"),
    };
    InvalidArguments::new(vec![problem]).unchecked()
}

/// Puts the refusal of a read into words.
fn problem(tree: &Value, refusal: TypeRefusal, trace: &Trace) -> ArgumentProblem {
    let place = ReadPlace::of(tree, &trace.place());
    let note = trace.of(place.value);
    let here = found(place.value);
    let expected = |what: &str| {
        ArgumentProblem::other(ProblemKind::Type, place.pointer.clone(), what, here.clone())
    };
    let told = |words: &str| {
        let message = format!("{words}, found {here}");
        ArgumentProblem::new(ProblemKind::Type, place.pointer.clone(), message)
    };
    match (refusal, note) {
        (TypeRefusal::Unknown(name, _), _) if name.is_empty() => {
            let names = match place.parent.and_then(|parent| trace.of(parent)) {
                Some(Note::Fields(names)) => names,
                _ => &[],
            };
            unknown(&place.above, &place.name, names, place.parent)
        }
        // A refused name is told at the name, and that leads to the value.
        (TypeRefusal::Unknown(name, names), _) if name == place.name => {
            unknown(&place.above, &name, names, place.parent)
        }
        (TypeRefusal::Unknown(name, names), _) => {
            unknown(&place.pointer, &name, names, Some(place.value))
        }
        (TypeRefusal::Missing(name), _) => {
            let message = "is required and missing";
            ArgumentProblem::new(ProblemKind::Missing, below(&place.pointer, name), message)
        }
        (TypeRefusal::Repeated(name), _) => {
            ArgumentProblem::given_twice(below(&place.pointer, name))
        }
        (TypeRefusal::NoVariant(name, names), _) => {
            let found = found(&Value::String(name.clone()));
            let message = format!("expected {}, found {found}", OneOf(names));
            let pointer = place.of_variant(&name);
            let problem = ArgumentProblem::new(ProblemKind::Type, pointer, message);
            match nearest(&name, names.iter().copied()) {
                Some(near) => problem.with_suggestion(near),
                None => problem,
            }
        }
        // Words about a copy are about a part of it, and of private types.
        (_, Some(Note::Anything)) => told("fits none of the forms that it can have"),
        (TypeRefusal::Expected(what), _) => expected(&what),
        (TypeRefusal::Length, Some(Note::Length(length))) => {
            expected(&format!("a list of {length}"))
        }
        (TypeRefusal::Length, _) => expected("a list of another length"),
        (TypeRefusal::Says(words), _) => told(&words.chars().take(SAID).collect::<String>()),
        (TypeRefusal::NotAllowed, _) => expected("a value that is allowed here"),
        (TypeRefusal::TooMuch, _) => super::sentences::too_much(place.pointer),
        (TypeRefusal::Key(_), _) => told("its name is none that can stand here"),
    }
}

/// The longest words of a type that are passed on, in characters.
const SAID: usize = 200;

fn unknown(parent: &str, name: &str, names: &[&str], object: Option<&Value>) -> ArgumentProblem {
    let is_given = |name: &&str| object.is_some_and(|object| object.get(*name).is_some());
    let left = names.iter().copied().filter(|name| !is_given(name));
    super::sentences::unknown(name, parent, left, &Value::Null)
}

/// A place in a tree.
pub(crate) struct ReadPlace<'t> {
    pub(crate) pointer: String,
    pub(crate) value: &'t Value,
    /// The value around it, the place of that, and the name of this one there.
    parent: Option<&'t Value>,
    above: String,
    pub(crate) name: String,
}

impl<'t> ReadPlace<'t> {
    pub(crate) fn of(tree: &'t Value, pointer: &str) -> Self {
        let (above, name) = pointer.rsplit_once('/').unwrap_or_default();
        Self {
            pointer: pointer.to_owned(),
            value: tree.pointer(pointer).unwrap_or(&Value::Null),
            parent: tree.pointer(above).filter(|_| !pointer.is_empty()),
            above: above.to_owned(),
            name: unescaped(name),
        }
    }

    /// Returns the place at which a variant is named: one with content is told at its name, which leads
    /// to the content.
    pub(crate) fn of_variant(self, name: &str) -> String {
        if name == self.name && self.value.as_str() != Some(name) {
            return self.above;
        }
        self.pointer
    }
}
