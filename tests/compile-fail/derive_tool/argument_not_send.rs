use std::rc::Rc;
use toolwright::{Run, Tool, ToolContext};

/// Read a text file.
#[derive(Tool)]
struct ReadFile {
    path: Rc<str>,
}

impl Run for ReadFile {
    type Output = String;

    async fn run(self, _ctx: &ToolContext) -> String {
        self.path.to_string()
    }
}

fn main() {}
