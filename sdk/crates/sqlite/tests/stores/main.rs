//! The stores of a database: their contracts, in one process and in two, crashes, and files with faults.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "clippy allows them within test functions, and not in what these share"
)]

mod claims;
mod contracts;
mod crash;
mod faults;
mod files;
mod full_disk;
mod journal;
mod old;
mod process;
mod sample;
mod split;
