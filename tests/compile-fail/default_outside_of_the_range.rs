use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(#[arg(default = 0, range = 1..=100)] value: u32) {
    let _ = value;
}

fn main() {}
