use toolwright::tool;

/// Read a text file.
#[tool(name = )]
async fn read_file(path: String) {
    let _ = path;
}

fn main() {}
