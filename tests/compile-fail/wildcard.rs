use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(_: String) {}

fn main() {}
