use toolwright::tool;

/// Write a file.
#[tool]
async fn write_file(#[arg(default = "one")] bytes: Vec<u8>) -> usize {
    bytes.len()
}

fn main() {}
