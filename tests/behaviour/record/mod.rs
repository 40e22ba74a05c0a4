//! The ports of records.

mod ports;
