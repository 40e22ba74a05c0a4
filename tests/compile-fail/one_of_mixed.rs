use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(#[arg(one_of("asc", 1))] value: String) {
    let _ = value;
}

fn main() {}
