//! The journal of calls.

mod crash;
mod ends;
mod failing;
mod hashes;
mod large;
mod order;
mod records;
mod recovery;
mod replay;
mod secrets;
mod support;
mod tampering;
mod waiting;
