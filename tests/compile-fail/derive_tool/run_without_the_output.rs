use toolwright::{Run, Tool, ToolContext};

/// Read a text file.
#[derive(Tool)]
struct ReadFile {
    path: String,
}

impl Run for ReadFile {
    async fn run(self, _ctx: &ToolContext) -> String {
        self.path
    }
}

fn main() {}
