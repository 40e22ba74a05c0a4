use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(#[arg(pattern = "[a-z")] value: String) {
    let _ = value;
}

fn main() {}
