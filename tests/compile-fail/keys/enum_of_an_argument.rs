use toolwright::tool;

/// List the files.
#[tool]
async fn list(#[arg(enum("name", "size"))] sort: String) -> String {
    sort
}

fn main() {}
