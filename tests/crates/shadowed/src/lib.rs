//! Tools of a crate in which no name of the standard library means what it means elsewhere: there is no prelude, and
//! the crate has types, traits, modules and macros of those names. Nor may it have a warning. A module for each way
//! to write a tool, with all of that in scope.

#![no_implicit_prelude]
#![forbid(unsafe_code)]
#![deny(
    warnings,
    clippy::pedantic,
    missing_debug_implementations,
    missing_docs,
    nonstandard_style,
    rust_2018_idioms,
    single_use_lifetimes,
    unreachable_pub,
    unused,
    unused_qualifications
)]

/// No macro of the standard library may be used.
macro_rules! shadow {
    ($($name:ident)*) => { $(
        #[allow(unused_macros)]
        macro_rules! $name {
            ($d:tt) => {
                ::core::compile_error!("not meant")
            };
        }
    )* };
}
shadow! {
    assert assert_eq column concat debug_assert env file format format_args include_str line matches module_path
    panic print println stringify todo unimplemented unreachable vec write writeln
    discover register submit
}

pub mod functions;
pub mod methods;
pub mod names;
pub mod structs;
pub mod types;

pub use names::primitives::*;
pub use names::*;
