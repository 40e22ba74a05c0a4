//! `?` on the errors of others, into whatever can be displayed.

#![deny(warnings)]

use std::error::Error;
use std::{fs, io};
use toolwright::{ToolError, ToolRegistry, tool};

/// Read a text file.
#[tool(read_only)]
fn read(path: String) -> Result<String, io::Error> {
    let text = fs::read_to_string(path)?;
    Ok(text)
}

/// Read a number from a file.
#[tool(read_only)]
async fn read_number(path: String) -> Result<u32, Box<dyn Error + Send + Sync>> {
    Ok(fs::read_to_string(path)?.trim().parse()?)
}

/// Read a truth value from a file.
#[tool(read_only)]
async fn read_truth(path: String) -> Result<bool, ToolError> {
    Ok(fs::read_to_string(path)?.trim().parse()?)
}

#[test]
fn program_runs() {
    let tools = ToolRegistry::new()
        .with(Read)
        .with(ReadNumber)
        .with(ReadTruth);
    assert_eq!(tools.len(), 3);
}
