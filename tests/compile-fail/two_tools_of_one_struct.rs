use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(path: String) -> String {
    path
}

/// Read a text file slowly.
#[tool]
async fn read__file(path: String) -> String {
    path
}

fn main() {}
