use toolwright::{Run, ToolContext};

/// Read a text file.
#[tool(read_only)]
struct ReadFile {
    path: String,
}

impl Run for ReadFile {
    type Output = String;

    async fn run(self, _ctx: &ToolContext) -> String {
        self.path
    }
}

fn main() {}
