//! Programs that have to compile, and those with a test have to run.
//!
//! A program is a module, because each binary would be linked separately. The two of lints are public: some lints look
//! only at what others may use. Those that look for the tools of the whole binary are in `discovered`.

#![allow(
    unreachable_pub,
    unused_qualifications,
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    reason = "a program is written as its subject needs it"
)]
// These are for whole crates; the others stand in `lints` and `forms_lints`.
#![deny(
    non_ascii_idents,
    rust_2021_compatibility,
    rust_2024_compatibility,
    future_incompatible
)]

mod attributes;
mod by_macro;
mod conditional_methods;
mod deprecated;
mod described_by_macros;
mod extension_traits;
mod facade;
mod forms_aliases;
mod forms_attributes;
mod forms_by_macro;
mod forms_deprecated;
mod forms_extension_traits;
mod forms_generics;
pub mod forms_lints;
mod forms_raw_identifiers;
mod forms_user_names;
pub mod lints;
mod mended_arguments;
mod mended_functions;
mod mended_keys;
mod mended_types;
mod nested;
mod no_implicit_prelude;
mod parameters;
mod parts_of_types;
mod question_mark;
mod raw_identifiers;
mod returned;
mod shadowed_names;
mod two_tools_of_one_name;
mod undocumented_argument;
