//! The contract of a tool, its description, its results and errors, and its context.

mod context;
mod contract;
mod conversation;
mod errors;
mod results;
