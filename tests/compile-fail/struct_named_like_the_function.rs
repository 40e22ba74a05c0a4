use toolwright::tool;

/// Read a text file.
#[tool(struct_name = read_file)]
async fn read_file(path: String) {
    let _ = path;
}

fn main() {}
