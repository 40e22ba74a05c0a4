//! Tools of a crate whose Cargo.toml calls toolwright `tw`. A module for each way to write a tool.

pub mod forms;
pub mod functions;
