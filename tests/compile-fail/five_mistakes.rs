use toolwright::tool;

struct Workspace {
    text: String,
}

/// Read a text file.
#[tool(readonly, timeout = "10")]
async fn read_file(
    path: &str,
    #[arg(range = 10..=1)] limit: usize,
    workspace: &mut Workspace,
) -> String {
    path.to_owned() + &workspace.text[..limit]
}

fn main() {}
