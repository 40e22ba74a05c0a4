//! The reader of the arguments of one tool.

use serde_json::Value;

use super::constraint::Checks;
use super::diagnose::ArgumentTypes;
use super::entry::Entry;
use super::parse::names::NameOrder;
use super::presets::Presets;
use super::refusal::read_traced;
use super::strict::Trace;
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
    /// Gives the types of the arguments to a function that reads one or the other of them.
    pub(super) fn with_types<T>(&self, ask: impl FnOnce(&ArgumentTypes<'_>) -> T) -> T {
        let names: Vec<&'static str> = self.arguments.iter().map(|entry| entry.0).collect();
        let broken = |fine: &[(usize, &Value)]| {
            let Some(check) = self.check else {
                return Vec::new();
            };
            let mut slots = A::empty();
            for (index, value) in fine {
                // They were read before.
                let _ = read_traced(value, &Trace::default(), &mut |tree, flags| {
                    (self.read)(&mut slots, *index, tree, flags)
                });
            }
            let mut checks = Checks::checking();
            check(&mut checks, &slots);
            let failed = checks.failed().iter();
            failed
                .map(|index| (index, checks.too_much().has(index)))
                .collect()
        };
        ask(&ArgumentTypes {
            names: (!self.flat).then_some(&names[..]),
            read: &|index, tree, flags| (self.read)(&mut A::empty(), index, tree, flags),
            broken: &broken,
        })
    }
}
