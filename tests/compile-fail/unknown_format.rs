use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(#[arg(format = "datetime")] value: String) {
    let _ = value;
}

fn main() {}
