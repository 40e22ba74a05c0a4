use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(#[arg(default = "one")] value: u32) {
    let _ = value;
}

fn main() {}
