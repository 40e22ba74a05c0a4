//! The abilities that only one form has: the value of a toolset, the names of a closed set.

mod closed_sets;
mod toolsets;
