use toolwright::{ToolRegistry, tool, tool_type};

#[tool_type]
struct Lines {
    #[arg(range = 9..=1)]
    first: u32,
}

/// Show the lines.
#[tool]
fn show(lines: Lines) -> Lines {
    lines
}

fn main() {
    let _ = show(Lines { first: 1 });
    let _ = ToolRegistry::new().with(Show);
}
