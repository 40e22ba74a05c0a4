use toolwright::tool;

/// Read a text file.
#[tool(crate = other::toolwright)]
async fn read_file(path: String) {}

fn main() {}
