use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(#[arg(description = "The path.")] path: String) -> String {
    path
}

fn main() {}
