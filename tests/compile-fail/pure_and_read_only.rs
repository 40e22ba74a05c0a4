use toolwright::tool;

/// Read a text file.
#[tool(pure, read_only)]
async fn read_file(path: String) {
    let _ = path;
}

fn main() {}
