use toolwright::{RunTool, Tool, ToolContext};

/// Read a text file.
#[derive(Tool)]
struct ReadFile {
    path: String,
}

struct Text(String);

impl RunTool for ReadFile {
    type Output = Text;

    async fn run(self, _ctx: &ToolContext) -> Text {
        Text(self.path)
    }
}

fn main() {}
