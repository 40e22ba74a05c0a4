use toolwright::{RunTool, Tool, ToolContext};

struct Lines {
    first: u32,
}

/// Read a text file.
#[derive(Tool)]
struct ReadFile {
    path: String,
    lines: Lines,
}

impl RunTool for ReadFile {
    type Output = String;

    async fn run(self, _ctx: &ToolContext) -> String {
        format!("{} from {}", self.path, self.lines.first)
    }
}

fn main() {}
