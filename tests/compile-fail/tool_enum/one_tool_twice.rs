use toolwright::{RunTool, Tool, ToolContext, ToolEnum};

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

#[derive(ToolEnum)]
enum Files {
    Read(ReadFile),
    Show(ReadFile),
}

fn main() {}
