use toolwright::tool;

/// Read a text file.
#[tool(read-only)]
async fn read_file(path: String) -> String {
    path
}

fn main() {}
