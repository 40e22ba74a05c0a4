//! The arguments of a call: as they came, as they are checked, repaired and kept.

pub(crate) mod argument;
mod canonical;
pub mod constraint;
mod decode;
mod diagnose;
pub(crate) mod entry;
mod extent;
mod hints;
mod invalid;
pub(crate) mod mistakes;
mod once;
pub(crate) mod parse;
pub(crate) mod presets;
mod raw;
mod read;
mod reader;
mod refusal;
mod repair;
mod rounded;
mod sentences;
pub(crate) mod strict;
pub(crate) mod validate;

pub use argument::Argument;
pub(crate) use argument::{Parameter, ReadFn, ReadSlots, Slots, parameter};
pub use canonical::CanonicalArguments;
pub(crate) use diagnose::{by_schema, diagnose, unseen};
pub(crate) use entry::{ArgFlag, Entry, description, is_secret};
pub(crate) use extent::Excess;
pub use invalid::{ArgumentProblem, InvalidArguments, ProblemKind};
pub(crate) use parse::SpecOf;
pub(crate) use parse::names::Order;
pub(crate) use presets::{Presets, Samples};
pub use raw::Arguments;
pub(crate) use raw::View;
pub(crate) use read::Place;
pub(crate) use reader::{ArgumentReader, CheckFn, FillFn, ValidateFn};
pub(crate) use refusal::Refusal;
pub use repair::{Repair, RepairKind, Repaired};
pub(crate) use rounded::rounded;
pub(crate) use sentences::{below, found, shortened, valid, worded};
pub(crate) use validate::validated;

pub use crate::schema::{compare_numbers, same_json};
