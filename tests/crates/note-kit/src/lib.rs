//! A library with tools that uses another one: who asks for the tools of this one gets no tool of the other. A module
//! for each way to write a tool.

pub mod functions;
