use toolwright::tool;

/// Read a text file.
#[tool(effect = "read")]
async fn read_file(path: String) -> String {
    path
}

fn main() {}
