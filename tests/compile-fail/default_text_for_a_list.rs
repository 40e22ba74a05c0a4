use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(#[arg(default = "one")] value: Vec<u8>) {}

fn main() {}
