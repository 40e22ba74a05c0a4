use toolwright::{Run, Tool, ToolContext};

/// Read a text file.
#[derive(Tool)]
struct ReadFile(String);

impl Run for ReadFile {
    type Output = String;

    async fn run(self, _ctx: &ToolContext) -> String {
        self.0
    }
}

fn main() {}
