use toolwright::tool;

/// Read a text file.
#[tool()]
async fn read_file(#[arg(example = 1)] path: String) -> String {
    path
}

fn main() {}
