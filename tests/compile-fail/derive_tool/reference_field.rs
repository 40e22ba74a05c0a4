use toolwright::{RunTool, Tool, ToolContext};

/// Read a text file.
#[derive(Tool)]
struct ReadFile {
    path: &'static str,
}

impl RunTool for ReadFile {
    type Output = String;

    async fn run(self, _ctx: &ToolContext) -> String {
        self.path.to_owned()
    }
}

fn main() {}
