use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(#[arg(range = 1..=6, multiple_of = 7)] value: u32) {
    let _ = value;
}

fn main() {}
