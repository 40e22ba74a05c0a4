use toolwright::tool;

/// Read a text file.
#[tool(examples("a.txt"))]
async fn read_file(path: String) -> String {
    path
}

fn main() {}
