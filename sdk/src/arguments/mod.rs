//! The arguments of a call, from the text or tree that a model sent to the values that a tool takes.
//!
//! 1. **decode** (`raw`, `decode`): the arguments as they came, and the members of the object that they are.
//! 2. **read** (`strict`, `parse`; `read` for a type without a tool): one strict pass into the types. What serde
//!    copies before it reads it, and what types do not keep of the schema, is checked by the schema.
//! 3. **diagnose** (`refusal`, `diagnose`, `rounded`, `hints`): everything that is wrong, after that pass has failed.
//!    The types are read again without the parts that they refused, so that each part is refused for itself; the rest
//!    the one walk along value and schema tells, `violations` of `schema/check`.
//!    All words stand in `sentences`.
//! 4. **repair** (`repair`): what was probably meant, if it can only be one thing; then the arguments are read again.
//! 5. **canonical** (`canonical`): the one form that rules, people, tickets and hashes see of arguments that are right.
//!
//! No step looks at a value that was not sent. A step uses those before it.

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
mod shown;
pub(crate) mod strict;
pub(crate) mod validate;

pub use argument::Argument;
pub(crate) use argument::{Parameter, ReadArgumentFn, ReadSlots, Slots, parameter};
pub use canonical::CanonicalArguments;
pub(crate) use decode::Pairs;
pub(crate) use diagnose::{by_schema, diagnose, unseen};
pub(crate) use entry::{ArgFlag, Entry, description, is_secret};
pub(crate) use extent::Excess;
pub use invalid::{ArgumentProblem, InvalidArguments, ProblemKind};
pub(crate) use parse::SpecOf;
pub(crate) use parse::names::NameOrder;
pub(crate) use presets::{Presets, Samples};
pub use raw::Arguments;
pub(crate) use raw::View;
pub(crate) use read::ReadPlace;
pub(crate) use reader::{ArgumentReader, ArgumentTypes, CheckFn, FillFn, Given, ValidateFn};
pub(crate) use refusal::TypeRefusal;
pub(crate) use repair::ReadTree;
pub use repair::{Repair, RepairKind, Repaired};
pub(crate) use rounded::rounded;
pub(crate) use sentences::{found, shortened, valid, worded};
pub(crate) use shown::ShownArguments;
pub(crate) use validate::validated;

pub use crate::schema::{compare_numbers, same_json};
