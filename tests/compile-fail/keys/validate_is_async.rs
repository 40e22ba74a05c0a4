use toolwright::tool;

async fn check(path: &String) -> Result<(), String> {
    Err(path.clone())
}

/// Read a text file.
#[tool(validate = check)]
async fn read_file(path: String) -> String {
    path
}

fn main() {}
