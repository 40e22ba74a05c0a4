//! A library with tools that its users call by another name. A module for each way to write a tool.

pub mod functions;
