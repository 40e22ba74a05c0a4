use toolwright::{ToolError, tool};

/// Read a text file.
#[tool]
async fn read_file(path: String) -> Result<String, ToolError> {
    Ok(std::fs::read_to_string(path)?)
}

fn main() {}
