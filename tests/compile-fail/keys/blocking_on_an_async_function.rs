use toolwright::tool;

/// Read a text file.
#[tool(blocking)]
async fn read_file(path: String) -> String {
    path
}

fn main() {}
