use toolwright::tool;

struct Workspace;

/// Read a text file.
#[tool]
async fn read_file(workspace: &'static Workspace) {
    let _ = workspace;
}

fn main() {}
