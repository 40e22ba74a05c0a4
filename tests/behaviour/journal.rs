//! The journal of calls.

mod crash;
mod ends;
mod failing;
mod large;
mod order;
mod recovery;
mod rows;
mod secrets;
mod support;
mod tampering;
mod waiting;
