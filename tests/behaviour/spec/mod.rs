//! The tool's description of itself.

mod declarations;
mod fields;
mod made_once;
mod schemas;
