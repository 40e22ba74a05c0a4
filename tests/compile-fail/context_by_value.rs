use toolwright::{ToolContext, tool};

/// Read a text file.
#[tool]
async fn read_file(path: String, ctx: ToolContext) {}

fn main() {}
