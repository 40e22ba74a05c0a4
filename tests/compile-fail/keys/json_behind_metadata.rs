use toolwright::tool;

/// Read a text file.
#[tool(metadata = {"team": "files", "tier": 2})]
async fn read_file(path: String) -> String {
    path
}

fn main() {}
