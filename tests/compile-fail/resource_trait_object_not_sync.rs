use toolwright::tool;

trait Files {}

/// Read a text file.
#[tool]
async fn read_file(path: String, files: &dyn Files) {}

fn main() {}
