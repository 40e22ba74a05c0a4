use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(#[arg(range = 1..=2.5)] value: u8) {
    let _ = value;
}

fn main() {}
