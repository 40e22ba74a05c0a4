use toolwright::tool;

/// Read a text file.
#[tool(read_only open_world)]
async fn read_file(path: String) {
    let _ = path;
}

fn main() {}
