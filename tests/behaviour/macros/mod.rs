//! Tools and types of tools made by the macros.

mod author_mistakes;
mod derives;
mod forms;
mod keys;
mod same_in_all_forms;
mod tool_types;
mod toolset;
