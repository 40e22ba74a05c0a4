use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(#[arg(range = 1..=10)] value: String) {
    let _ = value;
}

fn main() {}
