//! Policies.
#![allow(dead_code, reason = "the judge of a policy uses these")]

mod command;
mod host;
mod matching;
mod path;
mod rule;
mod shell;
