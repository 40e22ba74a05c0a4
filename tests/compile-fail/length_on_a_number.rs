use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(#[arg(length = 1..=10)] value: u32) {
    let _ = value;
}

fn main() {}
