use toolwright::tool;

struct ReadFile;

/// Read a text file.
#[tool(read_only)]
async fn read_file(path: String) {
    let _ = path;
}

fn main() {}
