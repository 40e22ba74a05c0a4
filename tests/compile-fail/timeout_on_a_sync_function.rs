use toolwright::tool;

/// Read a text file.
#[tool(timeout = "10s")]
fn read_file(path: String) {
    let _ = path;
}

fn main() {}
