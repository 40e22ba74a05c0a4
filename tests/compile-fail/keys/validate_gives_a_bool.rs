use toolwright::tool;

fn check(path: &String) -> bool {
    path.is_empty()
}

/// Read a text file.
#[tool(validate = check)]
async fn read_file(path: String) -> String {
    path
}

fn main() {}
