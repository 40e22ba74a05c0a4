use toolwright::{Run, ToolContext, ToolRegistry};

/// Read a text file.
struct ReadFile {
    path: String,
}

impl Run for ReadFile {
    type Output = String;

    async fn run(self, _ctx: &ToolContext) -> String {
        self.path
    }
}

fn main() {
    let _ = ToolRegistry::new().with_type::<ReadFile>();
}
