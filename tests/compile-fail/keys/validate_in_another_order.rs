use toolwright::tool;

fn check(from: &u32, path: &str) -> Result<(), String> {
    Err(format!("{path}{from}"))
}

/// Read a text file.
#[tool(validate = check)]
async fn read_file(path: String, from: u32) -> String {
    format!("{path}{from}")
}

fn main() {}
