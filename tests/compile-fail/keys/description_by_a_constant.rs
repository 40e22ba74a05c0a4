use toolwright::tool;

const TEXT: &str = "Read a text file.";

/// Read a text file.
#[tool(description = TEXT)]
async fn read_file(path: String) -> String {
    path
}

fn main() {}
