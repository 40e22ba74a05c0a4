use toolwright::{RunTool, Tool, ToolContext};

/// Read a text file.
#[derive(Tool)]
#[tool(validate = Self::check)]
struct ReadFile {
    path: String,
    from: u32,
}

impl ReadFile {
    fn check(&self) -> Result<(), String> {
        Err(format!("{}{}", self.path, self.from))
    }
}

impl RunTool for ReadFile {
    type Output = String;

    async fn run(self, _: &ToolContext) -> String {
        self.path
    }
}

fn main() {}
