//! How the arguments of one tool are read.

use super::constraint::Checks;
use super::entry::Entry;
use super::parse::names::Order;
use super::presets::Presets;
use super::{InvalidArguments, ReadTrackedFn, Slots};

/// The part of a tool's constant definition that reading its arguments needs.
pub(crate) struct ArgumentReader<A: Slots> {
    pub(crate) arguments: &'static [Entry],
    pub(crate) order: Order,
    pub(crate) read_tracked: ReadTrackedFn<A>,
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
