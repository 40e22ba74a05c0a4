use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(#[arg(min_length = 1)] path: String) -> String {
    path
}

fn main() {}
