use toolwright::tool;

struct Workspace {
    root: String,
}

/// Name the root folder.
#[tool]
async fn root(workspace: &Workspace) -> &str {
    &workspace.root
}

fn main() {}
