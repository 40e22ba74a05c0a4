//! Everything that is wrong with the arguments of a call. Only a call that was refused gets here.
//!
//! Types are asked first: they are read until nothing of what was sent is refused. The schema says the
//! same in words, and the rest: of the parts that serde copies before it reads them, of constraints
//! that no type keeps, and of arguments for which there is no type.

use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::Value;

use super::decode::NamedArguments;
use super::hints::hinted;
use super::invalid::{InvalidArguments, TOLD};
use super::raw::{Arguments, View};
use super::reader::ArgumentTypes;
use super::refusal::{EFFORT, Refusals, Refused, TypeRefusal, Unclear, refusals};
use super::repair::ReadTree;
use super::rounded::rounded;
use super::sentences::{other_than, too_much, unknown_argument, valid, worded};
use super::strict::{Flags, Trace, Tree};
use super::{ArgumentProblem, ProblemKind};
use crate::schema::{Unions, Violation, ViolationKind, at, violations_among};
use crate::spec::ToolSpec;
use crate::util::lookup::MemberLookup;
use crate::util::pointer::{below, is_within, overlap};

mod by_schema;
mod of_refusal;
mod shown;
mod unseen;

pub(crate) use by_schema::by_schema;
use by_schema::unkept;
use of_refusal::of_refusal;
use shown::{names_once, without_secrets};
pub(crate) use unseen::unseen;
use unseen::{copied, given_twice, is_number};

/// Returns everything that is wrong with arguments, by the types that read them. There is no problem
/// if the types take them. `tree` is that of their text, where it was read for a repair, and the first `read` of them
/// are known to be taken.
#[cold]
pub(crate) fn diagnose(
    arguments: &Arguments<'_>,
    tree: Option<ReadTree<'_>>,
    read: usize,
    types: &ArgumentTypes<'_>,
    spec: &ToolSpec,
) -> InvalidArguments {
    if let Some(invalid) = InvalidArguments::too_deep(arguments.view()) {
        return invalid;
    }
    let root = spec.checked_schema();
    // A tree that was read has neither names that are given twice nor numbers that were rounded.
    let unread = match tree {
        Some(_) => View::Empty,
        None => arguments.view(),
    };
    let named = match arguments.named(tree, spec) {
        Ok(named) => named,
        Err(invalid) => return invalid.with_shared_valid(spec.valid_arguments(valid)),
    };
    let mut report = Diagnosis::default();
    let indices = report.names(&named, types, root);
    let NamedArguments {
        tree,
        mut order,
        again,
    } = named;
    if order.is_empty() {
        // The one type may refuse that there is nothing.
        order.push("".into());
    }
    let (mut effort, mut trace) = (EFFORT, Trace::default());
    let mut fine = Vec::with_capacity(order.len());
    // The members of the tree that the types do not take.
    let mut others: Vec<&str> = Vec::new();
    let mut refused: Vec<(usize, Refusals)> = Vec::new();
    let mut members = tree.as_object().map(MemberLookup::of);
    for (place, name) in order.iter().enumerate() {
        let (index, value) = match indices.get(place) {
            _ if types.flat && place == 0 => (0, &*tree),
            Some(Some(index)) if again.binary_search(&place).is_err() => {
                let member = members.as_mut().and_then(|members| members.get(name));
                (*index, member.map_or(&Value::Null, |(_, value)| value))
            }
            Some(Some(_)) => continue,
            _ => {
                others.push(name);
                continue;
            }
        };
        if place < read {
            fine.push((index, value));
            continue;
        }
        let mut read = |tree: Tree<'_, TypeRefusal>, flags: &Flags| types.read(index, tree, flags);
        let found = refusals(value, &mut effort, &mut trace, &mut read);
        if found.refused.is_empty() {
            fine.push((index, value));
        } else {
            others.push(name);
            refused.push((place, found));
        }
    }
    others.sort_unstable();
    // The words of the schema are for what the types refuse, and for what is missing.
    let others = (!types.flat).then_some(&others[..]);
    let all = violations_among(&tree, root, Unions::Named, others);
    for (place, found) in refused {
        report.place = place;
        let top = if types.flat {
            String::new()
        } else {
            below("", &order[place])
        };
        report.of_types(&top, found, &all, &tree, root);
    }
    let broken = types.broken(&fine);
    report.constraints(&broken, types, &order, &tree, root);
    report.problems.sort_by_key(|(place, _)| *place);
    let problems = report.problems.into_iter().map(|(_, problem)| problem);
    let mut problems = hinted(problems.collect(), root, &tree);
    if !types.flat {
        let lacks = all.iter().filter(|violation| {
            violation.pointer.is_empty() && matches!(violation.kind, ViolationKind::Missing(_))
        });
        problems.extend(lacks.flat_map(|violation| worded(violation, &tree)));
    }
    let more = given_twice(unread, spec)
        .into_iter()
        .chain(copied(&tree, spec, &trace))
        .chain(unkept(&tree, spec, &problems))
        .chain(rounded(unread, Some(spec)));
    let more: Vec<ArgumentProblem> = more.collect();
    if !more.is_empty() {
        let told = problems.iter().map(|p| p.pointer().to_owned());
        let mut told: HashSet<String> = told.collect();
        let is_new = |p: &ArgumentProblem| told.insert(p.pointer().to_owned());
        problems.extend(more.into_iter().filter(is_new));
    }
    InvalidArguments::new(names_once(without_secrets(
        problems,
        &tree,
        spec,
        ProblemKind::Type,
    )))
    .with_omitted(report.omitted)
    .with_shared_valid(spec.valid_arguments(valid))
}

/// The problems of a call, as they are found.
#[derive(Default)]
struct Diagnosis {
    /// Each with the place of its argument among those that were sent.
    problems: Vec<(usize, ArgumentProblem)>,
    omitted: usize,
    /// The place of the argument that is looked at.
    place: usize,
}

impl Diagnosis {
    fn add(&mut self, problem: ArgumentProblem) {
        if self.problems.iter().all(|(_, told)| *told != problem) {
            self.problems.push((self.place, problem));
        }
    }

    /// Adds a problem of which there can be any number.
    fn push(&mut self, problem: impl FnOnce() -> ArgumentProblem) {
        if self.problems.len() < TOLD {
            self.add(problem());
        } else {
            self.omitted += 1;
        }
    }

    /// Tells of names that there are not, or that are given twice. Returns the number of the argument that each is of.
    fn names(
        &mut self,
        named: &NamedArguments<'_>,
        types: &ArgumentTypes<'_>,
        root: &Value,
    ) -> Vec<Option<usize>> {
        let indices = named.order.iter().map(|name| types.index(name));
        let indices: Vec<Option<usize>> = indices.collect();
        for (place, name) in named.order.iter().enumerate() {
            self.place = place;
            if named.again.binary_search(&place).is_ok() {
                self.push(|| ArgumentProblem::given_twice(below("", name)));
            } else if !types.flat && indices[place].is_none() {
                let left = types.names().filter(|name| named.tree.get(name).is_none());
                self.push(|| unknown_argument(name, left, root));
            }
        }
        indices
    }

    /// Adds the arguments that break their constraints.
    fn constraints(
        &mut self,
        broken: &[(usize, bool)],
        types: &ArgumentTypes<'_>,
        order: &[Cow<'_, str>],
        tree: &Value,
        root: &Value,
    ) {
        for &(index, is_too_much) in broken {
            let name = types.name(index);
            let Some(place) = name.and_then(|name| order.iter().position(|own| own == name)) else {
                continue;
            };
            self.place = place;
            let (top, value) = (below("", &order[place]), &tree[&*order[place]]);
            match at(root, &top) {
                _ if is_too_much => self.add(too_much(top)),
                Some(node) => {
                    self.add(other_than(ProblemKind::Constraint, top, value, node, root));
                }
                None => {}
            }
        }
    }

    /// Adds what the type of an argument refuses, in the words of the schema.
    fn of_types(
        &mut self,
        top: &str,
        found: Refusals,
        all: &[Violation<'_>],
        tree: &Value,
        root: &Value,
    ) {
        let Refusals {
            refused,
            unclear,
            is_cut,
        } = found;
        let place = |at: &str| [top, at].concat();
        let mut told: Vec<String> = Vec::new();
        for Refused { at, why, is_copied } in &refused {
            let at = place(at);
            let exact = match why {
                TypeRefusal::Missing(name) | TypeRefusal::Repeated(name) => below(&at, name),
                _ => at.clone(),
            };
            let is_tag = matches!(why, TypeRefusal::NoVariant(..) | TypeRefusal::Says(_));
            let is_meant = |violation: &&Violation<'_>| match violation.kind {
                // Other names of a branch are known to the type alone.
                ViolationKind::Tag(_) if *is_copied && !is_tag => is_number(violation, tree),
                _ if *is_copied => is_within(&violation.pointer, &at),
                _ => !matches!(why, TypeRefusal::Repeated(_)) && violation.place() == exact,
            };
            let of_schema: Vec<&Violation<'_>> = all.iter().filter(is_meant).collect();
            if of_schema.is_empty() {
                self.push(|| of_refusal(&at, why, tree, root));
            }
            let kind = match why {
                _ if *is_copied => None,
                TypeRefusal::NotAllowed => Some(ProblemKind::Constraint),
                _ => Some(ProblemKind::Type),
            };
            for violation in of_schema {
                self.violation(violation, kind, tree, &mut told);
            }
            told.push(exact);
        }
        for Unclear { at, only_missing } in &unclear {
            let at = place(at);
            for violation in all.iter().filter(|v| is_within(&v.pointer, &at)) {
                let is_missing = matches!(violation.kind, ViolationKind::Missing(_));
                if !only_missing || (is_missing && violation.pointer == at) {
                    self.violation(violation, None, tree, &mut told);
                }
            }
        }
        if is_cut {
            for violation in all.iter().filter(|v| is_within(&v.pointer, top)) {
                self.violation(violation, None, tree, &mut told);
            }
        }
    }

    /// Adds a violation, unless its place was told. A value that is not as the schema says is of the
    /// given kind to its type.
    fn violation(
        &mut self,
        violation: &Violation<'_>,
        kind: Option<ProblemKind>,
        tree: &Value,
        told: &mut Vec<String>,
    ) {
        let place = violation.place();
        if violation.kind == ViolationKind::TooMuch
            || told.iter().any(|other| overlap(other, &place))
        {
            return;
        }
        if self.problems.len() < TOLD {
            for problem in worded(violation, tree) {
                let is_value =
                    matches!(problem.kind(), ProblemKind::Type | ProblemKind::Constraint);
                match kind.filter(|_| is_value) {
                    Some(kind) => self.add(problem.with_kind(kind)),
                    None => self.add(problem),
                }
            }
            told.push(place);
        } else {
            self.omitted += 1;
        }
    }
}
