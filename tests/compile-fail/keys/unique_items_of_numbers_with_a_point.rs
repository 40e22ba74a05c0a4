use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(#[arg(unique_items)] value: Vec<f64>) {
    let _ = value;
}

fn main() {}
