//! Large results.

mod limits;
mod not_kept;
