use toolwright::tool;

/// Read a text file.
#[tool(name = read_file)]
async fn read_file(path: String) -> String {
    path
}

fn main() {}
