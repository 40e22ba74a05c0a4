//! The ports of records.

mod at_once;
mod ports;
