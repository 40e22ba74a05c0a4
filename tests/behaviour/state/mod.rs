//! The state of a session.

mod session_state;
