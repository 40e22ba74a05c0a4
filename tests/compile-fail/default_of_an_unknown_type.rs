use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(path: String, #[arg(default)] from: U32) -> String {
    path
}

fn main() {}
