use toolwright::{RunTool, Tool, ToolContext};

/// Write a draft.
#[derive(Tool)]
#[tool(cleanup = self.forget(session))]
struct WriteDraft {
    text: String,
}

impl RunTool for WriteDraft {
    type Output = String;

    async fn run(self, _ctx: &ToolContext) -> String {
        self.text
    }
}

fn main() {}
