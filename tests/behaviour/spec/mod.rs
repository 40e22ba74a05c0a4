//! The tool's description of itself.

mod declarations;
mod fields;
mod schemas;
