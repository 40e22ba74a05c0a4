//! The words of a problem: what was expected, what was found, and what was probably meant.

use serde_json::Value;

use crate::message::{ArgumentProblem, InvalidArguments, ProblemKind, push_key, shortened};
use crate::spec::schema::{self, PathPart};
use crate::suggest::nearest;

pub(super) use crate::message::found;

/// What arguments are told that are no object.
pub(in crate::tool) fn not_an_object(what: &Value) -> InvalidArguments {
    let message = format!("expected an object of arguments, found {}", found(what));
    InvalidArguments::new(vec![ArgumentProblem::new(ProblemKind::Type, "", message)])
}

pub(super) fn at(name: &str, kind: ProblemKind, message: impl Into<String>) -> ArgumentProblem {
    let mut pointer = String::new();
    push_key(&mut pointer, name);
    ArgumentProblem::new(kind, pointer, message)
}

pub(super) fn unknown<'n>(
    key: &str,
    parent: &str,
    names: impl Iterator<Item = &'n str>,
) -> ArgumentProblem {
    let mut pointer = parent.to_owned();
    push_key(&mut pointer, &shortened(key));
    let problem = ArgumentProblem::new(ProblemKind::Unknown, pointer, "there is no such argument");
    match nearest(key, names) {
        Some(name) => problem.with_suggestion(name),
        None => problem,
    }
}

/// Adds the one of some choices that is probably meant.
pub(super) fn nearest_of<'c>(
    problem: ArgumentProblem,
    found: &Value,
    choices: impl Iterator<Item = &'c str>,
) -> ArgumentProblem {
    match found.as_str().and_then(|found| nearest(found, choices)) {
        Some(choice) => problem.with_suggestion(choice),
        None => problem,
    }
}

pub(super) fn expected(path: &[PathPart<'_>], root: &Value) -> String {
    match schema::at(root, path) {
        Some(node) => schema::describe(node, root),
        None => "another value".to_owned(),
    }
}

pub(super) fn expected_found(path: &[PathPart<'_>], value: &Value, root: &Value) -> String {
    format!("expected {}, found {}", expected(path, root), found(value))
}

/// The same without anything of the value.
pub(super) fn expected_secret(path: &[PathPart<'_>], value: &Value, root: &Value) -> String {
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
