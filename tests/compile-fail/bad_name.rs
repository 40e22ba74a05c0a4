use toolwright::tool;

/// Read a text file.
#[tool(name = "read file!")]
async fn read_file(path: String) {
    let _ = path;
}

fn main() {}
