use toolwright::{RunTool, Tool, ToolContext};

/// Read a text file.
#[tool(read_only)]
#[derive(Tool)]
struct ReadFile {
    path: String,
}

impl RunTool for ReadFile {
    type Output = String;

    async fn run(self, _ctx: &ToolContext) -> String {
        self.path
    }
}

fn main() {}
