use toolwright::{RunTool, Tool, ToolContext};

#[derive(Tool)]
struct ReadFile {
    path: String,
}

/// Read a text file.
impl RunTool for ReadFile {
    type Output = String;

    async fn run(self, _ctx: &ToolContext) -> String {
        self.path
    }
}

fn main() {}
