use toolwright::{Run, Tool, ToolContext};

/// Read text files.
#[derive(Tool)]
struct ReadFiles {
    #[arg(flatten)]
    paths: Vec<String>,
}

impl Run for ReadFiles {
    type Output = usize;

    async fn run(self, _: &ToolContext) -> usize {
        self.paths.len()
    }
}

fn main() {}
