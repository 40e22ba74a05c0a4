use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(#[arg(pattern = "^[0-9]+$")] value: u32) {
    let _ = value;
}

fn main() {}
