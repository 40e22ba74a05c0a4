use toolwright::tool;

/// Read a text file.
#[tool(examples = [{"path": "notes.txt"}])]
async fn read_file(path: String) -> String {
    path
}

fn main() {}
