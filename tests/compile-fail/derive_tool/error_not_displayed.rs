use toolwright::{RunTool, Tool, ToolContext};

/// Read a text file.
#[derive(Tool)]
struct ReadFile {
    path: String,
}

struct Missing;

impl RunTool for ReadFile {
    type Output = Result<String, Missing>;

    async fn run(self, _ctx: &ToolContext) -> Result<String, Missing> {
        if self.path.is_empty() { Err(Missing) } else { Ok(self.path) }
    }
}

fn main() {}
