use toolwright::tool;

fn check(_path: &String) -> Result<(), String> {
    Ok(())
}

/// Read a text file.
#[tool(validate = check(path))]
async fn read_file(path: String) -> String {
    path
}

fn main() {}
