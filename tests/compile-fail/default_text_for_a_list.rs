use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(#[arg(default = "one")] value: Vec<String>) {
    let _ = value;
}

fn main() {}
