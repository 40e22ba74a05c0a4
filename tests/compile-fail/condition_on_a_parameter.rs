use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(path: String, #[cfg(unix)] mode: u32) -> String {
    format!("{path} {mode}")
}

fn main() {}
