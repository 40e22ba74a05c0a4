//! Everything that is wrong with the arguments of a call. Only a call that was refused gets here.
//!
//! Types are asked first: they are read until nothing of what was sent is refused. The schema says the
//! same in words, and the rest: of the parts that serde copies before it reads them, of constraints
//! that no type keeps, and of arguments for which there is no type.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::hints::hinted;
use super::invalid::{InvalidArguments, TOLD};
use super::raw::{Arguments, View};
use super::refusal::{
    EFFORT, Refusals, Refused, TypeRefusal, Unclear, is_within, read_traced, refusals,
};
use super::rounded::{own_name, rounded};
use super::sentences::{
    below, expected, found, missing, other_than, secret, too_much, unknown_argument, unknown_of,
    valid, worded,
};
use super::strict::{Flags, Trace, Tree, repeated};
use super::{ArgumentProblem, ProblemKind};
use crate::schema::{
    Hidden, Unions, Violation, ViolationKind, at, marks_secret, named, violations,
};
use crate::spec::ToolSpec;
use crate::util::pointer::unescaped;

/// The most problems that are looked at, some of them the same.
const SHOWN: usize = 5 * TOLD;

/// Reads an argument by its number.
type ReadArgument<'t> = &'t dyn Fn(usize, Tree<'_, TypeRefusal>, &Flags) -> Result<(), TypeRefusal>;

/// Returns which of some arguments break their constraints, each with true if it takes too much work to
/// find out.
type BrokenArguments<'t> = &'t dyn Fn(&[(usize, &Value)]) -> Vec<(usize, bool)>;

/// The arguments of a tool as its types read them.
pub(crate) struct ArgumentTypes<'t> {
    /// The names, in the order of their declaration; `None` if one type reads all arguments.
    pub(crate) names: Option<&'t [&'static str]>,
    /// Reads one of the arguments, or all of them.
    pub(crate) read: ReadArgument<'t>,
    pub(crate) broken: BrokenArguments<'t>,
}

impl ArgumentTypes<'_> {
    fn index(&self, name: &str) -> Option<usize> {
        self.names?.iter().position(|own| *own == name)
    }
}

/// Returns everything that is wrong with arguments, by the types that read them. There is no problem
/// if the types take them.
#[cold]
pub(crate) fn diagnose(
    arguments: &Arguments<'_>,
    types: &ArgumentTypes<'_>,
    spec: &ToolSpec,
) -> InvalidArguments {
    if let Some(invalid) = InvalidArguments::too_deep(arguments.view()) {
        return invalid;
    }
    let root = spec.checked_schema();
    let members = match arguments.members(spec) {
        Ok(members) => members,
        Err(invalid) => return invalid.with_valid(valid(root)),
    };
    let mut report = Diagnosis::default();
    let (tree, order) = report.named(members, types, spec);
    let all = violations(&tree, root, Unions::Named);
    let (mut effort, mut trace) = (EFFORT, Trace::default());
    let mut fine: Vec<(usize, &Value)> = Vec::new();
    let mut seen: HashSet<usize> = HashSet::new();
    for (place, name) in order.iter().enumerate() {
        report.place = place;
        let (index, top, value) = match (types.names, types.index(name)) {
            (None, _) if place == 0 => (0, String::new(), &tree),
            (Some(_), Some(index)) => (index, below("", name), &tree[name]),
            _ => continue,
        };
        if !seen.insert(index) {
            continue;
        }
        let mut read =
            |tree: Tree<'_, TypeRefusal>, flags: &Flags| (types.read)(index, tree, flags);
        let found = refusals(value, &mut effort, &mut trace, &mut read);
        if found.refused.is_empty() {
            fine.push((index, value));
        } else {
            report.of_types(&top, found, &all, &tree, root);
        }
    }
    for (index, is_too_much) in (types.broken)(&fine) {
        let name = types.names.and_then(|names| names.get(index));
        let Some(place) = name.and_then(|name| order.iter().position(|own| own == name)) else {
            continue;
        };
        report.place = place;
        let (top, value) = (below("", &order[place]), &tree[&order[place]]);
        match at(root, &top) {
            _ if is_too_much => report.add(too_much(top)),
            Some(node) => {
                report.add(other_than(ProblemKind::Constraint, top, value, node, root));
            }
            None => {}
        }
    }
    report.problems.sort_by_key(|(place, _)| *place);
    let problems = report.problems.into_iter().map(|(_, problem)| problem);
    let mut problems = hinted(problems.collect(), root, &tree);
    if types.names.is_some() {
        let lacks = all.iter().filter(|violation| {
            violation.pointer.is_empty() && matches!(violation.kind, ViolationKind::Missing(_))
        });
        problems.extend(lacks.flat_map(|violation| worded(violation, &tree)));
    }
    let more = given_twice(arguments.view(), spec)
        .into_iter()
        .chain(copied(&tree, spec, &trace))
        .chain(unkept(&tree, spec, &problems))
        .chain(rounded(arguments.view(), Some(spec)));
    for problem in more.collect::<Vec<_>>() {
        if problems
            .iter()
            .all(|told| told.pointer() != problem.pointer())
        {
            problems.push(problem);
        }
    }
    InvalidArguments::new(names_once(without_secrets(
        problems,
        &tree,
        spec,
        ProblemKind::Type,
    )))
    .with_omitted(report.omitted)
    .with_valid(valid(root))
}

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
            (types.read)(index, tree, flags)
        })
        .ok()
    };
    match types.names {
        None => {
            read(0, tree);
        }
        Some(names) => {
            for (index, name) in names.iter().enumerate() {
                tree.get(name).and_then(|value| read(index, value));
            }
        }
    }
    copied(tree, spec, &trace)
}

/// Returns the names that an object in a text has twice.
fn given_twice(arguments: View<'_>, spec: &ToolSpec) -> Vec<ArgumentProblem> {
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
fn copied(tree: &Value, spec: &ToolSpec, trace: &Trace) -> Vec<ArgumentProblem> {
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
fn is_number(violation: &Violation<'_>, tree: &Value) -> bool {
    let value = tree.pointer(&violation.pointer);
    value.is_some_and(|value| !value.is_string())
}

/// Returns what arguments do not keep of the schema although their types took them, beside the problems
/// that are known of them.
fn unkept(tree: &Value, spec: &ToolSpec, known: &[ArgumentProblem]) -> Vec<ArgumentProblem> {
    let found = spec.promise().violations(tree);
    // The report of the types is better where the form of a value is wrong.
    let is_told = |violation: &&Violation<'_>| {
        violation.kind.is_of_form()
            && known
                .iter()
                .any(|problem| overlap(problem.pointer(), &violation.pointer))
    };
    let left = found.iter().filter(|violation| !is_told(violation));
    let problems = left.flat_map(|violation| worded(violation, tree)).collect();
    without_secrets(problems, tree, spec, ProblemKind::Constraint)
}

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

    /// Makes a tree in which each argument has its own name, and tells of names that there are not.
    /// Returns the names too, as they were sent.
    fn named(
        &mut self,
        members: Vec<(String, Value)>,
        types: &ArgumentTypes<'_>,
        spec: &ToolSpec,
    ) -> (Value, Vec<String>) {
        let aliases = spec.argument_aliases();
        let root = spec.checked_schema();
        let (mut tree, mut order) = (Map::new(), Vec::new());
        let own = |key: &str| {
            let alias = aliases.iter().find(|(alias, _)| *alias == key);
            alias.map_or(key, |(_, name)| *name).to_owned()
        };
        let given: HashSet<String> = members.iter().map(|(key, _)| own(key)).collect();
        for (key, value) in members {
            let name = own(&key);
            self.place = order.len();
            order.push(name.clone());
            if tree.contains_key(&name) {
                self.push(|| ArgumentProblem::given_twice(below("", &name)));
                continue;
            }
            if types.names.is_some() && types.index(&name).is_none() {
                let names = types.names.into_iter().flatten().copied();
                let left = names.filter(|name| !given.contains(*name));
                self.push(|| unknown_argument(&key, left, root));
            }
            tree.insert(name, value);
        }
        if order.is_empty() {
            // The one type may refuse that there is nothing.
            order.push(String::new());
        }
        (Value::Object(tree), order)
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
        let place = |at: &str| format!("{top}{at}");
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

/// Puts a refusal into words: those of the schema, because serde's own name private types.
fn of_refusal(place: &str, why: &TypeRefusal, tree: &Value, root: &Value) -> ArgumentProblem {
    let value = tree.pointer(place).unwrap_or(&Value::Null);
    let kind = match why {
        TypeRefusal::Missing(name) if value.is_object() => {
            let place = below(place, name);
            let expected = expected(&place, root);
            return missing(place, expected);
        }
        TypeRefusal::Repeated(name) if value.is_object() => {
            let words = "is given more than once, under different names";
            return ArgumentProblem::new(ProblemKind::Repeated, below(place, name), words);
        }
        TypeRefusal::TooMuch => return too_much(place.to_owned()),
        TypeRefusal::NotAllowed => ProblemKind::Constraint,
        _ => ProblemKind::Type,
    };
    // The schema may say nothing clear of the place; what is around it is told then.
    let mut around = place;
    loop {
        let node = at(root, around);
        let value = tree.pointer(around).unwrap_or(&Value::Null);
        if let Some(node) = node {
            if around == place {
                return other_than(kind, place.to_owned(), value, node, root);
            }
            let rest = &place[around.len() + 1..];
            let key = unescaped(rest.split('/').next().unwrap_or_default());
            let (Some(fields), Some(properties)) =
                (value.as_object(), node["properties"].as_object())
            else {
                return other_than(kind, around.to_owned(), value, node, root);
            };
            let inner = fields.get(&key).unwrap_or(&Value::Null);
            if matches!(why, TypeRefusal::Unknown(..)) {
                return unknown_of(&key, around, node, Some(fields));
            }
            // The schema does not say what an alias is another name of: perhaps of a secret.
            let (place, expected) = (below(around, &key), "another value".to_owned());
            if named(properties, &key).is_none()
                && properties.values().any(|node| marks_secret(node, root))
            {
                return secret(kind, place, expected, inner);
            }
            return ArgumentProblem::other(kind, place, expected, found(inner));
        }
        let Some((outer, _)) = around.rsplit_once('/') else {
            return ArgumentProblem::other(kind, place, "another value", found(value));
        };
        around = outer;
    }
}

/// Returns true if one place is the other, or in it.
fn overlap(one: &str, other: &str) -> bool {
    is_within(one, other) || is_within(other, one)
}

/// Says once for each object which names it has.
fn names_once(problems: Vec<ArgumentProblem>) -> Vec<ArgumentProblem> {
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
fn without_secrets(
    problems: Vec<ArgumentProblem>,
    tree: &Value,
    spec: &ToolSpec,
    inside: ProblemKind,
) -> Vec<ArgumentProblem> {
    let mut shown: Vec<ArgumentProblem> = Vec::new();
    let mut hidden = spec.hidden();
    for problem in problems {
        if shown.len() == SHOWN {
            break;
        }
        let problem = masked(&problem, tree, spec, &mut hidden, inside).unwrap_or(problem);
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
