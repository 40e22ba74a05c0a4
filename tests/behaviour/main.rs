//! Behaviour tests, a file for each part. A test that shows a row of the list of features carries
//! the row's id in its name.

mod arguments;
mod awaken_rows;
mod constraints;
mod context_rows;
mod contract_rows;
mod kiro_rows;
mod outcomes;
mod permission_rows;
mod pipeline_rows;
mod registry_rows;
mod resources;
mod returns;
mod spec_rows;
mod support;
