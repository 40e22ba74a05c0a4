use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(#[arg(multiple_of = -5)] value: i32) {
    let _ = value;
}

fn main() {}
