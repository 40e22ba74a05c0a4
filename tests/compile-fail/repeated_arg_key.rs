use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(#[arg(default = 1, default = 2)] value: u32) {
    let _ = value;
}

fn main() {}
