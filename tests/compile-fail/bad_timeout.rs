use toolwright::tool;

/// Read a text file.
#[tool(timeout = "1.5s")]
async fn read_file(path: String) {
    let _ = path;
}

fn main() {}
