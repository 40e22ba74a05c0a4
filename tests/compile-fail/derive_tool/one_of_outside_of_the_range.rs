use toolwright::{RunTool, Tool, ToolContext};

/// Turn a picture.
#[derive(Tool)]
struct Turn {
    #[arg(range = 1..=10, one_of(5, 20))]
    degrees: u32,
}

impl RunTool for Turn {
    type Output = u32;

    async fn run(self, _: &ToolContext) -> u32 {
        self.degrees
    }
}

fn main() {}
