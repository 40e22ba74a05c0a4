use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(path: &str) {
    let _ = path;
}

fn main() {}
