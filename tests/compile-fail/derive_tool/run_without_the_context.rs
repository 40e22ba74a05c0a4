use toolwright::{Run, Tool};

/// Read a text file.
#[derive(Tool)]
struct ReadFile {
    path: String,
}

impl Run for ReadFile {
    type Output = String;

    async fn run(self) -> String {
        self.path
    }
}

fn main() {}
