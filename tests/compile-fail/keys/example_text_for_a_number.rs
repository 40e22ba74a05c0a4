use toolwright::tool;

/// Read a text file.
#[tool()]
async fn read_file(#[arg(example = "1")] from: u32) -> String {
    from.to_string()
}

fn main() {}
