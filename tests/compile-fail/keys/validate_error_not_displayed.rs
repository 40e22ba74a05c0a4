use toolwright::tool;

struct Missing;

fn check(path: &String) -> Result<(), Missing> {
    if path.is_empty() { Err(Missing) } else { Ok(()) }
}

/// Read a text file.
#[tool(validate = check)]
async fn read_file(path: String) -> String {
    path
}

fn main() {}
