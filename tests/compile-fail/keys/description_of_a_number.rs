use toolwright::tool;

/// Read a text file.
#[tool(description = 5)]
async fn read_file(path: String) -> String {
    path
}

fn main() {}
