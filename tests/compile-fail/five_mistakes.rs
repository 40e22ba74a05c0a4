use toolwright::tool;

struct Workspace;

/// Read a text file.
#[tool(readonly, timeout = "10")]
async fn read_file(
    path: &str,
    #[arg(range = 10..=1)] limit: u32,
    workspace: &mut Workspace,
) {
}

fn main() {}
