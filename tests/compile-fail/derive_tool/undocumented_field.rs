use toolwright::{Run, Tool, ToolContext};

/// Read a text file.
#[derive(Tool)]
#[tool(deny_undocumented)]
struct ReadFile {
    path: String,
}

impl Run for ReadFile {
    type Output = String;

    async fn run(self, _: &ToolContext) -> String {
        self.path
    }
}

fn main() {}
