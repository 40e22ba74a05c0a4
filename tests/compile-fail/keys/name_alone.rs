use toolwright::tool;

/// Read a text file.
#[tool("fs.read")]
async fn read_file(path: String) -> String {
    path
}

fn main() {}
