use toolwright::tool;

async fn load(path: String) -> String {
    path
}

/// Read a text file.
#[tool]
async fn read_file(path: String) -> String {
    load(path)
}

fn main() {}
