use toolwright::{RunTool, Tool};

/// Read a text file.
#[derive(Tool)]
struct ReadFile {
    path: String,
}

impl RunTool for ReadFile {
    type Output = String;

    async fn run(self) -> String {
        self.path
    }
}

fn main() {}
