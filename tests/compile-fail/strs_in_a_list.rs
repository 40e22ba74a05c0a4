use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(paths: Vec<&str>) {}

fn main() {}
