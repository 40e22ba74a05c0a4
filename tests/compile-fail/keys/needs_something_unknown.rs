use toolwright::tool;

struct Workspace;

/// Read a text file.
#[tool(needs(Workspce))]
async fn read_file(path: String) -> String {
    path
}

fn main() {}
