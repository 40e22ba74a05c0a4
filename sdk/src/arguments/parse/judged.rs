//! What a schema says of arguments beyond what reading them has shown: of those that a type was
//! read from, and of those of a tool made at run time, where the schema is all there is.

use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::{Value, json};

use super::complaint::worded;
use super::faults::{Fault, faults};
use super::hints::hinted;
use super::report::{names_once, valid_of_whole};
use super::skeleton::unescaped;
use super::words::secret;
use crate::arguments::argument::Slots;
use crate::arguments::entry::has_alias;
use crate::arguments::reader::ArgumentReader;
use crate::arguments::{ArgumentProblem, InvalidArguments, ProblemKind, TOLD, View};
use crate::schema::{Complaint, Hidden, PathPart, Promise, What};
use crate::spec::ToolSpec;

/// How many problems are looked at, some of them the same.
const SHOWN: usize = 5 * TOLD;

/// Whether arguments that were read keep what their types do not.
#[cold]
pub(crate) fn holds<A: Slots>(
    arguments: View<'_>,
    reader: &'static ArgumentReader<A>,
    promise: &Promise,
) -> bool {
    InvalidArguments::too_deep(arguments).is_none()
        && tree(arguments, reader).is_some_and(|tree| promise.holds(&tree))
}

/// What such arguments do not keep, beside the problems that are known of them.
pub(super) fn problems<A: Slots>(
    arguments: View<'_>,
    reader: &'static ArgumentReader<A>,
    spec: &ToolSpec,
    known: &[ArgumentProblem],
) -> Vec<ArgumentProblem> {
    let promise = spec.promise();
    if promise.is_kept() {
        return Vec::new();
    }
    let Some(tree) = tree(arguments, reader) else {
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

/// The problems without anything of the arguments that the spec calls secret, where no entry of the definition does.
pub(super) fn without_secrets<A: Slots>(
    problems: Vec<ArgumentProblem>,
    arguments: View<'_>,
    reader: &'static ArgumentReader<A>,
    spec: &ToolSpec,
) -> Vec<ArgumentProblem> {
    if spec.secrets().is_empty() {
        return problems;
    }
    match tree(arguments, reader) {
        Some(tree) => shown(problems, &tree, spec),
        None => problems,
    }
}

/// Refuses arguments of a tool made at run time that do not satisfy its schema.
pub(crate) fn run_time(tree: &Value, spec: &ToolSpec) -> Result<(), InvalidArguments> {
    let promise = spec.promise();
    if promise.holds(tree) {
        return Ok(());
    }
    let root = spec.input_schema();
    let complaints = promise.complaints(tree);
    if complaints
        .iter()
        .any(|complaint| complaint.what == What::TooMuch)
    {
        // Whoever asked what else is wrong would do the work that is too much.
        let all = complaints
            .iter()
            .flat_map(|complaint| worded(complaint, tree));
        return Err(InvalidArguments::new(all.collect()));
    }
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
    // There can be thousands, and putting one into words is not cheap.
    let (missing, others): (Vec<_>, Vec<_>) = concerned.into_iter().partition(|f| f.is_missing());
    let omitted = others.len().saturating_sub(TOLD) + missing.len().saturating_sub(TOLD);
    let told = others.into_iter().take(TOLD);
    let told = told.chain(missing.into_iter().take(TOLD));
    let of_faults = told.map(|fault| fault.problem("", root));
    let mut problems: Vec<ArgumentProblem> = of_faults.collect();
    let places: HashSet<String> = problems.iter().map(|p| p.pointer().to_owned()).collect();
    let covered = |problem: &ArgumentProblem, complaint: &Complaint<'_>| {
        let wide = matches!(complaint.what, What::Union | What::Some);
        let overlaps = |place: &String| overlap(problem.pointer(), place);
        places.contains(problem.pointer()) || (wide && places.iter().any(overlaps))
    };
    for complaint in &complaints {
        let told = worded(complaint, tree);
        // A description of the schema has no words for these.
        if matches!(complaint.what, What::Count | What::Not | What::Contains) {
            problems.retain(|problem| problem.pointer() != complaint.pointer);
            problems.extend(told);
            continue;
        }
        let new = told
            .into_iter()
            .filter(|problem| !covered(problem, complaint));
        problems.extend(new);
    }
    problems.sort_by_key(|problem| problem.kind() == ProblemKind::Missing);
    let problems = names_once(shown(problems, tree, spec));
    let problems = hinted(problems, root, &|name| tree.get(name));
    let invalid = InvalidArguments::new(problems).with_omitted(omitted);
    Err(invalid.with_valid(valid_of_whole(root)))
}

/// The arguments as a tree, in which each has its own name.
fn tree<'a, A: Slots>(
    arguments: View<'a>,
    reader: &'static ArgumentReader<A>,
) -> Option<Cow<'a, Value>> {
    let mut tree = match arguments {
        View::Empty => Cow::Owned(json!({})),
        View::Tree(tree) => Cow::Borrowed(tree),
        View::Text(text) => Cow::Owned(serde_json::from_str(text).ok()?),
    };
    for entry in reader.arguments {
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

/// The problems without anything of a secret, each once, and not too many of them.
fn shown(problems: Vec<ArgumentProblem>, tree: &Value, spec: &ToolSpec) -> Vec<ArgumentProblem> {
    let mut shown: Vec<ArgumentProblem> = Vec::new();
    let mut hidden = spec.hidden();
    for problem in problems {
        if shown.len() == SHOWN {
            break;
        }
        if problem.kind() == ProblemKind::Limit {
            shown.push(problem);
            continue;
        }
        let problem = match in_secret(problem.pointer(), tree, spec.input_schema(), &mut hidden) {
            Some(instead) => instead,
            None => problem,
        };
        let is_new = !shown.iter().any(|other| {
            (other.pointer(), other.message()) == (problem.pointer(), problem.message())
        });
        if is_new {
            shown.push(problem);
        }
    }
    shown
}

/// What is told in place of a problem with a secret or in one.
fn in_secret(
    pointer: &str,
    tree: &Value,
    root: &Value,
    hidden: &mut Hidden<'_>,
) -> Option<ArgumentProblem> {
    let place = hidden.on_the_way(pointer)?;
    // What is missing tells nothing.
    let value = tree.pointer(place)?;
    let keys: Vec<String> = place.split('/').skip(1).map(unescaped).collect();
    let mut inner = tree;
    let mut path = Vec::with_capacity(keys.len());
    for key in &keys {
        let index = inner.as_array().and_then(|_| key.parse().ok());
        path.push(index.map_or(PathPart::Key(key), PathPart::Index));
        inner = match index {
            Some(index) => inner.get(index)?,
            None => inner.get(key)?,
        };
    }
    let kind = ProblemKind::Constraint;
    Some(secret(kind, place.to_owned(), &path, value, root))
}
