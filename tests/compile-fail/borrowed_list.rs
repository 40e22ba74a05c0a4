use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(path: &Vec<String>) {
    let _ = path;
}

fn main() {}
