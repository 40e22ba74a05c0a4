use toolwright::{RunTool, Tool, ToolContext};

/// Read a text file.
#[derive(Tool)]
#[tool(deny_undocumented)]
struct ReadFile {
    path: String,
}

impl RunTool for ReadFile {
    type Output = String;

    async fn run(self, _: &ToolContext) -> String {
        self.path
    }
}

fn main() {}
