use toolwright::tool;

/// # Errors
///
/// When there is no such file.
#[tool]
async fn read_file(path: String) -> String {
    path
}

fn main() {}
