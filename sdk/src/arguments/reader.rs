//! The reader of the arguments of one tool.

use serde_json::Value;

use super::constraint::Checks;
use super::entry::Entry;
use super::parse::names::NameOrder;
use super::presets::Presets;
use super::refusal::{TypeRefusal, read_traced};
use super::strict::{Flags, Trace, Tree};
use super::{InvalidArguments, ReadArgumentFn, Slots};

/// The part of a tool's constant definition that reading its arguments needs.
pub(crate) struct ArgumentReader<A: Slots> {
    pub(crate) arguments: &'static [Entry],
    pub(crate) order: NameOrder,
    pub(crate) read: ReadArgumentFn<A>,
    /// The one argument is the whole object.
    pub(crate) flat: bool,
    /// Names each default once, for the schema and to fill it in.
    pub(crate) fill: Option<FillFn<A>>,
    /// Names each constraint once, for the schema and for the check.
    pub(crate) check: Option<CheckFn<A>>,
    /// Judges arguments that are valid one by one.
    pub(crate) validate: Option<ValidateFn<A>>,
}

pub(crate) type FillFn<A> = fn(&mut Presets, &mut <A as Slots>::Slots);
pub(crate) type CheckFn<A> = fn(&mut Checks<'_>, &<A as Slots>::Slots);
pub(crate) type ValidateFn<A> = fn(&A) -> Result<(), InvalidArguments>;

impl<A: Slots> ArgumentReader<A> {
    /// Returns the arguments as their types read them, for reports and schemas.
    pub(crate) fn types(&self) -> ArgumentTypes<'_> {
        ArgumentTypes {
            entries: self.arguments,
            flat: self.flat,
            has_defaults: self.fill.is_some(),
            has_constraints: self.check.is_some(),
            typed: self,
        }
    }
}

/// The arguments of a tool as its types read them, whatever the types. It is compiled once, and an [`ArgumentReader`]
/// for each tool: all that no good call needs stands here.
#[derive(Clone, Copy)]
pub(crate) struct ArgumentTypes<'t> {
    /// The arguments in the order of their declaration.
    pub(crate) entries: &'static [Entry],
    /// The one argument is the whole object.
    pub(crate) flat: bool,
    pub(crate) has_defaults: bool,
    pub(crate) has_constraints: bool,
    typed: &'t dyn TypedArguments,
}

impl ArgumentTypes<'_> {
    /// Returns the name of an argument, unless one type reads all arguments.
    pub(super) fn name(&self, index: usize) -> Option<&'static str> {
        self.names().nth(index)
    }

    /// Returns the names of the arguments; none if one type reads all arguments.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        let named = if self.flat { &[] } else { self.entries };
        named.iter().map(|entry| entry.0)
    }

    pub(super) fn index(&self, name: &str) -> Option<usize> {
        self.names().position(|own| own == name)
    }

    /// Reads one of the arguments, or all of them if one type does.
    pub(super) fn read(
        &self,
        index: usize,
        tree: Tree<'_, TypeRefusal>,
        flags: &Flags,
    ) -> Result<(), TypeRefusal> {
        self.typed.read_one(index, tree, flags)
    }

    /// The values of arguments that are left out, for those with a default.
    pub(crate) fn defaults(&self) -> Presets {
        let mut presets = Presets::showing();
        self.typed.name_defaults(&mut presets);
        presets
    }

    /// Names the constraints, for arguments as they are given.
    pub(crate) fn check(&self, checks: &mut Checks<'_>, given: Given<'_>) {
        self.typed.name_constraints(checks, given);
    }

    /// Returns which of some arguments break their constraints, each with true if it takes too much work to find out.
    pub(super) fn broken(&self, fine: &[(usize, &Value)]) -> Vec<(usize, bool)> {
        if !self.has_constraints {
            return Vec::new();
        }
        let mut checks = Checks::checking();
        self.check(&mut checks, Given::Values(fine));
        let too_much = checks.too_much();
        let failed = checks.failed().iter();
        failed.map(|index| (index, too_much.has(index))).collect()
    }
}

/// The arguments that constraints are named for.
#[derive(Clone, Copy)]
pub(crate) enum Given<'v> {
    /// No argument.
    Nothing,
    /// The arguments with a default.
    Defaults,
    /// The arguments of these numbers, which their types have read before.
    Values(&'v [(usize, &'v Value)]),
}

/// The steps of [`ArgumentTypes`] that need the types.
trait TypedArguments {
    fn read_one(
        &self,
        index: usize,
        tree: Tree<'_, TypeRefusal>,
        flags: &Flags,
    ) -> Result<(), TypeRefusal>;

    fn name_defaults(&self, presets: &mut Presets);

    fn name_constraints(&self, checks: &mut Checks<'_>, given: Given<'_>);
}

impl<A: Slots> TypedArguments for ArgumentReader<A> {
    fn read_one(
        &self,
        index: usize,
        tree: Tree<'_, TypeRefusal>,
        flags: &Flags,
    ) -> Result<(), TypeRefusal> {
        (self.read)(&mut A::empty(), index, tree, flags)
    }

    fn name_defaults(&self, presets: &mut Presets) {
        if let Some(fill) = self.fill {
            fill(presets, &mut A::empty());
        }
    }

    fn name_constraints(&self, checks: &mut Checks<'_>, given: Given<'_>) {
        let Some(check) = self.check else { return };
        let mut slots = A::empty();
        match (given, self.fill) {
            (Given::Defaults, Some(fill)) => fill(&mut Presets::filling(), &mut slots),
            (Given::Values(values), _) => {
                for (index, value) in values {
                    // They were read before.
                    let _ = read_traced(value, &Trace::default(), &mut |tree, flags| {
                        (self.read)(&mut slots, *index, tree, flags)
                    });
                }
            }
            (Given::Nothing | Given::Defaults, _) => {}
        }
        check(checks, &slots);
    }
}
