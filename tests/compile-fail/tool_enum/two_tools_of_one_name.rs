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

/// Show a text file.
#[derive(Tool)]
#[tool(name = "read_file")]
struct ShowFile {
    path: String,
}

impl RunTool for ShowFile {
    type Output = String;

    async fn run(self, _ctx: &ToolContext) -> String {
        self.path
    }
}

#[derive(ToolEnum)]
enum Files {
    Read(ReadFile),
    Show(ShowFile),
}

fn main() {}
