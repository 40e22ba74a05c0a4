use toolwright::tool;

struct Workspace {
    root: String,
}

/// Read a text file.
#[tool]
async fn root(#[arg(name = "root")] workspace: &Workspace) -> &str {
    &workspace.root
}

fn main() {}
