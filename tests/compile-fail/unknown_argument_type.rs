use std::path::PathBuf;
use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(path: PathBuff) {
    let _ = path;
}

fn main() {}
