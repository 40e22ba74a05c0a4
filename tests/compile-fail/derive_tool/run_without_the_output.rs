use toolwright::{RunTool, Tool, ToolContext};

/// Read a text file.
#[derive(Tool)]
struct ReadFile {
    path: String,
}

impl RunTool for ReadFile {
    async fn run(self, _ctx: &ToolContext) -> String {
        self.path
    }
}

fn main() {}
