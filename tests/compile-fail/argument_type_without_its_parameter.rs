use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(paths: Vec) {
    let _ = paths;
}

fn main() {}
