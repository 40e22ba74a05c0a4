//! Events and spans of calls.

mod acts;
mod calls;
mod sessions;
mod traces;
