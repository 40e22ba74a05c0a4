use toolwright::{RunTool, ToolContext, ToolRegistry};

/// Read a text file.
struct ReadFile {
    path: String,
}

impl RunTool for ReadFile {
    type Output = String;

    async fn run(self, _ctx: &ToolContext) -> String {
        self.path
    }
}

fn main() {
    let _ = ToolRegistry::new().with_type::<ReadFile>();
}
