use toolwright::tool;

/// Read a text file.
#[tool(crate = crate::facade)]
async fn read_file(path: String) {
    let _ = path;
}

fn main() {}
