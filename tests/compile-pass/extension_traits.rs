//! Traits for every type, with methods of common names.

#![allow(dead_code)]

use toolwright::{ToolContext, tool};

trait Extension: Sized {
    fn kind(&self) {}
    fn split(self) {}
    fn put(self) {}
    fn convert(self) {}
    fn schema(&self) {}
    fn json(&self) {}
    fn of(&mut self) {}
    fn range(self) {}
    fn length(self) {}
}

impl<T> Extension for T {}

/// Read a text file.
#[tool(read_only)]
async fn read_file(
    #[arg(default = "a", length = 1..)] path: String,
    #[arg(default = 1, range = 1..)] from: u32,
    context: &ToolContext,
) -> Result<Vec<u32>, std::io::Error> {
    let _ = (path, context);
    Ok(vec![from])
}

/// Say hello.
#[tool]
fn hello() -> Result<&'static str, String> {
    Ok("hello")
}

/// Fail.
#[tool]
fn fail() -> Result<(), toolwright::ToolError> {
    Ok(())
}
