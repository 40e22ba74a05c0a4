use toolwright::tool;

struct Workspace;

/// Read a text file.
#[tool]
async fn read_file<'w>(path: String, workspace: &'w Workspace) {
    let _ = (path, workspace);
}

fn main() {}
