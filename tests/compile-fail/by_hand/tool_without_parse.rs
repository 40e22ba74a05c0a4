use toolwright::{Tool, ToolSpec};

struct Echo {
    spec: ToolSpec,
}

impl Tool for Echo {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }
}

fn main() {}
