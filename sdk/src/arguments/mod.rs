//! The arguments of a call: as they came, as they are checked, repaired and kept.

pub(crate) mod argument;
mod canonical;
pub mod constraint;
pub(crate) mod entry;
mod extent;
mod found;
mod invalid;
pub(crate) mod mistakes;
mod once;
pub(crate) mod parse;
pub(crate) mod presets;
mod raw;
mod read;
mod reader;
mod repair;
mod rounded;
pub(crate) mod strict;
pub(crate) mod validate;

pub use argument::Argument;
pub(crate) use argument::{Parameter, ReadSlots, ReadTrackedFn, Slots, parameter};
pub use canonical::CanonicalArguments;
pub(crate) use entry::{ArgFlag, Entry, description, is_secret};
pub(crate) use extent::Excess;
pub(crate) use found::{found, shortened};
pub(crate) use invalid::TOLD;
pub use invalid::{ArgumentProblem, InvalidArguments, ProblemKind};
pub(crate) use once::{given_once, names_given_twice};
pub(crate) use parse::names::Order;
pub(crate) use parse::{SpecOf, not_an_object, run_time, valid_of_whole, worded};
pub(crate) use presets::{Presets, Samples};
pub use raw::Arguments;
pub(crate) use raw::View;
pub(crate) use read::{Place, Refusal};
pub(crate) use reader::{ArgumentReader, CheckFn, FillFn, ValidateFn};
pub use repair::{Repair, RepairKind, Repaired};
pub(crate) use rounded::rounded;
pub(crate) use validate::validated;

pub use crate::schema::{compare_numbers, same_json};
