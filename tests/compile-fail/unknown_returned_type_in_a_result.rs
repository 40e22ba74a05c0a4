use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(path: String) -> Result<Text, String> {
    Err(path)
}

fn main() {}
