use std::collections::BTreeMap;
use toolwright::{tool, tool_type};

struct Line(u32);

#[tool_type]
struct Lines {
    by_name: BTreeMap<String, Vec<Option<Line>>>,
    inside: Option<Box<Lines>>,
}

/// Count the lines.
#[tool]
async fn count(lines: Lines) -> Option<Lines> {
    lines.inside.map(|inside| *inside)
}

fn main() {}
