use toolwright::{Run, Tool, ToolContext};

/// Read a text file.
#[derive(Tool)]
struct ReadFile {
    path: String,
}

impl Run for ReadFile {
    type Output = String;

    async fn run(self, _ctx: &ToolContext) -> usize {
        self.path.len()
    }
}

fn main() {}
