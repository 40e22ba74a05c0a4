use toolwright::{ToolContext, tool};

/// Read a text file.
#[tool]
async fn read_file(path: String, ctx: ToolContext) -> String {
    path + ctx.tool_name().as_str()
}

fn main() {}
