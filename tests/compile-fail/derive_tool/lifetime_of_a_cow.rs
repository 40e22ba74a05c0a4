use std::borrow::Cow;
use toolwright::{RunTool, Tool, ToolContext};

/// Read a text file.
#[derive(Tool)]
struct ReadFile<'a> {
    path: Cow<'a, str>,
}

impl<'a> RunTool for ReadFile<'a> {
    type Output = String;

    async fn run(self, _ctx: &ToolContext) -> String {
        self.path.into_owned()
    }
}

fn main() {}
