//! Policies.
#![allow(dead_code, reason = "the judge of a policy uses these")]

mod command;
mod matching;
mod shell;
