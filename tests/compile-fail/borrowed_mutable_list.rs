use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(path: &mut Vec<u32>) {
    let _ = path;
}

fn main() {}
