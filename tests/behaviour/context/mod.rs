//! The context of a call: its facts, its resources, and the calls that it makes.

mod cancellation;
mod environment;
mod facts;
mod handed_on;
mod nested_calls;
mod read_only;
mod resources;
