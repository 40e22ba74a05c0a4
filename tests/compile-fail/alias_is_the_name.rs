use toolwright::tool;

/// Read a text file.
#[tool(aliases("read_file"))]
async fn read_file(path: String) {
    let _ = path;
}

fn main() {}
