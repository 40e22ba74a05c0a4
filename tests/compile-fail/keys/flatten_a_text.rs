use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(#[arg(flatten)] path: String) -> String {
    path
}

fn main() {}
