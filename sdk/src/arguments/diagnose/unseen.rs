//! Mistakes that no type sees: in what serde has copied, and names that are given twice.

use serde_json::Value;

use super::shown::SHOWN;
use crate::arguments::reader::ArgumentTypes;
use crate::arguments::refusal::read_traced;
use crate::arguments::rounded::own_name;
use crate::arguments::sentences::worded;
use crate::arguments::strict::{Trace, repeated};
use crate::arguments::{ArgumentProblem, View};
use crate::schema::{Unions, Violation, ViolationKind, violations};
use crate::spec::ToolSpec;

/// Returns what types cannot see of arguments that they have read: see [`copied`]; and a map takes the last
/// of several values of one name.
#[cold]
pub(crate) fn unseen(
    arguments: View<'_>,
    tree: &Value,
    types: &ArgumentTypes<'_>,
    spec: &ToolSpec,
) -> Vec<ArgumentProblem> {
    let twice = given_twice(arguments, spec);
    if !twice.is_empty() || suspects(tree, spec).is_empty() {
        return twice;
    }
    let trace = Trace::default();
    let read = |index: usize, value: &Value| {
        read_traced(value, &trace, &mut |tree, flags| {
            types.read(index, tree, flags)
        })
        .ok()
    };
    if types.flat {
        read(0, tree);
    }
    for (index, name) in types.names().enumerate() {
        tree.get(name).and_then(|value| read(index, value));
    }
    copied(tree, spec, &trace)
}

/// Returns the names that an object in a text has twice.
pub(super) fn given_twice(arguments: View<'_>, spec: &ToolSpec) -> Vec<ArgumentProblem> {
    let View::Text(text) = arguments else {
        return Vec::new();
    };
    let aliases = spec.argument_aliases();
    let twice = repeated(text).unwrap_or_default().into_iter();
    twice
        .map(|pointer| ArgumentProblem::given_twice(own_name(&pointer, &aliases)))
        .collect()
}

/// Returns what is wrong with the parts that serde reads from a copy of its own (flattened, untagged and
/// internally tagged types): there it passes over names that nobody knows, and takes a list for an object
/// and `{"name": null}` for the name, so that the schema decides.
pub(super) fn copied(tree: &Value, spec: &ToolSpec, trace: &Trace) -> Vec<ArgumentProblem> {
    if !trace.unseen.get() {
        return Vec::new();
    }
    let suspects = suspects(tree, spec).into_iter();
    let copied = suspects.filter(|violation| {
        let around = match violation.kind {
            ViolationKind::Tag(_) => violation.pointer.rsplit_once('/').map_or("", |(at, _)| at),
            _ => &violation.pointer,
        };
        violation.kind == ViolationKind::TooMuch || trace.is_copied(tree, around)
    });
    copied
        .take(SHOWN)
        .flat_map(|violation| worded(&violation, tree))
        .collect()
}

/// Returns the violations of the schema that serde would not see in what it has copied.
fn suspects<'s>(tree: &Value, spec: &'s ToolSpec) -> Vec<Violation<'s>> {
    let mut found = violations(tree, spec.checked_schema(), Unions::Guessed);
    found.retain(|violation| {
        let value = tree.pointer(&violation.pointer);
        let is_object = value.is_some_and(Value::is_object);
        match violation.kind {
            ViolationKind::Unknown(_) | ViolationKind::TooMuch => true,
            ViolationKind::Tag(_) => is_number(violation, tree),
            ViolationKind::Type => is_object || value.is_some_and(Value::is_array),
            ViolationKind::Other | ViolationKind::NotListed => is_object,
            _ => false,
        }
    });
    found
}

/// Returns true if the value that tells branches apart is there and no text: serde takes a number for the
/// name of a branch, which no schema says.
pub(super) fn is_number(violation: &Violation<'_>, tree: &Value) -> bool {
    let value = tree.pointer(&violation.pointer);
    value.is_some_and(|value| !value.is_string())
}
