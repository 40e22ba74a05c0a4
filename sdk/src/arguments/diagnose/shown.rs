//! The problems as they are shown: nothing of a secret, nothing twice, and not too many.

use serde_json::Value;

use crate::arguments::invalid::TOLD;
use crate::arguments::sentences::{expected, secret};
use crate::arguments::{ArgumentProblem, ProblemKind};
use crate::schema::Hidden;
use crate::spec::ToolSpec;

/// The most problems that are looked at, some of them the same.
pub(super) const SHOWN: usize = 5 * TOLD;

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

/// Returns the problems without anything of a secret, each once, and not too many of them. A problem inside
/// of a secret becomes one of the secret, of the given kind.
pub(super) fn without_secrets(
    problems: impl IntoIterator<Item = ArgumentProblem>,
    tree: &Value,
    spec: &ToolSpec,
    inside: ProblemKind,
) -> Vec<ArgumentProblem> {
    let mut shown: Vec<ArgumentProblem> = Vec::new();
    let mut hidden = spec.has_secrets().then(|| spec.hidden());
    for problem in problems {
        if shown.len() == SHOWN {
            break;
        }
        let hidden = hidden.as_mut();
        let masked = hidden.and_then(|hidden| masked(&problem, tree, spec, hidden, inside));
        let problem = masked.unwrap_or(problem);
        let is_new = !shown.iter().any(|other| {
            (other.pointer(), other.message()) == (problem.pointer(), problem.message())
        });
        if is_new {
            shown.push(problem);
        }
    }
    shown
}

/// Returns what is told in place of a problem with a secret or in one.
fn masked(
    problem: &ArgumentProblem,
    tree: &Value,
    spec: &ToolSpec,
    hidden: &mut Hidden<'_>,
    inside: ProblemKind,
) -> Option<ArgumentProblem> {
    let place = hidden.on_the_way(problem.pointer())?;
    let is_whole = place == problem.pointer();
    let kind = match problem.kind() {
        ProblemKind::Limit => return None,
        // Nothing is told of the value itself.
        ProblemKind::Missing | ProblemKind::Repeated if is_whole => return None,
        kind if is_whole => kind,
        _ => inside,
    };
    // A value that is missing tells nothing.
    let value = tree.pointer(place)?;
    let expected = expected(place, spec.input_schema());
    Some(secret(kind, place.to_owned(), expected, value))
}
