use toolwright::tool;

/// Read a text file.
#[tool]
#[tool(read_only)]
async fn read_file(path: String) -> String {
    path
}

fn main() {}
