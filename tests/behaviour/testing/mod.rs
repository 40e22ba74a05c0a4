//! The help for the tests of tools.

mod determinism_check;
mod lint;
