//! Real definitions and calls, run as tools that are known only at run time.

mod case;
mod file;

pub use case::{Case, Ran};
pub use file::{Counts, Line, read};
