use toolwright::tool;

/// Read a text file.
#[tool(pure, determinism = non_deterministic)]
async fn read_file(path: String) -> String {
    path
}

fn main() {}
