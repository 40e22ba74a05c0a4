use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(#[arg(length = 1.5..)] value: String) {
    let _ = value;
}

fn main() {}
