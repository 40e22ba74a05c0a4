use toolwright::tool;

/// Read a text file, if there is one.
#[tool]
async fn read_file(path: String) -> Option<Result<String, std::io::Error>> {
    Some(std::fs::read_to_string(path))
}

fn main() {}
