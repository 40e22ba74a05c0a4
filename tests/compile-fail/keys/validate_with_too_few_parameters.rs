use toolwright::tool;

fn check(path: &String) -> Result<(), String> {
    if path.is_empty() { Err(path.clone()) } else { Ok(()) }
}

/// Read a text file.
#[tool(validate = check)]
async fn read_file(path: String, from: u32) -> String {
    format!("{path}{from}")
}

fn main() {}
