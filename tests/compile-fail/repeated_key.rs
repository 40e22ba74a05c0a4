use toolwright::tool;

/// Read a text file.
#[tool(name = "fs.read", name = "read")]
async fn read_file(path: String) {
    let _ = path;
}

fn main() {}
