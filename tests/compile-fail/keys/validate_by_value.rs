use toolwright::tool;

fn check(path: String) -> Result<(), String> {
    Err(path)
}

/// Read a text file.
#[tool(validate = check)]
async fn read_file(path: String) -> String {
    path
}

fn main() {}
