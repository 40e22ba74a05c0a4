//! What a schema says of arguments beyond what reading them has shown: of those that a type was
//! read from, and of those of a tool made at run time, where the schema is all there is.

use std::borrow::Cow;

use serde_json::{Value, json};

use super::faults::{Fault, faults};
use super::report::{names_once, valid_of_whole};
use super::words::{found, missing, names, of_node, secret, unknown, unknown_of};
use crate::message::{ArgumentProblem, InvalidArguments, ProblemKind, View, push_key};
use crate::spec::ToolSpec;
use crate::spec::schema::{self, Complaint, PathPart, Promise, What, describe};
use crate::tool::argument::Slots;
use crate::tool::definition::{Definition, has_alias};

/// How many problems are told.
const TOLD: usize = 100;

/// Whether arguments that were read keep what their types do not.
#[cold]
pub(super) fn holds<A: Slots>(
    arguments: View<'_>,
    definition: &'static Definition<A>,
    promise: &Promise,
) -> bool {
    tree(arguments, definition).is_some_and(|tree| promise.holds(&tree))
}

/// What such arguments do not keep, beside the problems that are known of them.
pub(super) fn problems<A: Slots>(
    arguments: View<'_>,
    definition: &'static Definition<A>,
    spec: &ToolSpec,
    known: &[ArgumentProblem],
) -> Vec<ArgumentProblem> {
    let promise = spec.promise();
    if promise.is_kept() {
        return Vec::new();
    }
    let Some(tree) = tree(arguments, definition) else {
        return Vec::new();
    };
    let complaints = promise.complaints(&tree);
    // What is wrong with the form of a value has been told better.
    let is_told = |complaint: &&Complaint<'_>| {
        let of_form = matches!(
            complaint.what,
            What::Type | What::Missing(_) | What::Unknown(_) | What::Union | What::Several
        );
        of_form
            && known
                .iter()
                .any(|p| overlap(p.pointer(), &complaint.pointer))
    };
    let left = complaints.iter().filter(|complaint| !is_told(complaint));
    let worded = left
        .flat_map(|complaint| worded(complaint, &tree))
        .collect();
    shown(worded, &tree, spec)
}

/// Refuses arguments of a tool made at run time that do not satisfy its schema.
pub(in crate::tool) fn run_time(tree: &Value, spec: &ToolSpec) -> Result<(), InvalidArguments> {
    let promise = spec.promise();
    if promise.holds(tree) {
        return Ok(());
    }
    let root = spec.input_schema();
    let complaints = promise.complaints(tree);
    let faults = if promise.fault().is_some() {
        Vec::new()
    } else {
        faults(tree, root, root, true)
    };
    let concerned: Vec<&Fault<'_>> = faults
        .iter()
        .filter(|fault| {
            // Which names a pattern knows, the validator says.
            let by_pattern = fault
                .unknown_key()
                .is_some_and(|(_, object)| object.get("patternProperties").is_some());
            !by_pattern
                && complaints
                    .iter()
                    .any(|c| overlap(&c.pointer, &fault.pointer))
        })
        .collect();
    let of_faults = concerned.iter().map(|fault| fault.problem("", root));
    let mut problems: Vec<ArgumentProblem> = of_faults.collect();
    let covered = |problem: &ArgumentProblem, complaint: &Complaint<'_>| {
        let wide = matches!(complaint.what, What::Union | What::Some);
        concerned.iter().any(|fault| {
            let pointer = fault.problem("", root);
            let pointer = pointer.pointer();
            pointer == problem.pointer() || (wide && overlap(problem.pointer(), pointer))
        })
    };
    for complaint in &complaints {
        let told = worded(complaint, tree);
        let new = told
            .into_iter()
            .filter(|problem| !covered(problem, complaint));
        problems.extend(new);
    }
    problems.sort_by_key(|problem| problem.kind() == ProblemKind::Missing);
    let problems = shown(problems, tree, spec);
    Err(InvalidArguments::new(names_once(problems)).with_valid(valid_of_whole(root)))
}

/// The arguments as a tree, in which each has its own name.
fn tree<'a, A: Slots>(
    arguments: View<'a>,
    definition: &'static Definition<A>,
) -> Option<Cow<'a, Value>> {
    let mut tree = match arguments {
        View::Empty => Cow::Owned(json!({})),
        View::Tree(tree) => Cow::Borrowed(tree),
        View::Text(text) => Cow::Owned(serde_json::from_str(text).ok()?),
    };
    for entry in definition.arguments {
        let members = tree.as_object()?;
        let alias = members.keys().find(|key| has_alias(entry, key)).cloned();
        if let Some(alias) = alias
            && !members.contains_key(entry.0)
            && let Value::Object(members) = tree.to_mut()
            && let Some(value) = members.remove(&alias)
        {
            members.insert(entry.0.to_owned(), value);
        }
    }
    Some(tree)
}

/// Whether one place is the other, or in it.
fn overlap(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() <= other.len() {
        (one, other)
    } else {
        (other, one)
    };
    long.strip_prefix(short)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// A complaint in words: more than one problem where it is about several names.
fn worded(complaint: &Complaint<'_>, tree: &Value) -> Vec<ArgumentProblem> {
    let Complaint {
        pointer,
        node,
        root,
        what,
    } = complaint;
    let node = node.unwrap_or(&Value::Null);
    let value = tree.pointer(pointer).unwrap_or(&Value::Null);
    let expects = |schema: &Value| describe(schema, root);
    let below = |name: &str| {
        let mut below = pointer.clone();
        push_key(&mut below, name);
        below
    };
    let (kind, message) = match what {
        What::Unknown(all) => {
            let of_all = std::ptr::eq(node, *root) && pointer.is_empty();
            let problem = |name: &String| {
                if of_all {
                    unknown(name, pointer, names(node))
                } else {
                    unknown_of(name, pointer, node)
                }
            };
            return all.iter().map(problem).collect();
        }
        What::Missing(name) => {
            let expected = node["properties"].get(name);
            let expected = expected.map_or_else(|| "a value".to_owned(), expects);
            return vec![missing(below(name), expected)];
        }
        What::Name(name) => {
            let expected = expects(&node["propertyNames"]);
            let message = format!("a name here must be {expected}");
            return vec![ArgumentProblem::new(
                ProblemKind::Constraint,
                below(name),
                message,
            )];
        }
        What::Type | What::Other | What::Some => {
            let kind = match what {
                What::Type => ProblemKind::Type,
                _ => ProblemKind::Constraint,
            };
            return vec![of_node(kind, pointer.clone(), value, node, root)];
        }
        What::Union => {
            let expected = union(node, root);
            let kind = ProblemKind::Type;
            return vec![ArgumentProblem::other(
                kind,
                pointer.clone(),
                expected,
                found(value),
            )];
        }
        What::Not => (
            ProblemKind::Constraint,
            format!("must not be {}", expects(&of_the_type(&node["not"], node))),
        ),
        What::Contains => (
            ProblemKind::Constraint,
            contains(node, &expects(&node["contains"])),
        ),
        What::Repeated => (
            ProblemKind::Constraint,
            "must not have the same value twice".to_owned(),
        ),
        What::Count => (ProblemKind::Constraint, count(node, value)),
        What::Several => (
            ProblemKind::Constraint,
            format!(
                "fits more than one of what it may be: {}",
                union(node, root)
            ),
        ),
        What::Pattern => (
            ProblemKind::Constraint,
            format!(
                "takes too long to be matched with the pattern: expected {}",
                expects(node)
            ),
        ),
        What::Rounded => {
            let expected = "an integer written in digits alone";
            let found = format!("{}, which may be rounded", found(value));
            let kind = ProblemKind::Constraint;
            return vec![ArgumentProblem::other(
                kind,
                pointer.clone(),
                expected,
                found,
            )];
        }
        What::Never => (
            ProblemKind::Constraint,
            "nothing is allowed here".to_owned(),
        ),
        What::TooMuch => (
            ProblemKind::Constraint,
            "is too large or too deep to be checked".to_owned(),
        ),
        What::Unjudged => (
            ProblemKind::Constraint,
            "the tool's input schema cannot be enforced here, so the tool takes no call".to_owned(),
        ),
    };
    vec![ArgumentProblem::new(kind, pointer.clone(), message)]
}

/// The alternatives of a schema.
fn union(node: &Value, root: &Value) -> String {
    let branches = node.get("anyOf").or_else(|| node.get("oneOf"));
    let all = branches.and_then(Value::as_array);
    let required = |branch: &Value| {
        let names = branch["required"].as_array()?;
        let names = names.iter().filter_map(Value::as_str);
        let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
        (!names.is_empty()).then(|| names.join(" and "))
    };
    let needed: Option<Vec<String>> = all.and_then(|all| {
        let plain = |branch: &Value| branch.as_object().is_some_and(|b| b.len() == 1);
        all.iter()
            .map(|b| required(b).filter(|_| plain(b)))
            .collect()
    });
    match needed {
        Some(needed) if !needed.is_empty() => {
            format!("an object with {}", needed.join(" or with "))
        }
        _ => describe(&json!({"anyOf": branches}), root),
    }
}

/// A schema with the type of the one around it, if it has none of its own.
fn of_the_type(schema: &Value, around: &Value) -> Value {
    let mut schema = schema.clone();
    if let (Value::Object(node), Some(kind)) = (&mut schema, around.get("type"))
        && !["type", "$ref", "anyOf", "oneOf"]
            .iter()
            .any(|keyword| node.contains_key(*keyword))
    {
        node.insert("type".to_owned(), kind.clone());
    }
    schema
}

fn contains(node: &Value, expected: &str) -> String {
    let bound = |keyword: &str| node[keyword].as_u64();
    match (bound("minContains"), bound("maxContains")) {
        (least, Some(most)) => format!(
            "must have from {} to {most} times {expected}",
            least.unwrap_or(1)
        ),
        (Some(least), None) if least != 1 => format!("must have at least {least} times {expected}"),
        _ => format!("must have {expected} in it"),
    }
}

fn count(node: &Value, value: &Value) -> String {
    let bound = |keyword: &str| node[keyword].as_u64();
    let found = value.as_object().map_or(0, serde_json::Map::len);
    let expected = match (bound("minProperties"), bound("maxProperties")) {
        (Some(least), Some(most)) => format!("{least} to {most}"),
        (Some(least), None) => format!("at least {least}"),
        (None, Some(most)) => format!("at most {most}"),
        (None, None) => "another number of".to_owned(),
    };
    format!("expected an object of {expected} members, found one of {found}")
}

/// The problems without anything of a secret, each once, and not too many of them.
fn shown(problems: Vec<ArgumentProblem>, tree: &Value, spec: &ToolSpec) -> Vec<ArgumentProblem> {
    let mut shown: Vec<ArgumentProblem> = Vec::new();
    for problem in problems {
        let problem = match hidden(problem.pointer(), tree, spec) {
            Some(hidden) => hidden,
            None => problem,
        };
        let is_new = !shown.iter().any(|other| {
            (other.pointer(), other.message()) == (problem.pointer(), problem.message())
        });
        if is_new && shown.len() < TOLD {
            shown.push(problem);
        }
    }
    shown
}

/// What is told in place of a problem with a secret or in one.
fn hidden(pointer: &str, tree: &Value, spec: &ToolSpec) -> Option<ArgumentProblem> {
    let root = spec.input_schema();
    let keys: Vec<String> = pointer
        .split('/')
        .skip(1)
        .map(|key| key.replace("~1", "/").replace("~0", "~"))
        .collect();
    let mut path: Vec<PathPart<'_>> = Vec::new();
    let (mut place, mut value) = (String::new(), tree);
    for key in &keys {
        let index = value.as_array().and_then(|_| key.parse().ok());
        path.push(index.map_or(PathPart::Key(key), PathPart::Index));
        push_key(&mut place, key);
        let Some(inner) = tree.pointer(&place) else {
            // What is missing tells nothing.
            return None;
        };
        value = inner;
        let named = path.len() == 1 && spec.secrets().iter().any(|name| name == key);
        let marked = schema::at(root, &path).is_some_and(|node| node["writeOnly"] == true);
        if named || marked {
            let kind = ProblemKind::Constraint;
            return Some(secret(kind, place, &path, value, root));
        }
    }
    None
}
