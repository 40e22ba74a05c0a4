//! Calls, results and errors as data, and the text that a model reads.

mod conversation;
mod errors;
mod failures;
mod not_finite;
mod outputs;
mod results;
mod returns;
mod typed_results;
