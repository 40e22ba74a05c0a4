use toolwright::tool;

/// Read a text file.
#[tool(capabilities("fs:*:/data"))]
async fn read_file(path: String) -> String {
    path
}

fn main() {}
