use toolwright::tool;

/// Read a text file.
#[tool(metadata(team: "files"))]
async fn read_file(path: String) -> String {
    path
}

fn main() {}
