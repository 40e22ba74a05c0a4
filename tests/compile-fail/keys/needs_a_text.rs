use toolwright::tool;

/// Read a text file.
#[tool(needs("Workspace"))]
async fn read_file(path: String) -> String {
    path
}

fn main() {}
