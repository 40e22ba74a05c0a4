use toolwright::tool;

/// Read a text file.
#[tool(permission = path.as_str())]
async fn read_file(path: String) {
    let _ = path;
}

fn main() {}
