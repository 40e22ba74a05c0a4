use toolwright::tool;

/// Tell the version.
#[tool]
async fn version() -> &'a str {
    "1.0"
}

fn main() {}
