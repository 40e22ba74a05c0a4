use toolwright::{RunTool, Tool, ToolContext, ToolRegistry};

/// Read a text file.
#[derive(Tool)]
struct ReadFile<'a> {
    path: &'a str,
}

impl RunTool for ReadFile<'_> {
    type Output = String;

    async fn run(self, _ctx: &ToolContext) -> String {
        self.path.to_owned()
    }
}

fn tools() -> ToolRegistry {
    ToolRegistry::new().with_type::<ReadFile>()
}

fn main() {}
