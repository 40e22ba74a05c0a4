//! Behaviour tests, a file for each part. A test that shows a row of the list of features carries
//! the row's id in its name.

mod agentkit_rows;
mod awaken_rows;
mod kiro_rows;
mod registry_rows;
