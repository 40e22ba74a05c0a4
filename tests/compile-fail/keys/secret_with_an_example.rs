use toolwright::tool;

/// Read a text file.
#[tool()]
async fn read_file(#[arg(secret, example = "x")] path: String) -> String {
    path
}

fn main() {}
