use std::fmt;
use toolwright::{ToolError, tool};

#[derive(Debug)]
struct NotFound;

impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there is no such file")
    }
}

impl std::error::Error for NotFound {}

fn find(path: &str) -> Result<String, NotFound> {
    if path.is_empty() { Err(NotFound) } else { Ok(path.to_owned()) }
}

/// Read a text file.
#[tool]
async fn read_file(path: String) -> Result<String, ToolError> {
    Ok(find(&path)?)
}

fn main() {}
