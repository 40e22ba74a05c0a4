use std::path::Path;
use toolwright::tool;

/// Find a path.
#[tool]
async fn path(name: String) -> String {
    Path::new(&name).display().to_string()
}

fn main() {}
