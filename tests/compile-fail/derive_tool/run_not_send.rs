use std::rc::Rc;
use toolwright::{Run, Tool, ToolContext};

/// Read a text file.
#[derive(Tool)]
struct ReadFile {
    path: String,
}

async fn pause() {}

impl Run for ReadFile {
    type Output = usize;

    async fn run(self, _ctx: &ToolContext) -> usize {
        let path = Rc::new(self.path);
        pause().await;
        path.len()
    }
}

fn main() {}
