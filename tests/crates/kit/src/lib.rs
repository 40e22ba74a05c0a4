//! A library with tools, as an app would use it: some are announced, and one is not. A module for each way to write
//! a tool.

pub mod functions;
