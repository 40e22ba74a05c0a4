use toolwright::tool;

/// Read a text file.
#[tool(explicit_only = true)]
async fn read_file(path: String) -> String {
    path
}

fn main() {}
