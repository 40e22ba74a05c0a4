use toolwright::{RunTool, Tool, ToolContext};

/// Read a text file.
#[derive(Tool)]
struct ReadFile {
    path: String,
}

impl RunTool for ReadFile {
    type Output = String;

    async fn run(&self, _ctx: &ToolContext) -> String {
        self.path.clone()
    }
}

fn main() {}
