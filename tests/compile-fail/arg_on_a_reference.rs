use toolwright::tool;

struct Workspace;

/// Read a text file.
#[tool]
async fn read_file(path: String, #[arg(name = "root")] workspace: &Workspace) {}

fn main() {}
