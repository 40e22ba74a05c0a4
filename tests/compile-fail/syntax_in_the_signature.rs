use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(path) -> usize {
    0
}

fn main() {}
