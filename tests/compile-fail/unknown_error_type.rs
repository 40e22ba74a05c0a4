use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(path: String) -> Result<String, io::Error> {
    std::fs::read_to_string(path)
}

fn main() {}
