use toolwright::tool;

/// Read a text file.
#[tool()]
async fn read_file(#[arg(flatten)] lines: u32) -> String {
    format!("{lines}")
}

fn main() {}
