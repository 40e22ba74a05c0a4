//! Everything that a schema alone says against arguments.

use std::collections::HashSet;

use serde_json::Value;

use super::shown::{names_once, without_secrets};
use crate::arguments::hints::hinted;
use crate::arguments::invalid::TOLD;
use crate::arguments::sentences::{valid, worded};
use crate::arguments::{ArgumentProblem, InvalidArguments, ProblemKind};
use crate::schema::{Unions, Violation, ViolationKind, violations};
use crate::spec::ToolSpec;
use crate::util::pointer::overlap;

/// Refuses arguments of a tool made at run time that do not satisfy its schema.
pub(crate) fn by_schema(tree: &Value, spec: &ToolSpec) -> Result<(), InvalidArguments> {
    let promise = spec.promise();
    if promise.holds(tree) {
        return Ok(());
    }
    let root = spec.input_schema();
    let judged = promise.violations(tree);
    if judged
        .iter()
        .any(|violation| violation.kind == ViolationKind::TooMuch)
    {
        // Whoever asked what else is wrong would do the work that is too much.
        let all = judged.iter().flat_map(|violation| worded(violation, tree));
        return Err(InvalidArguments::new(all.collect()));
    }
    let walked = match promise.fault() {
        Some(_) => Vec::new(),
        None => violations(tree, root, Unions::Guessed),
    };
    let concerned: Vec<&Violation<'_>> = walked
        .iter()
        .filter(|violation| {
            violation.kind != ViolationKind::TooMuch
                && judged
                    .iter()
                    .any(|other| overlap(&other.pointer, &violation.pointer))
        })
        .collect();
    // There can be thousands, and putting one into words is not cheap.
    let is_missing =
        |violation: &&&Violation<'_>| matches!(violation.kind, ViolationKind::Missing(_));
    let (lacking, others): (Vec<_>, Vec<_>) = concerned.iter().partition(is_missing);
    let omitted = others.len().saturating_sub(TOLD) + lacking.len().saturating_sub(TOLD);
    let told = others.into_iter().take(TOLD);
    let told = told.chain(lacking.into_iter().take(TOLD));
    let mut problems: Vec<ArgumentProblem> = told.flat_map(|v| worded(v, tree)).collect();
    let places: HashSet<String> = problems.iter().map(|p| p.pointer().to_owned()).collect();
    for violation in &judged {
        let told = worded(violation, tree);
        // A description of the schema has no words for these.
        if matches!(
            violation.kind,
            ViolationKind::Count | ViolationKind::Excluded | ViolationKind::Contains
        ) {
            problems.retain(|problem| problem.pointer() != violation.pointer);
            problems.extend(told);
            continue;
        }
        let is_wide = matches!(
            violation.kind,
            ViolationKind::Union | ViolationKind::Somewhere
        );
        problems.extend(told.into_iter().filter(|problem| {
            let overlaps = |place: &String| overlap(problem.pointer(), place);
            let is_covered = is_wide && places.iter().any(overlaps);
            !is_covered && !places.contains(problem.pointer())
        }));
    }
    problems.sort_by_key(|problem| problem.kind() == ProblemKind::Missing);
    let problems = names_once(without_secrets(
        problems,
        tree,
        spec,
        ProblemKind::Constraint,
    ));
    let invalid = InvalidArguments::new(hinted(problems, root, tree)).with_omitted(omitted);
    Err(invalid.with_valid(valid(root)))
}

/// Returns what arguments do not keep of the schema although their types took them, beside the problems
/// that are known of them.
pub(super) fn unkept(
    tree: &Value,
    spec: &ToolSpec,
    known: &[ArgumentProblem],
) -> Vec<ArgumentProblem> {
    let found = spec.promise().violations(tree);
    // The report of the types is better where the form of a value is wrong.
    let is_told = |violation: &&Violation<'_>| {
        violation.kind.is_of_form()
            && known
                .iter()
                .any(|problem| overlap(problem.pointer(), &violation.pointer))
    };
    let left = found.iter().filter(|violation| !is_told(violation));
    let problems = left.flat_map(|violation| worded(violation, tree));
    without_secrets(problems, tree, spec, ProblemKind::Constraint)
}
