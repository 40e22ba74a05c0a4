use toolwright::tool;

/// Read a text file.
#[tool(determinism = determinstic)]
async fn read_file(path: String) -> String {
    path
}

fn main() {}
