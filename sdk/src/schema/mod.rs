//! JSON Schemas: [`make`] draws the portable schema of a type, [`check`] judges a value by one.

pub(crate) mod check;
mod fault;
mod keywords;
pub(crate) mod make;
mod multiple;
mod path;
pub(crate) mod places;
mod refs;
#[cfg(test)]
mod tests;
mod walk;

pub(crate) use check::{
    Decimal, Guide, Hidden, MEMBERS, Promise, Rules, Said, ScalarDefault, ScalarMember,
    ScalarMembers, TooMuch, Unions, Validator, Violation, ViolationKind, WORK, Whose, admit,
    compiled, describe, equal, integer, integral, is_exact, is_whole, marks_secret,
    may_hold_secret, names_property, names_secret, nothing_fits, of_matching, refused_by, required,
    states, violations, violations_among, weight, whole,
};
pub use check::{Format, compare_numbers, same_json};
pub use fault::{SchemaError, SchemaFault, Unenforced};
pub(crate) use keywords::{Keyword, Keywords};
pub(crate) use make::{
    ENFORCED, Marked, MemberOrder, Ordered, OutputSchema, Property, SchemaFn, Unkept, input_schema,
    is_kept_by_types, narrow, whole_input_schema, write_input_schema, written,
};
pub(crate) use multiple::is_multiple;
pub(crate) use path::{at, has_aliases, named, take_aliases};
pub(crate) use refs::resolved;
