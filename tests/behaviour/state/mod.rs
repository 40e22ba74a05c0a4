//! The state of a session.

mod persistence;
mod session_state;
