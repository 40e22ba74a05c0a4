use toolwright::tool;

/// Read a text file.
#[tool(read_only, destructive)]
async fn read_file(path: String) {
    let _ = path;
}

fn main() {}
