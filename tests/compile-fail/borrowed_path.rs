use std::path::Path;
use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(path: &Path) {
    let _ = path;
}

fn main() {}
