use toolwright::tool;

/// Copy a file.
#[tool]
async fn copy(
    #[arg(name = "path")] from: String,
    #[arg(name = "path")] to: String,
) -> String {
    from + &to
}

fn main() {}
