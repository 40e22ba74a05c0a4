use std::rc::Rc;
use toolwright::{RunTool, Tool, ToolContext};

/// Read a text file.
#[derive(Tool)]
struct ReadFile {
    path: String,
}

async fn pause() {}

impl RunTool for ReadFile {
    type Output = usize;

    async fn run(self, _ctx: &ToolContext) -> usize {
        let path = Rc::new(self.path);
        pause().await;
        path.len()
    }
}

fn main() {}
