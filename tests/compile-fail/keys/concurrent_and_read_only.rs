use toolwright::tool;

/// Read a text file.
#[tool(read_only, concurrent)]
async fn read_file(path: String) -> String {
    path
}

fn main() {}
