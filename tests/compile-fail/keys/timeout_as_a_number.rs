use toolwright::tool;

/// Read a text file.
#[tool(timeout = 10)]
async fn read_file(path: String) -> String {
    path
}

fn main() {}
