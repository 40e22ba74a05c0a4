use toolwright::tool;

/// Read a text file.
#[tool(colour = "red")]
async fn read_file(path: String) {
    let _ = path;
}

fn main() {}
