use toolwright::tool;

fn check(path: &str) {
    assert!(!path.is_empty());
}

/// Read a text file.
#[tool(validate = check)]
async fn read_file(path: String) -> String {
    path
}

fn main() {}
