use toolwright::{Run, Tool, ToolContext, ToolRegistry, TypedTool};

#[derive(Tool)]
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
    let path = String::new();
    drop(ReadFile { path });
    let _ = ReadFile::spec();
    let _ = ToolRegistry::new().with_type::<ReadFile>();
}
