use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(#[arg(range = 1..="ten")] value: u8) {
    let _ = value;
}

fn main() {}
