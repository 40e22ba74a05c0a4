//! Tools of a crate whose one dependency is `facade`: no toolwright of its own, and neither serde, schemars nor
//! inventory. A module for each way to write a tool.

pub mod functions;
pub mod keys;
pub mod methods;
pub mod structs;
pub mod types;
