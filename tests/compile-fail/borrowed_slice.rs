use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(paths: &[String]) {
    let _ = paths;
}

fn main() {}
