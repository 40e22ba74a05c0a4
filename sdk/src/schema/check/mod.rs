//! Values judged by a schema.

mod admit;
mod applied;
pub(super) mod describe;
mod equal;
mod exact;
mod fits;
mod format;
mod hidden;
mod pattern;
pub(super) mod promise;
mod satisfiable;
mod scalars;
#[cfg_attr(not(feature = "json-schema"), path = "no_validator.rs")]
mod validator;
mod violation;
mod violations;
mod whole;

pub(crate) use admit::{admit, names_property};
pub(crate) use applied::{Guide, Rules, Said, TooMuch, integral};
pub(crate) use describe::describe;
pub use equal::equal as same_json;
pub(crate) use equal::equal;
pub use exact::compare as compare_numbers;
pub(crate) use exact::{Decimal, integer, is_whole};
pub(crate) use fits::refused_by;
pub use format::Format;
pub(crate) use hidden::{Hidden, marks_secret, may_hold_secret, names_secret};
pub(crate) use pattern::{WORK, compiled, of_matching, states};
pub(crate) use promise::Promise;
pub(crate) use satisfiable::nothing_fits;
pub(crate) use scalars::{MEMBERS, ScalarDefault, ScalarMember, ScalarMembers, is_exact};
pub(crate) use validator::{Validator, Whose};
pub(crate) use violation::{Violation, ViolationKind};
pub(crate) use violations::{Unions, required, violations, violations_among, weight};
pub(crate) use whole::whole;
