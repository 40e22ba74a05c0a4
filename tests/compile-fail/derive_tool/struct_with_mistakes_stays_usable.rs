use toolwright::{RunTool, Tool, ToolContext, ToolRegistry};
use toolwright::tools::TypedTool;

#[derive(Tool)]
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
    let path = String::new();
    drop(ReadFile { path });
    let _ = ReadFile::spec();
    let _ = ToolRegistry::new().with_type::<ReadFile>();
}
