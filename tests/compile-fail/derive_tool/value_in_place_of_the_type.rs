use toolwright::{RunTool, Tool, ToolContext, ToolRegistry};

/// Read a text file.
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

fn main() {
    let path = String::new();
    let _ = ToolRegistry::new().with(ReadFile { path });
}
