use toolwright::tool;

/// Read a text file.
#[tool]
#[allow(non_snake_case)]
async fn ReadFile(path: String) -> String {
    path
}

fn main() {}
