use toolwright::tool;

struct Workspace;

/// Read a text file.
#[tool]
async fn read_file(workspace: &Workspce) {
    let _ = workspace;
}

fn main() {}
