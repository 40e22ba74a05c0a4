use toolwright::tool;

/// Read a text file.
#[tool(description = "Read a text file.")]
async fn read_file(path: String) -> String {
    path
}

fn main() {}
