use toolwright::tool;

/// Read a text file.
#[tool(deny_undocumented)]
async fn read_file(
    /// Path of the file.
    path: String,
    from: u32,
) -> String {
    format!("{path}{from}")
}

fn main() {}
