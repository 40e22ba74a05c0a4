use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(#[arg(default = 300)] value: u8) {
    let _ = value;
}

fn main() {}
