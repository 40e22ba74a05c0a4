use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(#[arg(unique_items = true)] value: Vec<String>) {
    let _ = value;
}

fn main() {}
