use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(#[arg(unique_items)] value: u32) {
    let _ = value;
}

fn main() {}
