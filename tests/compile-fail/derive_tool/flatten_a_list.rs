use toolwright::{RunTool, Tool, ToolContext};

/// Read text files.
#[derive(Tool)]
struct ReadFiles {
    #[arg(flatten)]
    paths: Vec<String>,
}

impl RunTool for ReadFiles {
    type Output = usize;

    async fn run(self, _: &ToolContext) -> usize {
        self.paths.len()
    }
}

fn main() {}
